package courier

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/inbox"
	"parley/internal/roster"
	"parley/internal/term"
)

// The bounds of one walk. Each is a limit on waiting for a state, never a
// sleep in place of looking.
const (
	lookEvery   = 4 * time.Millisecond   // between looks while something is expected; one look costs 3 ms
	believeGap  = 12 * time.Millisecond  // between the two equal looks before "empty" is believed
	echoWithin  = 5 * time.Second        // pasted text is drawn; Claude Code 2.1.332 under load: up to 1.5 s
	wrongFor    = 300 * time.Millisecond // mixed text or no box for this long is no frame half drawn
	leaveWithin = 5 * time.Second        // the box lets go; idle-looking frames up to 1.5 s after the key were seen
	turnOver    = 2 * time.Second        // and then a turn is over, so that a key for turns has done nothing
	busyTimes   = 4                      // so much longer for both while the program computes: node at a load of 20 took 7 s
	proofWithin = 1 * time.Second        // the CLI's record holds the text
	calmWithin  = 300 * time.Millisecond // the program has done what it was at; idle ones are at nothing
	drawWithin  = 250 * time.Millisecond // a key that came in is drawn; quiet machines 10 to 40 ms
	// tmux knows a person's last key in whole seconds only. At this age it is a
	// quarter of a second old at least, and has been drawn; one that followed
	// would bear another second.
	personFor = 1250 * time.Millisecond
)

// end is how a walk stops.
type end struct {
	outcome parley.Outcome
	reason  parley.Reason
}

func deferred(r parley.Reason) *end { return &end{parley.Deferred, r} }
func gone(r parley.Reason) *end     { return &end{parley.Gone, r} }
func unknown(r parley.Reason) *end  { return &end{parley.Unknown, r} }

// walk is one delivery of one message while its target's lock is held.
type walk struct {
	c      *Courier
	box    *inbox.Box
	line   term.Terminal
	member roster.Member
	m      parley.Message
	began  time.Time

	agent roster.Agent
	text  typed
	seen  term.Snapshot   // the last look, which the next paste or press is compared with
	read  dialect.Reading // what it says
	work  bool            // the agent worked when we pasted or pressed: beside our text it may not show
	rec   parley.Receipt

	logged    bool // an attempt is on record
	pressed   term.Key
	left      bool      // our text was seen gone from the box
	repressed bool      // the one further press was made
	records   []string  // of the CLI, before anything was typed, best first
	ends      ends      // of the CLI's records before anything was typed
	recordAt  time.Time // when the CLI's record was last looked at
	session   string    // the conversation in which our text was found
	lost      bool      // the agent that was meant is not there any more
	residue   bool      // the text was found in the box, left by an attempt that had ended
}

// run carries the message and returns its receipt, which is not yet written.
// An error means that an attempt could not be logged: nothing was typed.
func (w *walk) run(ctx context.Context) (parley.Receipt, error) {
	w.rec = receiptFor(w.m)
	if e := w.mayTouch(ctx); e != nil {
		return w.finish(e), nil
	}
	if w.seen.State.PersonAt.IsZero() && w.c.mayBegin(w.member.Target) {
		return w.finish(deferred(parley.ReasonTyping)), nil
	}
	w.work = w.read.Turn == dialect.Working
	w.text = compose(w.m, w.agent.Dialect)
	if slices.ContainsFunc(w.text.pastes, w.agent.Dialect.TooMuch) {
		return w.finish(deferred(parley.ReasonTooLong)), nil
	}
	w.expect()
	if err := w.attempt(ctx, parley.StepPaste); err != nil {
		return w.rec, err
	}
	// From here on something may have been typed: every way out is a receipt.
	if e := w.paste(ctx); e != nil {
		return w.finish(e), nil
	}
	if e := w.settle(ctx); e != nil {
		return w.finish(e), nil
	}
	if err := w.attempt(ctx, parley.StepPress); err != nil {
		return w.finish(unknown(parley.ReasonInterrupted)), nil
	}
	if e := w.press(ctx); e != nil {
		return w.finish(e), nil
	}
	return w.finish(w.watch(ctx)), nil
}

// expect notes, before the text or its key goes in, what the CLI will make of
// the text and where its record ends.
func (w *walk) expect() {
	_, changes := w.agent.Dialect.Expected(w.text.whole, len(w.text.pastes) > 1)
	w.rec.Changes = union(w.text.changes, changes)
	w.records, w.ends = recordsNow(w.agent)
}

// attempt logs what is about to be typed, before it is.
func (w *walk) attempt(ctx context.Context, s parley.Step) error {
	w.logged = true
	a := parley.Attempt{ID: w.m.ID, Step: s, At: now(), Target: w.agent.Identity, CLI: w.agent.Dialect.CLI, Residue: w.residue}
	if s == parley.StepPaste {
		a.Records = w.records[:min(len(w.records), recordsNoted)]
	}
	return w.box.Attempt(a)
}

// paste types the text, guarded by the look that allowed it. A refusal means
// that the screen moved in between: look again, a few times.
func (w *walk) paste(ctx context.Context) *end {
	for _, group := range w.groups() {
		if e := w.pasteGroup(ctx, group); e != nil {
			return e
		}
	}
	return nil
}

// group is what goes in with one guarded paste, and what must then be seen.
type group struct {
	texts []string
	want  dialect.Wanted
}

// groups are the pastes in turn. The body comes only when the signature was
// seen: two pastes in one read stall in Codex (0.171.0, 20 of 20) and merge in
// Claude Code (2.0.20, 20 of 20).
func (w *walk) groups() []group {
	t := w.text
	if len(t.pastes) == 1 {
		return []group{{t.pastes, t.want}}
	}
	first := dialect.Wanted{Body: t.pastes[0], Whole: t.pastes[0], Tag: t.tag}
	return []group{{t.pastes[:1], first}, {t.pastes[1:], t.want}}
}

