package courier

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/roster"
	"parley/internal/term"
)

// TestAdvice: what a receipt advises has no placeholder left, names its reader's
// way to the agent, and is nothing that would type an unknown one again.
func TestAdvice(t *testing.T) {
	in(t, func(w *world) {
		m := roster.Member{Kind: roster.Joined, Name: "buddy", Target: term.Target{Driver: "tmux", Pane: "%7"}}
		id := parley.ID("01KBBS8V3N6Y1Z2Q7T5M9D4X8R")
		for _, why := range parley.Reasons {
			for _, o := range []parley.Outcome{parley.Deferred, parley.Gone, parley.Unknown} {
				r := parley.Receipt{ID: id, To: "buddy", Outcome: o, Reason: why.Reason}
				for _, team := range []string{"main", "crew"} {
					do := w.c.filled(advised(r), r, m, team)
					for _, left := range []string{"%N", " NAME", " ID"} {
						if strings.Contains(do, left) {
							t.Errorf("%s %s: %q is left in %q", o, why.Reason, left, do)
						}
					}
					if far := strings.Contains(do, "buddy@main") || strings.Contains(do, "--team main"); far && team == "main" ||
						!far && team == "crew" && strings.Contains(do, "buddy") {
						t.Errorf("%s %s, for a reader in %s: %q", o, why.Reason, team, do)
					}
					if o == parley.Unknown && why.Touched != "none" && (strings.Contains(do, "deliver") || strings.Contains(do, "then send")) {
						t.Errorf("%s %s: %q would type it again", o, why.Reason, do)
					}
				}
			}
		}
		r := parley.Receipt{ID: id, To: "buddy", Outcome: parley.Deferred, Reason: parley.ReasonResidue}
		if do := w.c.filled(advised(r), r, m, "main"); !strings.HasSuffix(do, "`parley deliver 5m9d4x8r`.") {
			t.Errorf("%q", do)
		}
	})
}
