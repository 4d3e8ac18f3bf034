package courier

import (
	"fmt"

	"parley"
	"parley/internal/inbox"
)

// steps is the table of a message's legal steps: from a state, by a record, to
// the state that the inbox holds next. What is not here must never be written.
var steps = map[string]string{
	"new + attempt paste":     "tried",
	"new + receipt saved":     "saved",
	"new + receipt deferred":  "deferred",
	"new + receipt gone":      "gone",
	"tried + attempt press":   "tried",
	"tried + attempt again":   "tried",
	"tried + attempt clear":   "tried", // what a killed sender left in the box
	"tried + receipt unknown": "unknown",
	"tried + receipt gone":    "gone", // refused by the guard, and then the process was not there

	"tried + receipt deferred":    "deferred", // refused by the guard: nothing was typed
	"tried + receipt submitted":   "submitted",
	"tried + receipt queued":      "queued",
	"deferred + attempt paste":    "tried",
	"deferred + receipt gone":     "gone",
	"queued + attempt again":      "tried",
	"queued + receipt unknown":    "unknown", // mixed, or not landed
	"unknown + receipt submitted": "submitted",
	"unknown + attempt press":     "tried", // its text stood in the box, and had no key yet
	"unknown + attempt clear":     "tried",

	"deferred + receipt deferred": "deferred",
}

// facts may follow these states and change none.
var facts = map[parley.FactKind][]string{
	parley.Read: {"new", "tried", "saved", "deferred", "gone", "submitted", "queued", "unknown"},
	parley.Seen: {"submitted", "queued"},
}

func stateWord(s inbox.State) string {
	switch {
	case s.Tried:
		return "tried"
	case s.Outcome == "":
		return "new"
	}
	return string(s.Outcome)
}

// legal holds a message's whole log against the table.
func (w *world) legal(id parley.ID) {
	w.Helper()
	log, err := w.c.Inbox("buddy").Log(string(id))
	must(w, err)
	state, presses, keys, typed := "", 0, 0, false
	for _, r := range log {
		switch r.Kind {
		case inbox.KindMessage:
			state = "new"
			continue
		case inbox.KindFact:
			if !containsWord(facts[r.Fact.Kind], state) {
				w.Errorf("fact %s in state %s", r.Fact.Kind, state)
			}
			continue
		case inbox.KindAttempt:
			switch r.Attempt.Step {
			case parley.StepPaste:
				if typed {
					w.Errorf("message %s is about to be typed again: %s", id, logOf(log))
				}
				presses, keys = 0, 0
			case parley.StepPress:
				presses, keys = presses+1, keys+1
			case parley.StepAgain:
				keys++
			}
			state = w.step(log, state, "attempt "+string(r.Attempt.Step), r)
		case inbox.KindReceipt:
			state = w.step(log, state, "receipt "+string(r.Receipt.Outcome), r)
			if r.Receipt.Touched == parley.Pasted {
				presses, keys = 0, 0 // the guard refused what was on record
			}
			typed = typed || r.Receipt.Touched != parley.None
		}
		if presses > 1 || keys > 3 { // one, one more, and one for a queued text that still stands
			w.Errorf("%d keys on record: %s", keys, logOf(log))
		}
	}
}

func (w *world) step(log []inbox.Record, from, what string, r inbox.Record) string {
	w.Helper()
	to, ok := steps[from+" + "+what]
	if got := stateWord(r.State); !ok || got != to {
		w.Errorf("illegal step: %s + %s gives %s: %s", from, what, got, logOf(log))
	}
	return to
}

func containsWord(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func logOf(log []inbox.Record) (s string) {
	for _, r := range log {
		switch r.Kind {
		case inbox.KindAttempt:
			s += fmt.Sprintf(" → %s", r.Attempt.Step)
		case inbox.KindReceipt:
			s += fmt.Sprintf(" → %s (%s, %s)", r.Receipt.Outcome, r.Receipt.Reason, r.Receipt.Touched)
		case inbox.KindFact:
			s += fmt.Sprintf(" → %s", r.Fact.Kind)
		}
	}
	return s
}
