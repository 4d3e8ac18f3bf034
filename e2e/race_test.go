package e2e

import (
	"fmt"
	"slices"
	"testing"

	"parley"
	"parley/internal/practice"
)

// answered counts the keys that reached a dialog or menu: the worst bug there
// is.
func (b *buddy) answered() int {
	return b.count("close", nil) + b.count("key", func(e practice.Event) bool { return e.To == "dialog" || e.To == "menu" })
}

// TestDialogInMidWalk: a dialog or menu that is drawn between look and paste,
// or between paste and Enter, never gets our Enter. H01, H16.
func TestDialogInMidWalk(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"dialog", "menu"} {
		for _, c := range []struct {
			on    string
			delay int
		}{{"paste", 0}, {"after-paste", 0}, {"after-paste", 2}, {"after-paste", 5}, {"after-paste", 10}} {
			t.Run(fmt.Sprintf("%s %s %d ms", what, c.on, c.delay), func(t *testing.T) {
				s := newStage(t)
				// The late echo holds our look back, so that the dialog is drawn
				// before any Enter could be pressed.
				b := s.practice("buddy", fmt.Sprintf("echo_delay_ms = 40\n[[popup]]\nwhat = %q\non = %q\ndelay_ms = %d\n", what, c.on, c.delay))
				b.mark()
				r := s.send("buddy", "hello")
				if n := b.answered(); n != 0 {
					t.Errorf("%d keys reached the %s: %+v", n, what, r)
				}
				if r.Outcome != parley.Unknown || r.Touched != parley.Pasted {
					t.Errorf("outcome %s, touched %s, want unknown, pasted: %+v", r.Outcome, r.Touched, r)
				}
				if want := map[string]parley.Reason{"dialog": parley.ReasonAsking, "menu": parley.ReasonMenu}[what]; r.Reason != want {
					t.Errorf("reason %s, want %s", r.Reason, want)
				}
				b.agrees(r)
			})
		}
	}
}

// TestQuirks: what real programs do once in a thousand times, on demand.
func TestQuirks(t *testing.T) {
	for _, c := range []struct {
		name, quirks string
		outcome      parley.Outcome
		reason       parley.Reason
	}{
		{"first Enter has no effect H03", "lose_enters = 1", parley.Submitted, ""},
		{"late echo H06", "echo_delay_ms = 900", parley.Submitted, ""},
		{"late clear", "clear_delay_ms = 700", parley.Submitted, ""},
		{"looks idle after Enter", "turn_delay_ms = 700", parley.Submitted, ""},
		{"late record", "record_delay_ms = 500", parley.Submitted, ""},
		{"lost head H17", "lose_head_bytes = 9", parley.Unknown, parley.ReasonMixed},
		{"Enter has no effect H03", "lose_enters = 2", parley.Unknown, parley.ReasonNotEntered},
		{"put back into the box H09", "return_ms = 150\nthink_ms = 3000\nrecord_delay_ms = 20000", parley.Unknown, parley.ReasonNotEntered},
		{"plain ghost H14", "ghost = \"run the tests\"\nghost_style = \"plain\"", parley.Submitted, ""},
		{"animates while idle H36", "idle_spinner = true", parley.Submitted, ""},
		{"no title", "title = false", parley.Submitted, ""},
		{"alternate screen", "alternate_screen = true", parley.Submitted, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			b := s.practice("buddy", c.quirks)
			b.mark()
			r := s.send("buddy", "hello there, this is a message")
			s.wants(r, c.outcome, c.reason)
			b.agrees(r)
		})
	}
}

// TestNotListening: the box is drawn, the program does not listen yet. The text
// vanishes, is never typed again, and no Enter follows it. H08.
func TestNotListening(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practiceDrawn("buddy", "start_delay_ms = 60000")
	b.mark()
	r := s.send("buddy", "hello there")
	s.wants(r, parley.Unknown, parley.ReasonNoEcho)
	if n := b.count("submit", nil) + b.count("newline", nil); n != 0 || r.Touched != parley.Pasted {
		t.Errorf("%d keys had an effect: %+v", n, r)
	}
}

// TestNeverBeforeEcho: Enter is pressed only after our text was drawn.
func TestNeverBeforeEcho(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "echo_delay_ms = 400")
	b.mark()
	s.send("buddy", "wait for me")
	es := b.events()[b.started:]
	echo := slices.IndexFunc(es, func(e practice.Event) bool { return e.Kind == "echo" })
	enter := slices.IndexFunc(es, func(e practice.Event) bool { return e.Kind == "key" && e.Key == "enter" })
	if echo < 0 || enter < echo {
		t.Errorf("echo at event %d, Enter at %d", echo, enter)
	}
}
