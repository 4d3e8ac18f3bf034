// Package durable holds the rules by which a write survives a crash, and
// nothing else: what must be fsynced, in which order, and how one process
// keeps another out. Each error names the path and the cause, once.
package durable

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
)

// MkdirAll makes path and what is missing above it, mode 0700, and fsyncs the
// parent of every folder that it made: a folder whose name was not written
// out takes its files with it when the power fails.
func MkdirAll(path string) error {
	path = filepath.Clean(path)
	st, err := os.Stat(path)
	if err == nil {
		if !st.IsDir() {
			return fmt.Errorf("make folder %s: %w", path, syscall.ENOTDIR)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make folder %s: %w", path, cause(err))
	}
	parent := filepath.Dir(path)
	if err := MkdirAll(parent); err != nil {
		return err
	}
	err = os.Mkdir(path, dirMode)
	if errors.Is(err, fs.ErrExist) {
		return dangling(path, SyncDir(parent))
	}
	if err != nil {
		return fmt.Errorf("make folder %s: %w", path, cause(err))
	}
	return SyncDir(parent)
}

// dangling names a link that leads nowhere, which is there and yet is no
// folder; else it gives err: another process has made the folder.
func dangling(path string, err error) error {
	if to, e := os.Readlink(path); e == nil {
		if _, e := os.Stat(path); errors.Is(e, fs.ErrNotExist) {
			return fmt.Errorf("make folder %s: it is a link to %s, which is not there: %w", path, to, syscall.ENOENT)
		}
	}
	return err
}

// SyncDir writes out the names that a folder holds.
func SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("sync folder %s: %w", path, cause(err))
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync folder %s: %w", path, cause(err))
	}
	return nil
}

// WriteFile puts data at path, mode 0600, whole or not at all: a reader finds
// the old content or the new, also after a crash.
func WriteFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // made 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	return SyncDir(filepath.Dir(path))
}

// Append writes b in one call and fsyncs. f must be open with O_APPEND and
// locked by the caller. After an error part of b, or all of it, may stand in
// the file: a format that is appended to must tell half a record from a whole
// one.
func Append(f *os.File, b []byte) error {
	if _, err := f.Write(b); err != nil {
		return fmt.Errorf("append to %s: %w", f.Name(), cause(err))
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("append to %s: written, but not proven to be on disk: %w", f.Name(), cause(err))
	}
	return nil
}

// cause strips what os says about the path, which our own words say already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

// Lock opens path for reading and appending, makes it (mode 0600) if it is not
// there, and holds a flock on it until the file is closed. The kernel lets go
// of it when the process dies, however it dies; a child process that inherits
// the file holds it too. It waits for the lock until ctx ends.
func Lock(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|unix.O_NOCTTY, fileMode)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, cause(err))
		}
		if err := LockFile(ctx, f); err != nil {
			f.Close()
			return nil, err
		}
		if stillNamed(f, path) {
			return f, nil
		}
		f.Close() // moved away or removed while we waited: lock what is there now
	}
}

func stillNamed(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Stat(path)
	return err == nil && os.SameFile(a, b)
}

// LockFile is Lock for a file that is open already. It asks again and again,
// because a flock that blocks cannot be called off: after 20 µs at first, 2 ms
// at most.
func LockFile(ctx context.Context, f *os.File) error {
	for wait := 20 * time.Microsecond; ; wait = min(2*wait, 2*time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case err == unix.EINTR:
			continue
		case err != unix.EWOULDBLOCK:
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("lock %s: another process holds it: %w", f.Name(), context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}
