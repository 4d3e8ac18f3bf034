package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"parley/internal/durable"
	"parley/internal/term"
)

// maxPath is the longest path of a socket: 107 bytes on Linux, 103 on macOS.
const maxPath = 103

const suffix = ".host"

// Dir is the folder of the sockets for a state folder: run below it, or where
// that would be too long for a socket, one of the user's own below /tmp.
func Dir(home string) string {
	dir := filepath.Join(home, "run")
	if len(dir)+len("/12345678"+suffix) <= maxPath {
		return dir
	}
	h := fnv.New64a()
	h.Write([]byte(home))
	return fmt.Sprintf("/tmp/parley-%d-%016x", os.Getuid(), h.Sum64())
}

// Make makes the folder, if it is not there, and refuses one that others could
// change.
func Make(dir string) error {
	if err := durable.MkdirAll(dir); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("folder of sockets: %w", err)
	}
	own, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(own.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("folder of sockets: %s is not this user's alone", dir)
	}
	return nil
}

// NewID names a host.
func NewID() string { return strings.ToLower(rand.Text()[:8]) }

// Socket is the path of a host's socket.
func Socket(dir, id string) string { return filepath.Join(dir, id+suffix) }

// Listed is a host that runs now.
type Listed struct {
	About
	Target   term.Target
	Identity term.Identity
}

// List asks every host whose socket lies in a folder. A socket at which nobody
// listens any more is removed; a host that cannot be asked is left out.
func List(ctx context.Context, dir string) ([]Listed, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list hosts: %w", err)
	}
	var out []Listed
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), suffix)
		if !ok {
			continue
		}
		h := &Host{socket: filepath.Join(dir, f.Name()), id: id}
		l, err := h.ask(ctx)
		if errors.Is(err, syscall.ECONNREFUSED) {
			os.Remove(h.socket)
		}
		if err == nil {
			out = append(out, l)
		}
	}
	return out, nil
}

// ask opens a connection to hear what the host says of itself.
func (h *Host) ask(ctx context.Context) (Listed, error) {
	c, about, server, err := h.open(ctx, Hello{Role: RoleLook}, nil)
	if err != nil {
		return Listed{}, err
	}
	defer c.Close()
	pic, _, err := c.picture()
	if err != nil {
		return Listed{}, err
	}
	return Listed{About: about, Target: h.Target(), Identity: h.identity(about, server, pic)}, nil
}
