package courier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
	"parley/internal/inbox"
	"parley/internal/roster"
	"parley/internal/term"
)

// Patience says how long a delivery may wait for a draft, a dialog, a lock or
// the end of a turn before it is deferred. Zero is one look.
type Patience struct{ Wait time.Duration }

const (
	retryEvery = 150 * time.Millisecond // between looks at a box that is not free
	walkWithin = 30 * time.Second       // another sender's walk of the same message has its end
)

// Deliver carries one saved message, and before it every older open one to the
// same name, oldest first. The receipt is on disk when it returns, but for that
// of a message which somebody else is typing and does not end. It may be called again for a deferred message; an ended one gives its receipt back.
// The error is for what could not be recorded.
func (c *Courier) Deliver(ctx context.Context, to parley.Name, id parley.ID, p Patience) (parley.Receipt, error) {
	box := c.Inbox(to)
	d := &delivery{c: c, box: box, to: to, id: id, began: time.Now(), until: time.Now().Add(p.Wait), strange: map[string]bool{}}
	return d.run(ctx)
}

// delivery is one call of Deliver: looks, waits and looks again.
type delivery struct {
	c     *Courier
	box   *inbox.Box
	to    parley.Name
	id    parley.ID
	mine  parley.Message
	began time.Time
	until time.Time
	every time.Duration // to the next pass

	strange map[string]bool // tags in the box that no inbox knows
}

func (d *delivery) run(ctx context.Context) (parley.Receipt, error) {
	t := d.tries(ctx, d.until)
	if t.err != nil || t.ended {
		return t.r, t.err
	}
	if t = d.closed(deferred(t.r.Reason)); t.err != nil || t.ended {
		return t.r, t.err
	}
	// Somebody types this very message: its end is near, and is ours too.
	if t = d.tries(ctx, time.Now().Add(walkWithin)); t.err != nil || t.ended {
		return t.r, t.err
	}
	r := receiptFor(d.mine)
	r.Outcome, r.Reason, r.Touched = parley.Unknown, parley.ReasonInterrupted, parley.Pasted
	return r, nil
}

// tries makes passes until one has an end, or none can be hoped for.
func (d *delivery) tries(ctx context.Context, end time.Time) (t try) {
	wait, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	paced(wait, func() time.Duration { return d.every }, func() bool {
		d.every = retryEvery
		t = d.once(ctx)
		if t.err == nil && !t.ended {
			d.c.cfg.Notice(Waiting{For: d.to, Why: t.r.Reason, Since: d.began, Until: end})
		}
		return t.ended || t.err != nil || !waitable(t.r.Reason)
	})
	return t
}

// waitable reports whether what holds a delivery up can pass by itself.
func waitable(r parley.Reason) bool {
	switch r {
	case parley.ReasonUnproven, parley.ReasonPaused, parley.ReasonTooLong:
		return false
	}
	return true
}

// try is one pass: the receipt that is on disk (ended), or the deferral that
// stands if nothing changes, or an error that kept anything from being recorded.
type try struct {
	r     parley.Receipt
	ended bool
	err   error
}

// once makes one pass under the target's lock.
func (d *delivery) once(ctx context.Context) try {
	e, found, err := d.box.Find(string(d.id))
	if err != nil || !found {
		return try{err: errors.Join(err, notFound(found, string(d.id)))}
	}
	d.mine = e.Message
	if t, ok := d.standing(e); ok {
		return t
	}
	member, known, err := d.c.roster.Member(d.to)
	if err != nil {
		return try{err: err}
	}
	if !known {
		return d.lost(ctx, e, parley.ReasonNoAgent)
	}
	line, err := d.c.cfg.Dial(member.Target)
	if err != nil {
		return try{err: err}
	}
	lockUntil, cancel := context.WithDeadline(ctx, d.until)
	defer cancel()
	held, release, err := line.Hold(lockUntil)
	switch {
	case errors.Is(err, term.ErrNoPane):
		return d.lost(ctx, e, parley.ReasonNotAnAgent)
	case errors.Is(err, term.ErrLocked):
		return d.held(parley.ReasonLocked)
	case err != nil:
		return try{err: fmt.Errorf("lock %s: %w", member.Target, err)}
	}
	defer release()
	if d.c.usurped(ctx, member) { // under its lock: an open attempt is nobody's any more
		return d.lost(ctx, e, parley.ReasonWrongProcess)
	}
	return d.underLock(ctx, held, member)
}

// standing is the end that a message has without another look at its agent.
func (d *delivery) standing(e inbox.Entry) (t try, ok bool) {
	switch {
	case ended(e):
		return try{r: *e.Receipt, ended: true}, true
	case e.Tried:
		return t, false
	case e.Message.Mailbox: // its sender died before it wrote this
		return d.closed(&end{parley.Saved, ""}), true
	case e.Read:
		return d.closed(deferred(parley.ReasonRead)), true
	}
	return t, false
}

