package inbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"parley"
)

// view is an inbox as it stood at one moment. Reading needs no lock: a view
// ends with the last whole line that was there when it was made.
type view struct {
	lines
	book Book
	at   time.Time // of the last record
	none bool      // there is no record yet
}

// message is one message with what became of it.
type message struct {
	id        parley.ID
	off, last int64 // of its own record, of the last one about it
	sum       sum
	state     State
}

// view opens the inbox for reading; nil and no error if there is none. Close
// its file.
func (b *Box) view() (*view, error) {
	f, err := os.Open(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, b.fail("read", err)
	}
	v, err := newView(f)
	if err != nil {
		f.Close()
		return nil, b.fail("read", err)
	}
	return v, nil
}

func newView(f *os.File) (*view, error) {
	l, err := openLines(f)
	if err != nil {
		return nil, err
	}
	v := &view{lines: l, none: true}
	edited := false
	err = l.backward(l.end, func(off int64, line []byte) bool {
		r, ok := parseHead(line)
		if !ok || r.Book == nil {
			return true
		}
		v.none, v.book, v.at, edited = false, *r.Book, r.At, r.Offset != off
		return false
	})
	if err == nil && edited {
		err = v.rebuild()
	}
	return v, err
}

// rebuild makes the book anew from all records.
func (v *view) rebuild() error {
	all, err := v.fold(0)
	if err != nil {
		return err
	}
	var rep Report
	if err := v.survey(&rep); err != nil {
		return err
	}
	b := Book{Edited: true}
	for _, off := range rep.Torn {
		if off < v.end { // the tail is counted by who closes it
			b.Torn, b.TornAt = b.Torn+1, off
		}
	}
	for _, m := range all {
		b.Last = m.off
		if m.state.Open() {
			b.Open++
		}
		if !m.state.Read {
			b.Unread++
			if b.Oldest == 0 {
				b.Oldest = m.off
			}
		}
	}
	b.relist(all)
	v.book = b
	return nil
}

// fold reads every message from off on, oldest first.
func (v *view) fold(off int64) ([]*message, error) {
	var all []*message
	byID := map[parley.ID]*message{}
	err := v.forward(off, func(off int64, line []byte) bool {
		r, ok := parseHead(line)
		if !ok {
			return true
		}
		m := byID[r.ID]
		switch {
		case r.Kind == KindMessage && m == nil:
			m = &message{id: r.ID, off: off, last: off, sum: r.Sum}
			all, byID[r.ID] = append(all, m), m
		case m != nil && r.known():
			m.last, m.state = off, m.state.after(r)
		}
		return true
	})
	return all, err
}

// about calls f with every record about id from off on.
func (v *view) about(off int64, id parley.ID, f func(off int64, r *Record)) error {
	want := []byte(id)
	return v.forward(off, func(off int64, line []byte) bool {
		if bytes.Contains(line, want) {
			if r, ok := parse(bytes.Clone(line)); ok && r.ID == id {
				f(off, r)
			}
		}
		return true
	})
}

// head reads the record at off without a message's body; errBook if none
// stands there.
func (v *view) head(off int64) (*Record, error) {
	line, err := v.lines.at(off)
	if err != nil {
		return nil, err
	}
	if r, ok := parseHead(line); ok {
		return r, nil
	}
	return nil, errBook
}

// messageHead is head for a message's own record.
func (v *view) messageHead(off int64) (*Record, error) {
	r, err := v.head(off)
	if err == nil && r.Kind != KindMessage {
		err = errBook
	}
	return r, err
}

// message reads the whole message at off.
func (v *view) message(off int64) (*parley.Message, error) {
	line, err := v.lines.at(off)
	if err != nil {
		return nil, err
	}
	if r, ok := parse(line); ok && r.Kind == KindMessage {
		return r.Message, nil
	}
	return nil, errBook
}

// locate finds a message and what became of it; nil if it is not here. A
// listed message costs a few reads. For another one the file is read from the
// message on.
func (v *view) locate(id parley.ID) (*message, error) {
	off, err := v.offsetOf(id)
	if off == 0 || err != nil {
		return nil, err
	}
	m := &message{id: id, off: off, last: off}
	if last, ok := v.book.last(off); ok {
		r, err := v.head(last)
		if err == nil && r.ID != id {
			err = errBook
		}
		if err != nil {
			return nil, err
		}
		m.last, m.state = last, r.State
		return m, nil
	}
	err = v.about(off, id, func(off int64, r *Record) {
		if r.Kind == KindMessage {
			m.sum = r.Sum
		}
		if r.known() {
			m.last, m.state = off, m.state.after(r)
		}
	})
	return m, err
}

// history reads all records about a message, in order: backwards by prev, or,
// where that chain is broken, from the message on.
func (v *view) history(m *message) ([]Record, error) {
	var rs []Record
	for off := m.last; ; {
		line, err := v.lines.at(off)
		if err != nil {
			return nil, err
		}
		r, ok := parse(line)
		if !ok || r.ID != m.id {
			break
		}
		rs = append(rs, *r)
		if off == m.off {
			slices.Reverse(rs)
			return rs, nil
		}
		if r.Prev >= off || r.Prev < m.off {
			break
		}
		off = r.Prev
	}
	rs = rs[:0]
	err := v.about(m.off, m.id, func(_ int64, r *Record) { rs = append(rs, *r) })
	return rs, err
}

func (b *Box) fail(verb string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s inbox %s: %w", verb, b.path, err)
}
