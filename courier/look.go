package courier

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/proc"
	"parley/internal/roster"
	"parley/internal/term"
)

// mayTouch looks until two equal looks agree that the box is empty and the
// process is the one that was meant. Otherwise it says why not.
func (w *walk) mayTouch(ctx context.Context) *end {
	const tries = 8
	var last string
	var stop *end
	looks := 0
	agree := until(ctx, believeGap, func() bool {
		if stop = w.lookAndJudge(ctx); stop != nil {
			return true
		}
		looks++
		equal := looks > 1 && last == w.seen.Seen
		last = w.seen.Seen
		if !equal && looks == tries {
			stop = deferred(parley.ReasonMoved)
		}
		return equal || stop != nil
	})
	if !agree {
		return deferred(parley.ReasonMoved) // the caller gave up between two looks
	}
	return stop
}

// lookAndJudge takes one look and judges everything that must hold before the
// first byte: the process, the terminal's state, the screen.
func (w *walk) lookAndJudge(ctx context.Context) *end {
	seen, err := w.line.Look(ctx)
	if errors.Is(err, term.ErrNoPane) {
		return gone(parley.ReasonNotAnAgent)
	}
	if err != nil {
		return deferred(parley.ReasonTerminal)
	}
	w.seen = seen
	if e := w.judgeProcess(seen); e != nil {
		return e
	}
	w.read = w.agent.Dialect.Read(seen.Screen, w.agent.Version) // copy mode and the like hide nothing of it
	if e := w.judgeState(seen); e != nil {
		return e
	}
	switch {
	case !w.c.mayTypeBy(w.agent.Dialect):
		return deferred(parley.ReasonUnproven)
	case w.read.Composer == dialect.Draft && hasTag(w.read.Draft):
		return deferred(parley.ReasonResidue)
	case !w.read.MayType:
		return deferred(w.read.Reason)
	case w.m.When == "idle" && w.read.Turn != dialect.Idle:
		return deferred(parley.ReasonWorking)
	}
	return nil
}

// mayTypeBy reports whether a dialect is proven, or the person accepts that it
// is not.
func (c *Courier) mayTypeBy(d *dialect.Dialect) bool {
	return d.Proven() || slices.Contains(c.cfg.Unproven, d.CLI)
}

func (w *walk) judgeProcess(seen term.Snapshot) *end {
	if !roster.SamePlace(w.m.Meant, seen.Identity) {
		return gone(parley.ReasonWrongProcess)
	}
	if seen.State.Dead {
		return gone(parley.ReasonNotAnAgent)
	}
	agent, why, err := w.c.cfg.Identify(w.c.dialects, seen.Identity)
	switch {
	case err != nil:
		return deferred(parley.ReasonTerminal)
	case why == parley.ReasonNotAnAgent:
		return gone(why)
	case agent.Identity != w.m.Meant:
		return gone(parley.ReasonWrongProcess)
	case why != "":
		return deferred(why)
	}
	w.agent = agent
	return nil
}

func (w *walk) judgeState(seen term.Snapshot) *end {
	st := seen.State
	switch {
	case st.InMode:
		return deferred(parley.ReasonCopyMode)
	case st.Synchronized:
		return deferred(parley.ReasonSynchronized)
	case st.InputOff:
		return deferred(parley.ReasonInputOff)
	case !st.PersonAt.IsZero() && seen.At.Sub(st.PersonAt) < personFor:
		return deferred(parley.ReasonTyping)
	}
	if line, err := proc.Canonical(seen.Identity.TTY); err == nil && line {
		return deferred(parley.ReasonLineMode)
	}
	return nil
}

// look takes one look after something was typed. The terminal's identity must
// be what it was; a failed look is tried again by whoever waits.
func (w *walk) look(ctx context.Context) *end {
	seen, err := w.line.Look(ctx)
	if errors.Is(err, term.ErrNoPane) {
		return unknown(parley.ReasonNotAnAgent)
	}
	if err != nil {
		return nil
	}
	if seen.Identity != w.seen.Identity {
		return unknown(parley.ReasonWrongProcess)
	}
	w.seen = seen
	w.read = w.agent.Dialect.Read(seen.Screen, w.agent.Version)
	return nil
}

// sameProcess asks the OS again who has the keys: tmux cannot know.
func (w *walk) sameProcess() *end {
	agent, why, err := w.c.cfg.Identify(w.c.dialects, w.seen.Identity)
	if err != nil || why != "" || agent.Identity != w.agent.Identity {
		return unknown(parley.ReasonWrongProcess)
	}
	return nil
}

// calm waits until the agent computes nothing: one that does may have read a
// key that it has not drawn. What it draws meanwhile, the guard sees.
func (w *walk) calm(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, calmWithin)
	defer cancel()
	until(ctx, calmEvery, func() bool { return !proc.Busy(w.agent.Proc.PID) })
}

const calmEvery = 2 * time.Millisecond

// overdue reports whether what was to come within d from then on has had its
// time: several times as much while the agent computes or waits for a processor.
func (w *walk) overdue(from time.Time, d time.Duration) bool {
	past := time.Since(from)
	return past >= busyTimes*d || past >= d && !proc.Busy(w.agent.Proc.PID)
}

// blocked is the reason why a key would not go into a box of ours, whatever the
// last look shows in it: a dialog, a menu, another mode, copy mode. Empty if
// only the box's text decides.
func (w *walk) blocked() parley.Reason {
	switch {
	case w.seen.State.InMode:
		return parley.ReasonCopyMode
	case w.read.Turn == dialect.Asking:
		return parley.ReasonAsking
	case w.read.Reason == parley.ReasonDraft, w.read.Reason == parley.ReasonWorking:
		return ""
	}
	return w.read.Reason
}

// holds says how the box stands to our text, if a key could go into it at all.
func (w *walk) holds(want dialect.Wanted) dialect.Match {
	if w.blocked() != "" {
		return dialect.MatchNone
	}
	return w.agent.Dialect.Holds(w.read, want)
}

// tagShape is a tag as parley writes it: eight signs of an id in lower case.
var tagShape = regexp.MustCompile(`\[#[0-9a-hjkmnp-tv-z]{8}\]`)

// hasTag reports whether a text holds a tag, also one that a narrow box wraps.
func hasTag(s string) bool { return tagShape.MatchString(strings.ReplaceAll(s, "\n", "")) }
