package e2e

import (
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/practice"
)

// TestUnseen: a text that the screen cannot show whole arrives once, and the
// receipt is as sure as any other: the agent's own record proves it to the
// letter. Where a person's key stands beside it, it is mixed as ever.
func TestUnseen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	for _, one := range unseen("u") {
		b.mark()
		r := s.send("buddy", one.body)
		s.wants(r, parley.Submitted, "")
		b.agrees(r)
		if t.Failed() {
			t.Fatalf("%s:\n%s", one.name, b.screen())
		}
		if !slices.Contains(r.Evidence, parley.InBox) || !slices.Contains(r.Evidence, parley.Transcript) {
			t.Errorf("%s: evidence %v", one.name, r.Evidence)
		}
		want := "dana: " + strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace(one.body) + " [#" + r.ID.Tag() + "]"
		if n := b.count("submit", func(e practice.Event) bool { return e.Text == want }); n != 1 {
			t.Errorf("%s: %d prompts %q, want 1", one.name, n, want)
		}
	}
}
