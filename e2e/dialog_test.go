package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"parley"
)

// TestDialogAtEachCall opens a dialog or a menu, drawn at once, right before or
// right behind every single call that a sender makes to its terminal. Enter
// never reaches it. Nothing typed is a clean deferral; a paste that met it is
// unknown and says what it met. H01, H16.
func TestDialogAtEachCall(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"dialog", "menu"} {
		t.Run(what, func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", fmt.Sprintf("[[popup]]\nwhat = %q\non = \"signal\"\nevery = true\n", what))
			s.parley("status")
			w := s.wrapper()
			s.finish(w.command(0, "", "", "send", "buddy", "a clean run"))
			steps, seen := w.calls(), map[string]int{}
			for at := 1; at <= steps; at++ {
				for _, mode := range []string{runFirst, runLast} {
					r := b.popupAt(w, what, at, mode)
					seen[string(r.Outcome)+" "+string(r.Reason)]++
				}
			}
			t.Logf("%s: %v", what, seen)
			why := map[string]string{"dialog": "asking", "menu": "menu"}[what]
			if seen["deferred "+why] == 0 || seen["unknown "+why] == 0 {
				t.Errorf("no call was hit before the paste, or none behind it: %v", seen)
			}
		})
	}
}

// popupAt makes one send during which a popup is opened and drawn at one of
// its calls, and judges the receipt.
func (b *buddy) popupAt(w *wrapper, what string, at int, mode string) parley.Receipt {
	b.s.Helper()
	open := fmt.Sprintf("n=$(grep -c '\"kind\":\"drawn\"' %[1]s); kill -USR1 %[2]d; until [ $(grep -c '\"kind\":\"drawn\"' %[1]s) -gt $n ]; do sleep 0.01; done", b.log, b.pid())
	b.mark()
	got := b.s.finish(w.command(at, mode, open, "send", "--json", "--wait", "0", "buddy", fmt.Sprintf("hello %s %s %d", what, mode, at)))
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		b.s.Fatalf("%s call %d: exit %d: %s%s", mode, at, got.code, got.out, got.err)
	}
	b.agrees(r)
	if w.calls() < at && b.count("drawn", nil) == 0 {
		return r // this walk took fewer looks than the clean one
	}
	if n := b.answered(); n != 0 {
		b.s.Errorf("%s call %d: %d keys reached the %s: %+v", mode, at, n, what, r)
	}
	if b.count("drawn", nil) == 0 {
		b.s.Errorf("%s call %d: the %s never opened", mode, at, what)
	}
	why := map[string]parley.Reason{"dialog": parley.ReasonAsking, "menu": parley.ReasonMenu}[what]
	entered := slices.Contains(b.pressed(), "enter")
	switch {
	case r.Outcome == parley.Submitted && r.Touched == parley.Entered && entered: // it came behind the key
	case r.Outcome == parley.Deferred && r.Reason == why && r.Touched == parley.None:
	case r.Outcome == parley.Unknown && r.Reason == why && r.Touched == parley.Pasted:
	default:
		b.s.Errorf("%s call %d: %s (%s), touched %s, Enter pressed: %v", mode, at, r.Outcome, r.Reason, r.Touched, entered)
	}
	b.gone(what)
	if r.Outcome == parley.Deferred {
		b.s.wants(b.s.deliver(r.ID), parley.Submitted, "")
	}
	return r
}

// gone has the person close the popup and empty the box.
func (b *buddy) gone(what string) {
	b.s.Helper()
	b.keys("Escape")
	b.s.until("the "+what+" is closed", func() bool { return b.count("close", nil) > 0 })
	b.clear()
}

// pid is the agent's process id, by its own log.
func (b *buddy) pid() (pid int) {
	for _, e := range b.events() {
		if e.Kind == "listening" {
			pid = e.PID
		}
	}
	return pid
}

// deliver tries a saved message again and returns its receipt.
func (s *stage) deliver(id parley.ID, flags ...string) parley.Receipt {
	s.Helper()
	got := s.parley(append([]string{"deliver", string(id), "--json"}, flags...)...)
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		s.Fatalf("deliver %s: exit %d: %v\n%s%s", id, got.code, err, got.out, got.err)
	}
	if r.Outcome == "" {
		s.Errorf("deliver %s: no outcome, exit %d: %s", id, got.code, got.err)
	}
	return r
}

// TestDialogUnderTheKey: a dialog or menu that takes the keys in the very
// moment of our Enter, or is open and not drawn yet, is what no look can see:
// the key answers it. The text then still stands in the box: it is unknown, or
// the one further key that is on record takes it, once. H16.
func TestDialogUnderTheKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, quirks string }{
		{"in the moment of the key", "[[popup]]\nwhat = %q\non = \"before-enter\"\n"},
		{"in that moment, drawn late", "[[popup]]\nwhat = %q\non = \"before-enter\"\ndraw_delay_ms = 300\n"},
		{"open and never drawn", "[[popup]]\nwhat = %q\non = \"after-paste\"\ndraw_delay_ms = 60000\n"},
	} {
		for _, what := range []string{"dialog", "menu"} {
			t.Run(what+" "+c.name, func(t *testing.T) {
				t.Parallel()
				s := newStage(t)
				b := s.practice("buddy", fmt.Sprintf(c.quirks, what))
				b.mark()
				r := s.send("buddy", "hello", "--wait", "0")
				b.agrees(r)
				switch n := b.prompts(r.ID); {
				case r.Outcome == parley.Unknown && r.Touched == parley.Entered && n == 0:
				case r.Outcome == parley.Submitted && n == 1 && s.presses(r.ID) == 2:
				default:
					t.Errorf("%s (%s), touched %s, %d prompts", r.Outcome, r.Reason, r.Touched, n)
				}
			})
		}
	}
}

// TestWaitsForDialog: a send that may wait goes out when the person has
// answered; it answers nothing itself.
func TestWaitsForDialog(t *testing.T) {
	for _, key := range []string{"n", "y"} {
		t.Run(key, func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", "")
			s.parley("status")
			b.mark()
			b.command("/ask")
			b.waitFor("drawn")
			done := make(chan parley.Receipt, 1)
			go func() { done <- s.send("buddy", "after you", "--wait", "20s") }()
			s.until("the message is saved", func() bool { return s.count("buddy") == 1 })
			b.mark()
			b.keys(key)
			r := <-done
			if r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
				t.Errorf("%s (%s) after the dialog", r.Outcome, r.Reason)
			}
			if n := b.answered(); n != 2 { // the person's key, and that it closed
				t.Errorf("%d keys and closings at the dialog, want the person's own", n)
			}
			if b.prompts(r.ID) != 1 {
				t.Errorf("%d prompts of the message", b.prompts(r.ID))
			}
		})
	}
}
