package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"parley/internal/dialect"
)

// Follower reads what a record holds of one prompt of ours, and then only what
// is added. It finds the prompt from the end of the file, so that what it costs
// does not grow with the file, and holds one line at a time.
type Follower struct {
	path string
	h    thread
	from int64 // before this nothing of ours can stand
	next int64 // all whole lines before this were read; 0 if none was
}

// maxSaid is the longest line that is read, in bytes: no agent says more.
const maxSaid = 8 << 20

// Follow begins to follow the prompt that bears a tag, bare or as it is typed.
// Of several with the tag those count whose text is ours. from is the size that
// the record had before anything was typed; 0 where that is not known.
func Follow(path, tag string, t dialect.Transcript, from int64, ours func(text string) bool) *Follower {
	return &Follower{path: path, from: from, h: thread{t: t, tag: typed(tag), ours: ours}}
}

// Path is the record's file.
func (f *Follower) Path() string { return f.path }

// Read takes in what was written since the last call and says what the record
// holds by now. After an error it can be called again.
func (f *Follower) Read() (Said, error) {
	file, err := os.Open(f.path)
	if err == nil {
		defer file.Close()
		err = f.read(file)
	}
	if err != nil {
		return f.h.said, fmt.Errorf("follow transcript: %w", err)
	}
	return f.h.said, nil
}

func (f *Follower) read(file *os.File) error {
	st, err := file.Stat()
	if err != nil {
		return err
	}
	if st.Size() < max(f.next, f.from) { // another file has its name by now
		f.next, f.from = 0, 0
		f.h = thread{t: f.h.t, tag: f.h.tag, ours: f.h.ours}
	}
	r := record{f: file, from: f.next, end: st.Size()}
	if f.next == 0 {
		r.from = max(0, f.from, r.end-reach)
	}
	if !f.h.said.Prompt {
		return f.find(r)
	}
	return f.forward(r, f.next)
}

// find looks for our prompt from the end back, and reads on from there. Where
// it is not there, the end of the last whole line is where to look on.
func (f *Follower) find(r record) error {
	held := false
	for at := r.end; ; {
		var err error
		if at, err = r.last([]byte(f.h.tag), at); err != nil {
			return err
		}
		if at < 0 {
			break
		}
		line, start, err := r.line(at)
		if err != nil {
			return err
		}
		hit, ok := prompt(line, f.h.tag, f.h.t)
		if ok && f.h.ours(hit.Text) && !hit.Queued {
			return f.forward(r, start)
		}
		held = held || ok && hit.Queued
		at = start
	}
	f.h.said.Held = f.h.said.Held || held
	end, err := r.lineStart(r.end)
	f.next = max(end, f.next)
	return err
}

// forward reads all whole lines from an offset on.
func (f *Follower) forward(r record, from int64) error {
	in := bufio.NewReaderSize(io.NewSectionReader(r.f, from, r.end-from), 64<<10)
	for f.next = from; ; {
		line, n, err := wholeLine(in)
		if err == io.EOF {
			return nil // the rest is not written yet
		}
		if err != nil {
			return err
		}
		f.take(line, f.next)
		f.next += n
	}
}

// take reads one line. Once our turn is over, only our prompt written again is
// of interest.
func (f *Follower) take(line []byte, offset int64) {
	tagged := bytes.Contains(line, []byte(f.h.tag))
	if !tagged && f.h.over() {
		return
	}
	var v any
	if json.Unmarshal(line, &v) == nil {
		f.h.take(v, offset, tagged)
	}
}

// wholeLine reads a line, nil if it is too long, and its length with newline.
func wholeLine(in *bufio.Reader) (line []byte, n int64, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		n += int64(len(piece))
		if n <= maxSaid {
			line = append(line, piece...)
		} else {
			line = nil
		}
		if err != bufio.ErrBufferFull {
			return line, n, err
		}
	}
}

// typed is a tag as it is typed, "[#tag]".
func typed(tag string) string {
	if strings.HasPrefix(tag, "[#") {
		return tag
	}
	return "[#" + tag + "]"
}
