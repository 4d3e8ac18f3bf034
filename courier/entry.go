package courier

import (
	"slices"

	"parley"
	"parley/internal/inbox"
)

// ended reports whether a message has a receipt that a sender can be given: it
// will not be typed, or not again.
func ended(e inbox.Entry) bool {
	return e.Receipt != nil && !e.Tried && e.Outcome != parley.Deferred
}

// typeable reports whether a message may still be typed: it never was, nobody
// is in the middle of it, and its recipient has not read it.
func typeable(e inbox.Entry) bool {
	return !e.Message.Mailbox && !e.Tried && !e.Read && (e.Outcome == "" || e.Outcome == parley.Deferred)
}

// lastStep is how far the last attempt was about to go.
func lastStep(e inbox.Entry) parley.Step {
	if len(e.Attempts) == 0 {
		return ""
	}
	return e.Attempts[len(e.Attempts)-1].Step
}

func hasEvidence(r parley.Receipt, e parley.Evidence) bool { return slices.Contains(r.Evidence, e) }
