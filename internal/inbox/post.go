package inbox

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"path/filepath"
	"time"

	"parley"
	"parley/internal/durable"

	"github.com/oklog/ulid/v2"
)

// Post saves a message: when it returns, the message is on disk. It gives the
// message its id and time. If the recipient has the message already, it saves
// nothing and gives that one back with dup true:
//
//   - the one with the same Key, however old; or, if m has no key,
//   - an open one from the same sender with the same body, reply_to and
//     mailbox, unless both name the process that was meant and these differ.
//
// After an error the message may stand in the file all the same (a full disk
// leaves a part, which does not count; an fsync that failed leaves all of it).
func (b *Box) Post(m parley.Message) (stored parley.Message, dup bool, err error) {
	if err := durable.MkdirAll(filepath.Dir(b.path)); err != nil {
		return m, false, err
	}
	err = b.append(func(w *writer) error {
		r := &Record{Kind: KindMessage, Sum: bodySum(&m)}
		have, err := w.already(&m, r)
		if err != nil {
			return err
		}
		if dup = have != nil; dup {
			stored = *have
			return nil
		}
		stored = m
		return w.post(&stored, r)
	})
	return stored, dup, err
}

// already finds the message that m would repeat, and fills in the links that
// r needs if there is none.
func (w *writer) already(m *parley.Message, r *Record) (*parley.Message, error) {
	if m.Key == "" {
		return w.identical(m, r)
	}
	r.KeySum = keySum(m.Key)
	have, err := w.keyed(m.Key, r)
	if have != nil || err != nil {
		return have, err
	}
	if w.book.Rest != 0 {
		_, err = w.same(r)
	}
	return nil, err
}

// Keyed gives the message that a key stands for; ok is false if there is none.
// It costs the same however old the message is.
func (b *Box) Keyed(key string) (m parley.Message, ok bool, err error) {
	err = b.reading(func(v *view) error {
		have, err := v.keyed(key, &Record{KeySum: keySum(key)})
		if errors.Is(err, errBook) {
			if err = v.rebuild(); err == nil {
				have, err = v.keyed(key, &Record{KeySum: keySum(key)})
			}
		}
		if have != nil {
			m, ok = *have, true
		}
		return err
	})
	return m, ok, err
}

// keyed finds the message with a key, and fills in the links that r needs if
// there is none.
func (v *view) keyed(key string, r *Record) (*parley.Message, error) {
	off, err := v.keyOffset(key, r)
	if off == 0 || err != nil {
		return nil, err
	}
	have, err := v.message(off)
	if err != nil || have.Key == key {
		return have, err
	}
	return nil, nil
}

func (v *view) keyOffset(key string, r *Record) (off int64, err error) {
	if v.book.Edited {
		return v.scanForKey(key)
	}
	r.Keys, off, err = walk(v.book.Keys, r.KeySum, func(off int64) (sum, []int64, error) {
		h, err := v.messageHead(off)
		if err != nil {
			return "", nil, err
		}
		return h.KeySum, h.Keys, nil
	})
	return off, err
}

// same looks for r's sum among the messages at or behind Rest, newest first.
func (w *writer) same(r *Record) (off int64, err error) {
	if w.book.Edited {
		return 0, nil
	}
	r.Same, off, err = walk(w.book.Same, r.Sum, func(off int64) (sum, []int64, error) {
		h, err := w.messageHead(off)
		if err != nil {
			return "", nil, err
		}
		return h.Sum, h.Same, nil
	})
	return off, err
}

// identical finds an open message that says the same as m.
func (w *writer) identical(m *parley.Message, r *Record) (*parley.Message, error) {
	for _, o := range w.book.Opens {
		if o[2] != r.Sum.part() {
			continue
		}
		if have, err := w.repeats(m, o[0]); have != nil || err != nil {
			return have, err
		}
	}
	if w.book.Rest == 0 {
		return nil, nil
	}
	off, err := w.same(r)
	if err != nil || off == 0 && !w.book.Edited {
		return nil, err
	}
	return w.identicalBehind(m, r.Sum)
}

// identicalBehind looks at all messages at or behind Rest. One with the sum is
// known to be among them, but it may be closed and an older one open.
func (w *writer) identicalBehind(m *parley.Message, want sum) (*parley.Message, error) {
	all, err := w.fold(w.book.Rest)
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		if !o.state.Open() || o.sum != want {
			continue
		}
		if have, err := w.repeats(m, o.off); have != nil || err != nil {
			return have, err
		}
	}
	return nil, nil
}

func (w *writer) repeats(m *parley.Message, off int64) (*parley.Message, error) {
	have, err := w.message(off)
	if errors.Is(err, errBook) {
		return nil, nil // its body is damaged
	}
	if err != nil {
		return nil, err
	}
	other := m.Meant != "" && have.Meant != "" && m.Meant != have.Meant
	if other || bodySum(have) != bodySum(m) {
		return nil, nil
	}
	return have, nil
}

func (w *writer) post(m *parley.Message, r *Record) error {
	id, at, err := w.newID()
	if err != nil {
		return err
	}
	w.time, m.ID, m.At = at, id, at
	r.ID, r.At, r.Message = id, at, m
	if w.none {
		if err := w.start(); err != nil {
			return err
		}
	}
	bk, off := w.book, w.next
	bk.post(off, r.Sum)
	if bk.Rest != 0 {
		bk.Same = off
	}
	if m.Key != "" {
		bk.Keys = off
	}
	w.book = bk
	r.Book = &bk
	return w.add(r)
}

var errNoID = errors.New("no id left in this millisecond")

// newID makes an id that is greater than every one before it, and the time
// that it holds. In one millisecond ids go up by random steps, so that tags
// stay far apart.
func (w *writer) newID() (parley.ID, time.Time, error) {
	var id ulid.ULID
	if _, err := rand.Read(id[6:]); err != nil {
		return "", time.Time{}, err
	}
	id[6] &= 0x7f // room to count up
	at := w.time
	if w.book.Last != 0 {
		h, err := w.messageHead(w.book.Last)
		if err != nil {
			return "", at, err
		}
		last, err := ulid.ParseStrict(string(h.ID))
		if err != nil {
			return "", at, errBook
		}
		if ms := last.Timestamp(); !at.After(ms) {
			at = ms.UTC()
			step := 1 + uint64(binary.BigEndian.Uint32(id[12:]))
			id = last
			if !plus(id[6:], step) {
				return "", at, errNoID
			}
		}
	}
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		return "", at, err
	}
	return parley.ID(id.String()), at, nil
}

// plus adds n to a big-endian number of ten bytes; false if it runs over.
func plus(b []byte, n uint64) bool {
	low := binary.BigEndian.Uint64(b[2:])
	binary.BigEndian.PutUint64(b[2:], low+n)
	if low+n >= low {
		return true
	}
	high := binary.BigEndian.Uint16(b) + 1
	binary.BigEndian.PutUint16(b, high)
	return high != 0
}