// lost closes a message whose agent is not to be found; an attempt that stands
// open has touched it all the same.
func (d *delivery) lost(ctx context.Context, e inbox.Entry, why parley.Reason) try {
	if !e.Tried {
		return d.closed(gone(why))
	}
	s := settler{c: d.c, box: d.box, line: viewOnly{nowhere{}}}
	if err := s.attempt(ctx, e); err != nil {
		return try{err: err}
	}
	return d.now()
}

// now is the message's end if it has one by now.
func (d *delivery) now() try {
	e, found, err := d.box.Find(string(d.id))
	if err != nil || !found {
		return try{err: errors.Join(err, notFound(found, string(d.id)))}
	}
	if t, ok := d.standing(e); ok {
		return t
	}
	return d.held(parley.ReasonMoved)
}

// underLock settles what earlier senders left, then carries the open messages
// in order until ours has its end or one of them cannot go.
func (d *delivery) underLock(ctx context.Context, line term.Terminal, m roster.Member) try {
	s := settler{c: d.c, box: d.box, line: line, member: m, types: true, strange: d.strange}
	if err := s.run(ctx); err != nil {
		return try{err: err}
	}
	open, err := d.box.OpenMessages()
	if err != nil {
		return try{err: err}
	}
	for _, e := range open {
		if e.Message.ID > d.id {
			break
		}
		if !typeable(e) {
			continue
		}
		w, r, err := d.carry(ctx, &s, e.Message)
		if err != nil {
			return try{err: err}
		}
		if r.Outcome != parley.Deferred || w.logged {
			if err := d.box.Receipt(r); err != nil {
				return try{err: unrecorded(r, err)}
			}
		}
		if r.Reason == parley.ReasonTooLong && e.Message.ID != d.id {
			continue // it lies in that message alone, and no waiting changes it
		}
		if r.Outcome == parley.Deferred {
			if r.Reason == parley.ReasonDraft && w.seen.State.PersonAt.IsZero() {
				d.c.noteDraft(m.Target)
				d.every = draftEvery
			}
			return d.held(r.Reason)
		}
		if e.Message.ID == d.id {
			return try{r: r, ended: true}
		}
		if r.Outcome != parley.Submitted {
			d.c.tell(ctx, e.Message, r)
		}
	}
	return d.now() // ours was closed by the settler, or by somebody in between
}

// carry walks with one message; where the text of an earlier one is in its way,
// once more when that is settled.
func (d *delivery) carry(ctx context.Context, s *settler, m parley.Message) (*walk, parley.Receipt, error) {
	const tries = 3
	for n := 1; ; n++ {
		w := &walk{c: d.c, box: d.box, line: s.line, member: s.member, m: m, began: d.startOf(m)}
		r, err := w.run(ctx)
		if err != nil || r.Reason != parley.ReasonResidue || n == tries {
			return w, r, err
		}
		if settled, err := s.residue(ctx); err != nil || !settled {
			return w, r, err
		}
	}
}

// startOf is when the walk of a message began for the one who waits: our own
// from the call, an older one from now.
func (d *delivery) startOf(m parley.Message) time.Time {
	if m.ID == d.id {
		return d.began
	}
	return time.Now()
}

// held is the deferral of our own message.
func (d *delivery) held(why parley.Reason) try {
	r := receiptFor(d.mine)
	r.Outcome, r.Reason = parley.Deferred, why
	return try{r: r}
}

// closed writes the receipt of a walk that typed nothing, unless somebody else
// has typed the message meanwhile or is typing it now.
func (d *delivery) closed(e *end) try {
	r := receiptFor(d.mine)
	r.Outcome, r.Reason, r.TookMS = e.outcome, e.reason, time.Since(d.began).Milliseconds()
	ok, err := d.box.Untyped(r)
	if err == nil && !ok {
		return d.held(parley.ReasonLocked)
	}
	return try{r: r, ended: ok, err: err}
}

// Unrecorded is the error of an end that could not be written down.
type Unrecorded struct {
	Receipt parley.Receipt
	Err     error
}

func (u Unrecorded) Error() string {
	return fmt.Sprintf("%s was %s (touched: %s), and that could not be recorded; do not send it again: %v",
		u.Receipt.ID, u.Receipt.Outcome, u.Receipt.Touched, u.Err)
}

func (u Unrecorded) Unwrap() error { return u.Err }

// unrecorded is nothing to tell apart where nothing was typed.
func unrecorded(r parley.Receipt, err error) error {
	if r.Touched == parley.None {
		return err
	}
	return Unrecorded{r, err}
}

func notFound(found bool, id string) error {
	if found {
		return nil
	}
	return fmt.Errorf("no message %s", id)
}
