package inbox

import (
	"bytes"
	"strings"

	"parley"
)

// offsetOf finds a message's own record; 0 if it is not here. Ids grow with
// the file, so that it is a binary search.
func (v *view) offsetOf(id parley.ID) (int64, error) {
	if v.book.Edited {
		return v.scanFor(id)
	}
	tries := []int64{v.book.Last}
	if len(v.book.Opens) > 0 {
		tries = append(tries, v.book.Opens[0][0]) // what is mostly asked for
	}
	for _, off := range tries {
		if off == 0 {
			continue
		}
		r, err := v.messageHead(off)
		if err != nil {
			return 0, err
		}
		if r.ID == id {
			return off, nil
		}
	}
	return v.search(id)
}

// search halves the file. Each record names the newest message before it, so
// that landing anywhere tells on which side the id is.
func (v *view) search(id parley.ID) (int64, error) {
	lo, hi := int64(0), v.end
	for lo < hi {
		mid := lo + (hi-lo)/2
		r, next, err := v.bookFrom(mid, hi)
		if err != nil {
			return 0, err
		}
		if r == nil {
			hi = mid
			continue
		}
		if r.Book.Last == 0 {
			lo = next
			continue
		}
		m, err := v.messageHead(r.Book.Last)
		switch {
		case err != nil:
			return 0, err
		case m.ID == id:
			return r.Book.Last, nil
		case m.ID < id:
			lo = next
		default:
			hi = mid
		}
	}
	return 0, nil
}

// bookFrom reads the first record with a book that begins in [from, to), and
// where the line behind it begins; nil if there is none.
func (v *view) bookFrom(from, to int64) (*Record, int64, error) {
	off, err := v.lineFrom(from)
	for err == nil && off < to {
		var line []byte
		if line, err = v.lines.at(off); err != nil || line == nil {
			break
		}
		next := off + int64(len(line)) + 1
		if r, ok := parseHead(line); ok && r.Book != nil {
			return r, next, nil
		}
		off = next
	}
	return nil, 0, err
}

// lineFrom gives the first offset at or behind off where a line begins.
func (l lines) lineFrom(off int64) (int64, error) {
	if off == 0 {
		return 0, nil
	}
	buf := make([]byte, 1024)
	for off--; off < l.end; off += int64(len(buf)) {
		buf = buf[:min(int64(len(buf)), l.end-off)]
		if err := l.read(buf, off); err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(buf, '\n'); i >= 0 {
			return off + int64(i) + 1, nil
		}
	}
	return l.end, nil
}

func (v *view) scanFor(id parley.ID) (found int64, err error) {
	want := []byte(id)
	err = v.backward(v.end, func(off int64, line []byte) bool {
		if bytes.Contains(line, want) {
			if r, ok := parseHead(line); ok && r.Kind == KindMessage && r.ID == id {
				found = off
			}
		}
		return found == 0
	})
	return found, err
}

// scanForKey finds the message with a key by reading the whole file.
func (v *view) scanForKey(key string) (found int64, err error) {
	want := keySum(key)
	err = v.forward(0, func(off int64, line []byte) bool {
		if bytes.Contains(line, []byte(want)) {
			if r, ok := parseHead(line); ok && r.Kind == KindMessage && r.KeySum == want {
				found = off
			}
		}
		return found == 0
	})
	return found, err
}

// tagged finds the newest message whose id ends in the tag.
func (v *view) tagged(tag string) (found *message, err error) {
	want := []byte(strings.ToUpper(tag) + `"`)
	err = v.backward(v.end, func(off int64, line []byte) bool {
		if bytes.Contains(line, want) {
			if r, ok := parseHead(line); ok && r.Kind == KindMessage && r.ID.Tag() == tag {
				found = &message{id: r.ID, off: off, last: off}
			}
		}
		return found == nil
	})
	return found, err
}
