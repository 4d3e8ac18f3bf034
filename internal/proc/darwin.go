//go:build darwin

package proc

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TIOCGETA
	getUnread  = 0x4004667f // FIONREAD, sys/filio.h
)

func read(pid int) (Process, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	// For a pid that does not exist sysctl succeeds and gives nothing (EIO here).
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) {
		return Process{}, ErrNone
	}
	if err != nil {
		return Process{}, err
	}
	return describe(fromKinfo(k)), nil
}

// Busy cannot be told here: what runs and what sleeps has one state.
func Busy(int) bool { return false }

func fromKinfo(k *unix.KinfoProc) Process {
	comm, _, _ := bytes.Cut(k.Proc.P_comm[:], []byte{0})
	p := Process{
		PID:   int(k.Proc.P_pid),
		PPID:  int(k.Eproc.Ppid),
		PGID:  int(k.Eproc.Pgid),
		TTY:   int(k.Eproc.Tdev),
		TPGID: int(k.Eproc.Tpgid),
		// Wall-clock time of the start, to the microsecond: not counted from boot.
		Start: fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec),
		State: stateOf(k.Proc.P_stat),
		Comm:  string(comm),
	}
	if p.TTY == -1 { // NODEV
		p.TTY, p.TPGID = 0, -1
	}
	return p
}

func describe(p Process) Process {
	if b, err := unix.SysctlRaw("kern.procargs2", p.PID); err == nil {
		p.Exe, p.Argv, _, _ = parseArgs(b)
	}
	return p
}

func list(want func(Process) bool) ([]Process, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var out []Process
	for i := range all {
		if p := fromKinfo(&all[i]); want(p) {
			out = append(out, describe(p))
		}
	}
	slices.SortFunc(out, func(a, b Process) int { return a.PID - b.PID })
	return out, nil
}

// Env is a variable of the environment with which pid was started.
func Env(pid int, key string) (string, bool) {
	b, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return "", false
	}
	_, _, env, _ := parseArgs(b)
	return lookup(env, key)
}

// The calls and flavours of proc_info(2) that libproc itself uses.
const (
	callPIDInfo, callFDInfo    = 2, 3
	flavorFDs, flavorVnodePath = 1, 9
	flavorFDPath               = 2
)

func procInfo(call, pid, flavor int, arg uint64, buf []byte) (int, error) {
	n, _, errno := unix.Syscall6(unix.SYS_PROC_INFO, uintptr(call), uintptr(pid), uintptr(flavor),
		uintptr(arg), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// Cwd is the working folder of pid.
func Cwd(pid int) (string, error) {
	buf := make([]byte, 2*vnodePath) // working folder, root folder
	n, err := procInfo(callPIDInfo, pid, flavorVnodePath, 0, buf)
	if err != nil {
		return "", fmt.Errorf("working folder of %d: %w", pid, err)
	}
	return parsePath(buf[:n], 0)
}

// OpenFiles lists the paths that pid has open: files and devices, each once.
func OpenFiles(pid int) ([]string, error) {
	buf := make([]byte, 4096*fdInfo)
	n, err := procInfo(callPIDInfo, pid, flavorFDs, 0, buf)
	if err != nil {
		return nil, fmt.Errorf("open files of %d: %w", pid, err)
	}
	var out []string
	one := make([]byte, fileInfo+vnodePath)
	for _, fd := range parseFDs(buf[:n]) {
		n, err := procInfo(callFDInfo, pid, flavorFDPath, uint64(fd), one)
		if err != nil {
			continue // closed meanwhile
		}
		if path, err := parsePath(one[:n], fileInfo); err == nil {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
