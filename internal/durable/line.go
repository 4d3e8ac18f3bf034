package durable

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// AppendLine appends one line and its newline to the file at path, under a
// lock on the file itself, and syncs it; a new file's folder is synced too. A
// tail that a crash cut short is closed with a newline first, so that the torn
// line spoils no other. For small files with one writer a moment.
func AppendLine(ctx context.Context, path string, line []byte) error {
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := LockFile(ctx, f); err != nil {
		return err
	}
	end, err := f.Seek(0, 2)
	if err != nil {
		return fmt.Errorf("find the end of %s: %w", path, err)
	}
	b := append(line[:len(line):len(line)], '\n')
	if end == 0 {
		defer SyncDir(filepath.Dir(path))
	} else if last := make([]byte, 1); func() bool { f.ReadAt(last, end-1); return last[0] != '\n' }() {
		b = append([]byte{'\n'}, b...)
	}
	return Append(f, b)
}
