package courier

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/proc"
)

// watch looks on after the key until the outcome is proven or its time is up.
// An idle-looking frame proves nothing; our text gone from the box, and then
// found in the CLI's own record, does.
func (w *walk) watch(ctx context.Context) *end {
	ctx, cancel := context.WithTimeout(ctx, busyTimes*leaveWithin+proofWithin)
	defer cancel()
	pressed, held := w.seen.At, w.read.Queued
	var leftAt time.Time
	var result *end
	until(ctx, lookEvery, func() bool {
		if e := w.look(ctx); e != nil && leftAt.IsZero() {
			result = e
		}
		gone := w.hasLeft()
		switch {
		case gone && leftAt.IsZero():
			leftAt, w.left = w.seen.At, true
		case !gone && w.stillOurs() == nil:
			leftAt = time.Time{} // put back into the box: it was not taken
		}
		if r := w.onRecord(pressed); r != nil {
			result = r
			return true
		}
		if result == nil && leftAt.IsZero() {
			result = w.again(ctx, pressed)
		}
		return result != nil || w.watched(pressed, leftAt, held)
	})
	if result != nil && result.outcome == parley.Submitted && leftAt.IsZero() && w.letGo(ctx) {
		leftAt = w.seen.At
	}
	if !leftAt.IsZero() {
		w.prove(parley.LeftBox)
	}
	if result == nil {
		result = w.verdict(leftAt)
	}
	return result
}

// letGo looks on after the proof until the box shows it too: a record can be
// faster than the screen, and whoever types next must not find our text there.
func (w *walk) letGo(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, proofWithin)
	defer cancel()
	until(ctx, lookEvery, func() bool {
		return w.hasLeft() || w.blocked() != "" || w.look(ctx) != nil
	})
	return w.hasLeft()
}

// hasLeft reports whether a box is in sight that no longer holds our text.
func (w *walk) hasLeft() bool {
	return w.read.Composer == dialect.Empty ||
		w.read.Composer == dialect.Draft && w.agent.Dialect.Holds(w.read, w.text.want) == dialect.MatchNone
}

// watched reports whether nothing more is to be waited for. held: the CLI drew
// before the key already that it holds a prompt, so that the mark is no proof.
func (w *walk) watched(pressed, leftAt time.Time, held bool) bool {
	if leftAt.IsZero() {
		return w.overdue(pressed, leaveWithin)
	}
	if w.read.Queued && !held {
		w.prove(parley.QueuedMark)
	}
	if w.read.Queued && (w.work || !held) {
		return true
	}
	return w.seen.At.Sub(leftAt) >= proofWithin
}

func (w *walk) verdict(leftAt time.Time) *end {
	switch {
	case !leftAt.IsZero() && (w.work || hasEvidence(w.rec, parley.QueuedMark)):
		// A CLI that says that it holds our text works, whatever else it drew.
		return &end{parley.Queued, ""}
	case !leftAt.IsZero():
		return &end{parley.Submitted, ""}
	case w.stillOurs() == nil:
		return unknown(parley.ReasonNotEntered)
	}
	return w.stopped(parley.ReasonNotEntered)
}

// again presses once more where the CLI is known to lose the key, or where the
// key was one for a turn and the turn was over when it came: on proof that
// exactly our text still stands alone, and on record. Text that had left the box
// and came back was taken once: never again.
func (w *walk) again(ctx context.Context, pressed time.Time) *end {
	after := w.agent.Dialect.Submit.AgainAfter
	if after == 0 && w.read.Turn == dialect.Idle && w.key() != w.pressed {
		after = turnOver
	}
	if after == 0 || w.repressed || w.left || w.seen.At.Sub(pressed) < after || w.stillOurs() != nil || w.blocked() != "" {
		return nil
	}
	if proc.Busy(w.agent.Proc.PID) && !w.overdue(pressed, leaveWithin) {
		return nil // it may be at the first key still
	}
	if e := w.sameProcess(); e != nil {
		return e
	}
	if err := w.attempt(ctx, parley.StepAgain); err != nil {
		return nil
	}
	w.repressed = true
	w.line.Press(context.WithoutCancel(ctx), w.seen, w.key(), w.anchor())
	return nil
}

// prove adds one piece of evidence, once.
func (w *walk) prove(e parley.Evidence) {
	if !slices.Contains(w.rec.Evidence, e) {
		w.rec.Evidence = append(w.rec.Evidence, e)
	}
}

// finish completes the receipt.
func (w *walk) finish(e *end) parley.Receipt {
	r := &w.rec
	r.Outcome, r.Reason = e.outcome, e.reason
	if e.outcome == parley.Deferred || e.outcome == parley.Gone {
		r.Touched, r.Changes = parley.None, union(w.m.Changes, nil)
	}
	slices.SortStableFunc(r.Evidence, func(a, b parley.Evidence) int { return a.Strength() - b.Strength() })
	r.Altered = len(r.Changes) > 0
	r.At = now()
	r.TookMS = time.Since(w.began).Milliseconds()
	return *r
}
