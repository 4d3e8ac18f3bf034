package transcript

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"parley/internal/dialect"
)

// Bounds of one search: how far back from the end, how much at a time, and how
// long a line may be.
const (
	reach   = 64 << 20
	piece   = 256 << 10
	maxLine = 32 << 20
)

// Hit is a prompt in a record.
type Hit struct {
	Text   string   // as the CLI has recorded it
	Parts  []string // its blocks, where it has more than one
	Queued bool     // the record only says that the CLI holds it for later
	Offset int64    // of its line in the file
}

// Search looks for prompts that hold a tag, newest first, in the last 64 MiB of
// a record. Only whole lines count, only those that hold the tag are parsed,
// and of these only the kinds that the dialect says are prompts: not what a
// tool, the agent or another program wrote about one. A tag is given bare or
// as it is typed, "[#tag]".
func Search(path, tag string, t dialect.Transcript) ([]Hit, error) {
	return SearchAfter(path, tag, t, 0)
}

// SearchAfter is Search that goes back no further than offset from: the size
// that the file had before anything was typed.
func SearchAfter(path, tag string, t dialect.Transcript, from int64) (hits []Hit, err error) {
	err = Each(path, tag, t, from, func(h Hit) bool {
		hits = append(hits, h)
		return true
	})
	return hits, err
}

// Each is SearchAfter that gives each hit to f and stops when f says false.
func Each(path, tag string, t dialect.Transcript, from int64, f func(Hit) bool) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("search transcript: %w", err)
	}
	defer file.Close()
	if err := each(file, typed(tag), t, from, f); err != nil {
		return fmt.Errorf("search transcript %s: %w", path, err)
	}
	return nil
}

func each(file *os.File, tag string, t dialect.Transcript, from int64, f func(Hit) bool) error {
	st, err := file.Stat()
	if err != nil {
		return err
	}
	r := record{f: file, end: st.Size(), from: max(0, from, st.Size()-reach)}
	for at := r.end; ; {
		if at, err = r.last([]byte(tag), at); at < 0 || err != nil {
			return err
		}
		line, start, err := r.line(at)
		if err != nil {
			return err
		}
		h, ok := prompt(line, tag, t)
		if h.Offset = start; ok && !f(h) {
			return nil
		}
		at = start
	}
}

// record is the part of a file that is searched.
type record struct {
	f         *os.File
	from, end int64
}

// last gives the offset of the last tag that ends at or before to; -1 if there
// is none. It holds one piece at a time.
func (r record) last(tag []byte, to int64) (int64, error) {
	buf := make([]byte, piece+len(tag)-1)
	for hi := to; hi-r.from >= int64(len(tag)); {
		lo := max(r.from, hi-int64(len(buf)))
		b := buf[:hi-lo]
		if err := r.read(b, lo); err != nil {
			return -1, err
		}
		if bytes.Contains(b, tag) { // by far faster than LastIndex where there is none
			return lo + int64(bytes.LastIndex(b, tag)), nil
		}
		if lo == r.from {
			break
		}
		hi = lo + int64(len(tag)) - 1 // a tag may lie across the edge
	}
	return -1, nil
}

// line gives the whole line around at, and where it begins; nil if its end is
// not yet written, its head is out of reach, or it is too long.
func (r record) line(at int64) ([]byte, int64, error) {
	start, err := r.lineStart(at)
	if err != nil {
		return nil, 0, err
	}
	if start < 0 {
		return nil, r.from, nil
	}
	var line []byte
	buf := make([]byte, 16<<10)
	for off := start; off < r.end && len(line) < maxLine; off += int64(len(buf)) {
		if off > start {
			buf = make([]byte, min(2*len(buf), 1<<20))
		}
		buf = buf[:min(int64(len(buf)), r.end-off)]
		if err := r.read(buf, off); err != nil {
			return nil, start, err
		}
		if i := bytes.IndexByte(buf, '\n'); i >= 0 {
			return append(line, buf[:i]...), start, nil
		}
		line = append(line, buf...)
	}
	return nil, start, nil
}

// lineStart gives the beginning of the line around at; -1 if it lies before
// what is searched.
func (r record) lineStart(at int64) (int64, error) {
	buf := make([]byte, 16<<10)
	for hi := at; hi > r.from; {
		lo := max(r.from, hi-int64(len(buf)))
		b := buf[:hi-lo]
		if err := r.read(b, lo); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return lo + int64(i) + 1, nil
		}
		hi = lo
	}
	if r.from == 0 {
		return 0, nil
	}
	before := make([]byte, 1)
	if err := r.read(before, r.from-1); err != nil || before[0] != '\n' {
		return -1, err
	}
	return r.from, nil
}

func (r record) read(b []byte, at int64) error {
	n, err := r.f.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF // the file was cut while we read it
	}
	return err
}
