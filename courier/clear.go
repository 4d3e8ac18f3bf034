package courier

import (
	"context"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/screen"
	"parley/internal/term"
)

// takenWithin is how long a key may take to show; Claude Code 2.1.332 at load
// 14: up to 373 ms.
const takenWithin = 3 * time.Second

// clearing takes texts out of a box, key by key.
type clearing struct {
	s    *settler
	w    *walk
	st   *standing
	keys int
}

// clear takes the text out of the box by the dialect's key. A look before each
// key must show the text, or whole rows of its beginning, and nothing else.
func (s *settler) clear(ctx context.Context, w *walk, st *standing) (settled bool, err error) {
	c := &clearing{s: s, w: w, st: st}
	w.residue = true
	if !c.rests(ctx) || s.notNow(w) {
		return false, nil
	}
	// A key takes a row or a newline: no text needs more of them than this.
	for limit := 2*(strings.Count(w.read.Draft, "\n")+1) + 4; ; {
		if c.keys == limit {
			return false, c.gaveUp(whyNoEffect)
		}
		why, err := c.key(ctx)
		switch {
		case err != nil:
			return false, err
		case why == whyNoEffect:
			return false, c.gaveUp(why)
		case why != "": // open as long as the rest may stand there
			return false, c.s.stays(w, st.texts, why)
		case w.read.Composer == dialect.Empty:
			return true, c.done(ctx)
		}
	}
}

// rests looks on for as long as a key takes to be drawn: the text stands still.
func (c *clearing) rests(ctx context.Context) bool {
	was := c.w.read
	ctx, cancel := context.WithTimeout(ctx, drawWithin+echoWithin)
	defer cancel()
	from := c.w.seen.At
	same := true
	until(ctx, lookEvery, func() bool {
		same = c.w.look(ctx) == nil && c.w.blocked() == "" && c.w.read.Draft == was.Draft && dialect.Remains(was, c.w.read)
		return !same || c.w.seen.At.Sub(from) >= drawWithin
	})
	return same
}

// key asks for the key once and waits until it shows. It says why it must stop;
// nothing if the box is empty or holds the beginning of what it held.
func (c *clearing) key(ctx context.Context) (why string, err error) {
	const tries = 5
	for range tries {
		if c.w.sameProcess() != nil {
			return whyProcess, nil
		}
		c.w.calm(ctx)
		if err := c.logged(); err != nil {
			return "", err
		}
		before := c.w.read
		at := c.w.seen.Screen.Cursor
		applied, _ := c.w.line.Clear(context.WithoutCancel(ctx), c.w.seen, c.w.clearKey(), c.w.foothold())
		if applied != term.Refused {
			c.keys++
			why := c.shows(ctx, before, at)
			if why == whyNoEffect && applied == term.Unsure {
				why = string(parley.ReasonTerminal) // it may never have been pressed
			}
			return why, nil
		}
		if !c.rests(ctx) || c.s.notNow(c.w) {
			return whyMixed, nil
		}
	}
	return string(parley.ReasonMoved), nil
}

// logged puts the key on record before it is asked for.
func (c *clearing) logged() error {
	for _, l := range c.st.texts {
		a := parley.Attempt{ID: l.e.Message.ID, Step: parley.StepClear, At: now(), Target: c.w.agent.Identity, CLI: c.w.agent.Dialect.CLI, Residue: true}
		if err := l.box.Attempt(a); err != nil {
			return err
		}
	}
	return nil
}

// shows waits until the key has changed the box.
func (c *clearing) shows(ctx context.Context, before dialect.Reading, at screen.Cursor) (why string) {
	ctx, cancel := context.WithTimeout(ctx, takenWithin)
	defer cancel()
	var wrongSince time.Time
	why = whyNoEffect
	until(ctx, lookEvery, func() bool {
		if c.w.look(ctx) != nil {
			why = whyProcess
			return true
		}
		rest := dialect.Remains(before, c.w.read) && c.w.blocked() == ""
		switch {
		case c.w.read.Composer == dialect.Empty && c.w.blocked() == "",
			rest && (c.w.read.Draft != before.Draft || c.w.read.Box != before.Box || c.w.seen.Screen.Cursor != at):
			why = ""
			return true
		case rest:
			wrongSince = time.Time{}
			return false
		case wrongSince.IsZero():
			wrongSince = c.w.seen.At
		}
		if c.w.seen.At.Sub(wrongSince) < wrongFor {
			return false
		}
		why = whyMixed
		return true
	})
	return why
}

// clearKey takes text out of the box in this version of the CLI; "" if none is
// known to.
func (w *walk) clearKey() term.Key { return term.Key(w.agent.Dialect.ClearKey(w.agent.Version)) }

// foothold is a run of the text that stands on one row of the screen alone, as
// far down in the box as there is one: what must still be there when the key is
// applied.
func (w *walk) foothold() string {
	const least, most = 3, 60
	for y := w.read.Box.Bottom - 1; y >= w.read.Box.Top; y-- {
		text := w.seen.Screen.Span(y, w.read.Box.Left, w.read.Box.Right)
		for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
			run = strings.TrimSpace(run)
			run = strings.TrimSpace(run[max(0, len(run)-most):])
			if len(run) >= least && len(w.rowsWith(run)) == 1 {
				return run
			}
		}
	}
	return ""
}

// done ends the clearing: the box was seen to be empty.
func (c *clearing) done(ctx context.Context) error {
	why := c.st.reason(c.w)
	for _, l := range c.st.texts {
		if err := l.ended(ctx, c.s.member.Target, note{Did: didClear, Why: why, Keys: c.keys}, l.closing(parley.ReasonCleared)); err != nil {
			return err
		}
	}
	return nil
}

// gaveUp closes what the key did not take out: it is not tried again.
func (c *clearing) gaveUp(why string) error {
	if err := c.s.stays(c.w, c.st.texts, why); err != nil {
		return err
	}
	for _, l := range c.st.texts {
		r := l.closing(parley.ReasonInterrupted)
		if l.e.Receipt != nil && l.e.Receipt.Reason != "" {
			r.Reason = l.e.Receipt.Reason
		}
		if err := l.box.Receipt(r); err != nil {
			return err
		}
	}
	return nil
}

// closing is the receipt of a text that was typed and is not known to have been
// taken.
func (l left) closing(why parley.Reason) parley.Receipt {
	r := receiptFor(l.e.Message)
	r.Outcome, r.Reason, r.Touched = parley.Unknown, why, parley.Pasted
	if wasPressed(l.e) {
		r.Touched = parley.Entered
	}
	if l.e.Receipt != nil {
		r.Evidence = l.e.Receipt.Evidence
	}
	return r
}