func (w *walk) pasteGroup(ctx context.Context, g group) *end {
	const tries = 5
	for range tries {
		w.calm(ctx)
		applied, _ := w.line.Paste(context.WithoutCancel(ctx), w.seen, g.texts...)
		if applied != term.Refused {
			w.rec.Touched = parley.Pasted
			return w.ownText(ctx, g.want, applied == term.Unsure)
		}
		if w.rec.Touched != parley.None {
			return w.stopped(parley.ReasonMixed) // the box changed under our own signature
		}
		if e := w.mayTouch(ctx); e != nil {
			return e
		}
	}
	return deferred(parley.ReasonMoved)
}

// ownText waits until exactly our text stands alone in the box.
func (w *walk) ownText(ctx context.Context, want dialect.Wanted, unsure bool) *end {
	ctx, cancel := context.WithTimeout(ctx, busyTimes*echoWithin)
	defer cancel()
	var stop *end
	var match dialect.Match
	var wrongSince time.Time
	from := time.Now()
	until(ctx, lookEvery, func() bool {
		if stop = w.look(ctx); stop != nil {
			return true
		}
		match = w.holds(want)
		wrong := match == dialect.MatchMixed || match == dialect.MatchNone && w.blocked() != ""
		switch {
		case !wrong:
			wrongSince = time.Time{}
		case wrongSince.IsZero():
			wrongSince = w.seen.At
		}
		return match >= dialect.MatchPart || wrong && w.seen.At.Sub(wrongSince) >= wrongFor || w.overdue(from, echoWithin)
	})
	switch {
	case stop != nil:
		return stop
	case match == dialect.MatchWhole:
		w.prove(parley.InBox)
		return nil
	case match == dialect.MatchPart:
		w.prove(parley.InBoxPart)
		return nil
	case match == dialect.MatchMixed:
		return unknown(parley.ReasonMixed)
	case unsure:
		return unknown(parley.ReasonTerminal)
	case w.blocked() != "":
		return unknown(w.blocked())
	}
	return unknown(parley.ReasonNoEcho)
}

// settle waits the CLI's own time between text shown and text taken.
func (w *walk) settle(ctx context.Context) *end {
	d := w.agent.Dialect.Submit.Settle
	if d == 0 {
		return nil
	}
	return w.watchFor(ctx, d)
}

// watchFor looks on for a time and says what is wrong if at its end our text
// does not stand alone any more.
func (w *walk) watchFor(ctx context.Context, d time.Duration) *end {
	ctx, cancel := context.WithTimeout(ctx, d+echoWithin)
	defer cancel()
	from := w.seen.At
	var stop *end
	until(ctx, lookEvery, func() bool {
		stop = w.look(ctx)
		return stop != nil || w.seen.At.Sub(from) >= d
	})
	if stop != nil {
		return stop
	}
	return w.stillOurs()
}

// press asks for the one key, guarded by the look that showed our text alone.
func (w *walk) press(ctx context.Context) *end {
	const tries = 5
	for range tries {
		if e := w.sameProcess(); e != nil {
			return e
		}
		w.work = w.work || w.read.Turn == dialect.Working
		w.calm(ctx)
		w.pressed = w.key()
		applied, _ := w.line.Press(context.WithoutCancel(ctx), w.seen, w.pressed, w.anchor())
		if applied != term.Refused {
			w.rec.Touched = parley.Entered
			return nil // applied or unsure: what the box shows next decides
		}
		// Something moved since the look: perhaps a person's key that is not
		// drawn yet. Give it the time to show before it is tried again.
		if e := w.watchFor(ctx, drawWithin); e != nil {
			return e
		}
	}
	return unknown(parley.ReasonMoved)
}

// stillOurs says what is wrong if the last look no longer shows our text alone.
func (w *walk) stillOurs() *end {
	switch w.holds(w.text.want) {
	case dialect.MatchWhole, dialect.MatchPart:
		return nil
	case dialect.MatchMixed:
		return unknown(parley.ReasonMixed)
	}
	return w.stopped(parley.ReasonMixed)
}

// stopped is unknown for the reason that the screen gives, else for another.
func (w *walk) stopped(other parley.Reason) *end {
	if why := w.blocked(); why != "" {
		return unknown(why)
	}
	return unknown(other)
}

// anchor is the run of our text that must still stand where it stood when the
// key is applied: the tag, or where a narrow box wraps it, its longest piece
// that stands on one row of the screen alone.
func (w *walk) anchor() string {
	tag := w.text.tag
	pieces := []string{tag, strings.TrimSpace(w.text.want.Signature)}
	for n := len(tag) - 1; n >= 4; n-- {
		pieces = append(pieces, tag[:n], tag[len(tag)-n:])
	}
	for _, p := range pieces {
		if rows := w.rowsWith(p); p != "" && len(rows) == 1 && rows[0] >= w.read.Box.Top && rows[0] < w.read.Box.Bottom {
			return p
		}
	}
	return ""
}

// rowsWith lists the rows of the last screen that hold a text.
func (w *walk) rowsWith(text string) (rows []int) {
	for y := range w.seen.Screen.Rows {
		if strings.Contains(w.seen.Screen.Row(y), text) {
			rows = append(rows, y)
		}
	}
	return rows
}

// key is the one key that submits in this version of the CLI, as it is now.
func (w *walk) key() term.Key {
	return term.Key(w.agent.Dialect.SubmitKey(w.agent.Version, w.read.Turn))
}
