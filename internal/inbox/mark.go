package inbox

import (
	"cmp"
	"slices"

	"parley"
)

// Attempt records that something is about to be typed.
func (b *Box) Attempt(a parley.Attempt) error {
	return b.one(a.ID, func(w *writer, _ State) *Record {
		if a.At.IsZero() {
			a.At = w.time
		}
		return &Record{Kind: KindAttempt, Attempt: &a}
	})
}

// Receipt records what came of a delivery. A later receipt stands above an
// earlier one, also where that one had closed the message.
func (b *Box) Receipt(r parley.Receipt) error {
	return b.one(r.ID, func(w *writer, _ State) *Record { return w.receipt(&r) })
}

// Untyped records a receipt which says that nothing was typed. It records
// nothing, and ok is false, if the message has been typed meanwhile or is being
// typed this moment: such a receipt would have it typed again.
func (b *Box) Untyped(r parley.Receipt) (ok bool, err error) {
	err = b.one(r.ID, func(w *writer, s State) *Record {
		if ok = s.Untyped(); !ok {
			return nil
		}
		return w.receipt(&r)
	})
	return ok, err
}

func (w *writer) receipt(r *parley.Receipt) *Record {
	if r.At.IsZero() {
		r.At = w.time
	}
	return &Record{Kind: KindReceipt, Receipt: r}
}

// Fact records something learned later. A message is read once: a second Read
// fact is not recorded.
func (b *Box) Fact(f parley.Fact) error {
	if f.Kind == parley.Read {
		return b.mark(f, f.ID)
	}
	return b.one(f.ID, func(w *writer, _ State) *Record {
		if f.At.IsZero() {
			f.At = w.time
		}
		return &Record{Kind: KindFact, Fact: &f}
	})
}

// MarkRead records that by pulled these messages, with one write for all. Ids
// that are read already are left out.
func (b *Box) MarkRead(by parley.Name, ids ...parley.ID) error {
	return b.mark(parley.Fact{Kind: parley.Read, By: by}, ids...)
}

// one appends what is made of a message's state; nothing if that is nil.
func (b *Box) one(id parley.ID, what func(w *writer, s State) *Record) error {
	if err := b.exists(); err != nil {
		return err
	}
	return b.append(func(w *writer) error {
		m, err := w.locate(id)
		if err != nil {
			return err
		}
		if m == nil {
			return ErrNoMessage
		}
		r := what(w, m.state)
		if r == nil {
			return nil
		}
		return w.record(m, r)
	})
}

// many is how many messages are looked up one by one; above it the file is
// read once from the oldest of them on.
const many = 8

func (b *Box) mark(f parley.Fact, ids ...parley.ID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := b.exists(); err != nil {
		return err
	}
	return b.append(func(w *writer) error {
		ms, err := w.located(ids)
		if err != nil {
			return err
		}
		for _, m := range ms {
			if m.state.Read || w.changed[m.id].id != "" {
				continue
			}
			f := f
			f.ID = m.id
			if f.At.IsZero() {
				f.At = w.time
			}
			if err := w.record(m, &Record{Kind: KindFact, Fact: &f}); err != nil {
				return err
			}
		}
		return nil
	})
}

// located finds messages, oldest first.
func (w *writer) located(ids []parley.ID) ([]*message, error) {
	var ms []*message
	if len(ids) <= many {
		for _, id := range ids {
			m, err := w.locate(id)
			if err == nil && m == nil {
				err = ErrNoMessage
			}
			if err != nil {
				return nil, err
			}
			ms = append(ms, m)
		}
		slices.SortFunc(ms, func(a, b *message) int { return cmp.Compare(a.off, b.off) })
		return ms, nil
	}
	want := map[parley.ID]bool{}
	for _, id := range ids {
		want[id] = true
	}
	off, err := w.offsetOf(slices.Min(ids))
	if err != nil || off == 0 {
		return nil, cmp.Or(err, ErrNoMessage)
	}
	all, err := w.fold(off)
	for _, m := range all {
		if want[m.id] {
			ms = append(ms, m)
		}
	}
	if err == nil && len(ms) < len(want) {
		err = ErrNoMessage
	}
	return ms, err
}

// record adds a record about m and brings the book up to date.
func (w *writer) record(m *message, r *Record) error {
	was := m.state
	now := message{id: m.id, off: m.off, last: w.next, sum: m.sum, state: was.after(r)}
	r.ID, r.At, r.Prev, r.State = m.id, w.time, m.last, now.state
	w.changed[m.id] = now
	w.book.openness(m.off, w.next, m.sum, was.Open(), now.state.Open())
	if len(w.book.Opens) == 0 && w.book.Open > 0 {
		all, err := w.folded(w.book.Rest)
		if err != nil {
			return err
		}
		w.book.relist(all)
	}
	if now.state.Read && !was.Read {
		if err := w.pulled(m.off); err != nil {
			return err
		}
	}
	bk := w.book
	r.Book = &bk
	return w.add(r)
}

// folded is fold with what is about to be written laid over it.
func (w *writer) folded(off int64) ([]*message, error) {
	all, err := w.fold(off)
	for _, m := range all {
		if c, ok := w.changed[m.id]; ok {
			c.sum = m.sum
			*m = c
		}
	}
	return all, err
}

// pulled notes that the message at off is not unread any more.
func (w *writer) pulled(off int64) error {
	w.book.Unread--
	if off != w.book.Oldest {
		return nil
	}
	if w.book.Unread == 0 {
		w.book.Oldest = 0
		return nil
	}
	if w.unread == nil {
		all, err := w.fold(off)
		if err != nil {
			return err
		}
		w.unread = all
	}
	for len(w.unread) > 0 {
		m := w.unread[0]
		if !m.state.Read && !w.changed[m.id].state.Read {
			w.book.Oldest = m.off
			return nil
		}
		w.unread = w.unread[1:]
	}
	return errBook
}
