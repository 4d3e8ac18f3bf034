package inbox

import (
	"bytes"
	"slices"
	"strings"

	"parley"
)

// Entry is one message with all that is known about it.
type Entry struct {
	Message  parley.Message
	Attempts []parley.Attempt
	Receipt  *parley.Receipt // the last one; nil if there is none
	Facts    []parley.Fact
	State
	Offset int64 // of the message's record in the file
}

// entryOf folds the records about one message, the message first.
func entryOf(rs []Record) Entry {
	var e Entry
	for i := range rs {
		e.take(rs[i].Offset, &rs[i])
	}
	return e
}

func (e *Entry) take(off int64, r *Record) {
	switch r.Kind {
	case KindMessage:
		e.Message, e.Offset = *r.Message, off
	case KindAttempt:
		e.Attempts = append(e.Attempts, *r.Attempt)
	case KindReceipt:
		e.Receipt = r.Receipt
	case KindFact:
		e.Facts = append(e.Facts, *r.Fact)
	}
	e.State = e.State.after(r)
}

// reading calls f with the inbox as it stands, and not at all if there is none.
func (b *Box) reading(f func(v *view) error) error {
	v, err := b.view()
	if v == nil || err != nil {
		return err
	}
	defer v.f.Close()
	if err := f(v); err != nil {
		return b.fail("read", err)
	}
	return nil
}

// OpenMessages gives every message whose end is not settled, oldest first. It
// costs by the open ones; with more than 32 of them, by what was written since
// the 33rd.
func (b *Box) OpenMessages() (es []Entry, err error) {
	err = b.reading(func(v *view) error {
		if es, err = v.listedEntries(len(v.book.Opens)); err != nil || v.book.Rest == 0 {
			return err
		}
		more, err := v.entries(v.book.Rest, State.Open)
		es = append(es, more...)
		return err
	})
	return es, err
}

// OldestOpen gives the first of OpenMessages at the cost of one.
func (b *Box) OldestOpen() (e Entry, ok bool, err error) {
	err = b.reading(func(v *view) error {
		es, err := v.listedEntries(1)
		if len(es) > 0 {
			e, ok = es[0], true
		}
		return err
	})
	return e, ok, err
}

func (v *view) listedEntries(n int) ([]Entry, error) {
	var es []Entry
	for _, o := range v.book.Opens {
		if len(es) == n {
			break
		}
		h, err := v.messageHead(o[0])
		if err != nil {
			return nil, err
		}
		rs, err := v.history(&message{id: h.ID, off: o[0], last: o[1]})
		if err != nil {
			return nil, err
		}
		if len(rs) > 0 && rs[0].Kind == KindMessage { // else its body is damaged: Check tells
			es = append(es, entryOf(rs))
		}
	}
	return es, nil
}

// Unread gives every message that the recipient has not pulled, oldest first.
// It costs by what was written since the oldest of them.
func (b *Box) Unread() (es []Entry, err error) {
	err = b.reading(func(v *view) error {
		if v.book.Unread == 0 {
			return nil
		}
		es, err = v.entries(v.book.Oldest, func(s State) bool { return !s.Read })
		return err
	})
	return es, err
}

// After gives every message behind the one with an id, oldest first; none if
// that one is not here. It costs by what was written since.
func (b *Box) After(id parley.ID) (es []Entry, err error) {
	err = b.reading(func(v *view) error {
		off, err := v.offsetOf(id)
		if off == 0 || err != nil {
			return err
		}
		es, err = v.entries(off, func(State) bool { return true })
		es = slices.DeleteFunc(es, func(e Entry) bool { return e.Message.ID == id })
		return err
	})
	return es, err
}

// entries reads the messages from off on whose state is wanted.
func (v *view) entries(off int64, want func(State) bool) ([]Entry, error) {
	var all []*Entry
	byID := map[parley.ID]*Entry{}
	err := v.forward(off, func(off int64, line []byte) bool {
		r, ok := parse(bytes.Clone(line))
		if !ok {
			return true
		}
		e := byID[r.ID]
		if e == nil && r.Kind == KindMessage {
			e = &Entry{}
			all, byID[r.ID] = append(all, e), e
		} else if e == nil || r.Kind == KindMessage {
			return true
		}
		e.take(off, r)
		return true
	})
	var es []Entry
	for _, e := range all {
		if want(e.State) {
			es = append(es, *e)
		}
	}
	return es, err
}

// Last gives the newest n messages, oldest first. It reads from the end back to
// the n-th message.
func (b *Box) Last(n int) (es []Entry, err error) {
	err = b.reading(func(v *view) error {
		later := map[parley.ID][]*Record{} // about messages not yet met, newest first
		return v.backward(v.end, func(off int64, line []byte) bool {
			if len(es) >= n {
				return false
			}
			r, ok := parse(line)
			if !ok {
				return true
			}
			if r.Kind != KindMessage {
				later[r.ID] = append(later[r.ID], r)
				return true
			}
			var e Entry
			e.take(off, r)
			for _, l := range slices.Backward(later[r.ID]) {
				e.take(0, l)
			}
			es = append(es, e)
			return true
		})
	})
	slices.Reverse(es)
	return es, err
}

// Find gives the message with an id, or the newest one with a tag; ok is false
// if there is none. An id is found by halving the file, a tag by reading it
// backwards.
func (b *Box) Find(idOrTag string) (e Entry, ok bool, err error) {
	rs, err := b.Log(idOrTag)
	if len(rs) == 0 || rs[0].Kind != KindMessage || err != nil {
		return Entry{}, false, err
	}
	return entryOf(rs), true, nil
}

// Log gives every record about one message, in order.
func (b *Box) Log(idOrTag string) (rs []Record, err error) {
	err = b.reading(func(v *view) error {
		m, err := v.named(idOrTag)
		if m == nil || err != nil {
			return err
		}
		return v.about(m.off, m.id, func(off int64, r *Record) {
			r.Offset = off
			rs = append(rs, *r)
		})
	})
	return rs, err
}

func (v *view) named(idOrTag string) (*message, error) {
	if len(idOrTag) == 8 {
		return v.tagged(strings.ToLower(idOrTag))
	}
	id := parley.ID(strings.ToUpper(idOrTag))
	off, err := v.offsetOf(id)
	if off == 0 || err != nil {
		return nil, err
	}
	return &message{id: id, off: off}, nil
}

// Counts says how many messages are open and how many unread, from the last
// record alone.
func (b *Box) Counts() (open, unread int, err error) {
	err = b.reading(func(v *view) error {
		open, unread = v.book.Open, v.book.Unread
		return nil
	})
	return open, unread, err
}
