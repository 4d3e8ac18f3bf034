package durable

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// tornMark closes a line that a crash cut short. Even if only the newline was
// missing, what ends in it is no JSON: a line that was passed over stays so.
const tornMark = " <torn>\n"

// AppendLine appends one line and its newline to the file at path, under a
// lock on the file itself, and syncs it. The name of a new file is on disk
// before its first byte. A tail that a crash cut short is closed first, so that
// it spoils no other line and never counts as one. For small files with one
// writer a moment.
func AppendLine(ctx context.Context, path string, line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("append to %s: more than one line: %w", path, syscall.EINVAL)
	}
	dir := filepath.Dir(path)
	if err := MkdirAll(dir); err != nil {
		return err
	}
	f, err := Lock(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	size, torn, err := tail(f)
	if err != nil {
		return fmt.Errorf("append to %s: find its end: %w", path, cause(err))
	}
	if size == 0 {
		if err := SyncDir(dir); err != nil {
			return err
		}
	}
	var head []byte
	if torn {
		head = []byte(tornMark)
	}
	return Append(f, slices.Concat(head, line, []byte("\n")))
}

// tail gives the size of a file and whether its last line lacks a newline.
func tail(f *os.File) (size int64, torn bool, err error) {
	if size, err = f.Seek(0, io.SeekEnd); err != nil || size == 0 {
		return size, false, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return size, false, err
	}
	return size, last[0] != '\n', nil
}
