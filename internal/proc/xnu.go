package proc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
)

// The layouts of macOS, parsed without macOS so that every system tests them.

// parseArgs reads what sysctl kern.procargs2 gives: argc as a 32-bit number,
// the executable's path, NULs up to a word, argc arguments, the environment.
func parseArgs(b []byte) (exe string, argv, env []string, err error) {
	if len(b) < 4 {
		return "", nil, nil, errors.New("procargs2 is too short")
	}
	argc := int(int32(binary.NativeEndian.Uint32(b)))
	path, rest, ok := bytes.Cut(b[4:], []byte{0})
	if !ok || argc < 0 || argc > len(rest) {
		return "", nil, nil, errors.New("procargs2 is cut off")
	}
	all := strings.Split(string(bytes.TrimLeft(rest, "\x00")), "\x00")
	if len(all) < argc {
		return "", nil, nil, errors.New("procargs2 has fewer arguments than it says")
	}
	for _, kv := range all[argc:] {
		if kv == "" {
			break // behind the environment stand strings of the loader's own
		}
		env = append(env, kv)
	}
	return string(path), all[:argc:argc], env, nil
}

// stateOf turns p_stat of <sys/proc.h> into the letter that ps shows.
func stateOf(stat int8) byte {
	const letters = "?IRSTZ" // SIDL 1, SRUN 2, SSLEEP 3, SSTOP 4, SZOMB 5
	if stat < 1 || int(stat) >= len(letters) {
		return '?'
	}
	return letters[stat]
}

// Sizes and offsets of <sys/proc_info.h>, which macOS keeps stable.
const (
	vnodeInfo  = 152                 // struct vnode_info
	pathMax    = 1024                // MAXPATHLEN
	vnodePath  = vnodeInfo + pathMax // struct vnode_info_path
	fileInfo   = 24                  // struct proc_fileinfo
	fdInfo     = 8                   // struct proc_fdinfo: int32 fd, uint32 type
	fdTypeFile = 1                   // PROX_FDTYPE_VNODE
)

// parsePath reads the path of a struct vnode_info_path that begins at b[at].
func parsePath(b []byte, at int) (string, error) {
	if len(b) < at+vnodePath {
		return "", errors.New("vnode path is cut off")
	}
	path, _, ok := bytes.Cut(b[at+vnodeInfo:at+vnodePath], []byte{0})
	if !ok || len(path) == 0 {
		return "", errors.New("vnode has no path")
	}
	return string(path), nil
}

// parseFDs reads an array of struct proc_fdinfo and returns those descriptors
// that are files.
func parseFDs(b []byte) []int32 {
	var out []int32
	for ; len(b) >= fdInfo; b = b[fdInfo:] {
		if binary.NativeEndian.Uint32(b[4:]) == fdTypeFile {
			out = append(out, int32(binary.NativeEndian.Uint32(b)))
		}
	}
	return out
}
