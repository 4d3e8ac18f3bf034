package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/termtest"
)

func bracketed(s string) string { return "\x1b[200~" + s + "\x1b[201~" }

func (s *stage) pasted(h *host.Held, text string) {
	s.t.Helper()
	if got, err := h.Paste(context.Background(), look(s.t, h), text); got != term.Done || err != nil {
		s.t.Fatalf("paste: %v %v", got, err)
	}
}

// H11, H12: a person's keys between paste and Enter come behind Enter, in
// order; a report of their terminal passes.
func TestKeysWait(t *testing.T) {
	t.Setenv("PARLEY_TEST_HOLD", "20s")
	s := start(t, "reader")
	h, person := s.hold(), s.view(host.Hello{}).discard()
	s.pasted(h, "[#abcd1234]")
	person.types("x")
	person.types("\x1b[I")
	person.types("\x1b[200~their own\x1b[201~")
	person.types("y\r")
	s.received(bracketed("[#abcd1234]") + "\x1b[I")
	// The reader draws nothing: any anchor that stands will do.
	if got, err := h.Press(t.Context(), look(t, h), "Enter", "ready"); got != term.Done || err != nil {
		t.Fatalf("press: %v %v", got, err)
	}
	person.types("z")
	s.received(bracketed("[#abcd1234]") + "\x1b[I\r")
	if err := h.Ease(); err != nil {
		t.Fatal(err)
	}
	s.received(bracketed("[#abcd1234]") + "\x1b[I\rx" + bracketed("their own") + "y\rz")
}

// What waits goes to the agent when its time is over, and then nothing more is
// pressed for our text.
func TestHoldEnds(t *testing.T) {
	t.Setenv("PARLEY_TEST_HOLD", "300ms")
	s := start(t, "reader")
	h, person := s.hold(), s.view(host.Hello{}).discard()
	s.pasted(h, "ours")
	person.types("theirs")
	s.received(bracketed("ours") + "theirs")
	seen := look(t, h)
	if !seen.State.Broken {
		t.Errorf("it is not said that keys came to our text: %+v", seen.State)
	}
	if got, _ := h.Press(t.Context(), seen, "Enter", "ready"); got != term.Refused {
		t.Errorf("press: %v", got)
	}
	h.Ease()
	if seen = look(t, h); seen.State.Broken {
		t.Error("it goes on after its attempt")
	}
	s.received(bracketed("ours") + "theirs")
}

// Nothing came while they waited: our text is alone, however long it took.
func TestHoldEndsWithoutKeys(t *testing.T) {
	t.Setenv("PARLEY_TEST_HOLD", "20ms")
	s := start(t, "reader")
	h := s.hold()
	s.view(host.Hello{}).discard()
	s.pasted(h, "ours")
	s.received(bracketed("ours"))
	<-time.After(60 * time.Millisecond) // past the hold's end: nothing else shows it
	if got, err := h.Press(t.Context(), look(t, h), "Enter", "ready"); got != term.Done || err != nil {
		t.Errorf("press: %v %v", got, err)
	}
}

// H12: a key in the last moment before the paste, drawn or not, refuses it.
func TestLastMoment(t *testing.T) {
	s := start(t, "reader")
	h, person := s.hold(), s.view(host.Hello{}).discard()
	for i, keys := range []string{"x", "\x1b", "[A", "\x1b[200~half", " a paste", "\x1b[201~"} {
		seen := look(t, h)
		person.types(keys)
		s.until("the key is counted", func() bool { return look(t, h).Seen != seen.Seen })
		if got, err := h.Paste(t.Context(), seen, "ours"); got != term.Refused || err != nil {
			t.Errorf("%d %q: %v %v", i, keys, got, err)
		}
		// In the middle of a key or of a paste of theirs, nothing is pasted at all.
		got, err := h.Paste(t.Context(), look(t, h), "ours")
		if half := i > 0 && i < 5 && i != 2; (got == term.Refused) != half || err != nil {
			t.Errorf("%d after %q: %v %v", i, keys, got, err)
		}
		h.Ease()
	}
}

func (s *stage) until(what string, look func() bool) { s.t.Helper(); termtest.Until(s.t, what, look) }

// A sender that is killed lets go of the keys and of the lock.
func TestSenderKilled(t *testing.T) {
	t.Setenv("PARLEY_TEST_HOLD", "20s")
	s := start(t, "reader")
	person := s.view(host.Hello{}).discard()
	h, err := s.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.pasted(h, "ours")
	person.types("x")
	s.received(bracketed("ours"))
	h.Release() // as the kernel does for it
	s.received(bracketed("ours") + "x")
	s.hold()
}

// H12: keys that the agent has not read are a refusal.
func TestUnread(t *testing.T) {
	s := start(t, "deaf")
	h, person := s.hold(), s.view(host.Hello{}).discard()
	person.types("x")
	seen := look(t, h)
	s.until("counted", func() bool { seen = look(t, h); return !seen.State.PersonAt.IsZero() })
	if got, err := h.Paste(t.Context(), seen, "ours"); got != term.Refused || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	syscall.Kill(seen.Identity.PanePID, syscall.SIGUSR1)
	s.received("x")
	s.pasted(h, "ours")
	s.received("x" + bracketed("ours"))
}

// TestTypist: somebody types without a pause while pastes and keys go in. Each
// of ours is whole and followed by its Enter; every key of theirs arrives, in
// order.
func TestTypist(t *testing.T) {
	s := start(t, "box")
	h, person := s.hold(), s.view(host.Hello{}).discard()
	var typed strings.Builder
	done := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(done)
		rnd := rand.New(rand.NewPCG(1, 1))
		for i := 0; ; i++ {
			key := string(rune('a' + i%26))
			if rnd.IntN(5) == 0 {
				key = "\r"
			}
			typed.WriteString(key)
			person.types(key)
			select {
			case <-stop:
				return
			case <-time.After(time.Duration(rnd.Int64N(int64(10 * time.Millisecond)))):
			}
		}
	}()
	const wanted = 40
	sent := 0
	for end := time.Now().Add(60 * time.Second); sent < wanted && time.Now().Before(end); {
		if s.send(h, sent) {
			sent++
		}
	}
	close(stop)
	<-done
	if sent < wanted {
		t.Errorf("only %d were sent", sent)
	}
	s.judge(sent, typed.String())
}

// send is the least that a careful sender does: keys wait, the box is empty and
// stays so, paste, seen, Enter.
func (s *stage) send(h *host.Held, n int) bool {
	defer h.Ease()
	empty := func(v term.Snapshot) bool { return v.Screen.Row(v.Screen.Cursor.Y) == ">" }
	seen := look(s.t, h)
	if !empty(seen) || h.Quiet() != nil {
		return false
	}
	for time.Since(seen.State.PersonAt) < 50*time.Millisecond {
		seen = look(s.t, h)
	}
	if !empty(seen) {
		return false
	}
	tag := ours(n)
	if got, err := h.Paste(s.t.Context(), seen, tag); got != term.Done || err != nil {
		return false
	}
	s.until("the text", func() bool { seen = look(s.t, h); return seen.Screen.Row(seen.Screen.Cursor.Y) == "> "+tag })
	if got, err := h.Press(s.t.Context(), seen, "Enter", tag); got != term.Done || err != nil {
		s.t.Errorf("%d: press: %v %v", n, got, err)
	}
	return true
}

func ours(n int) string { return fmt.Sprintf("ours [#%08d]", n) }

// judge holds what the program received against what was typed and sent.
func (s *stage) judge(sent int, typed string) {
	s.t.Helper()
	var theirs strings.Builder
	n := 0
	s.until("the last key", func() bool {
		theirs.Reset()
		n = 0
		all := termtest.ReadLog(s.log)
		for i, e := range all {
			switch {
			case e.Kind == "paste":
				if i+1 == len(all) {
					return false
				}
				if e.Text != ours(n) || all[i+1] != (termtest.Event{Kind: "key", Text: "Enter"}) {
					s.t.Fatalf("paste %d: %+v", n, all[max(0, i-2):min(len(all), i+3)])
				}
				n++
			case e.Kind == "key" && i > 0 && all[i-1].Kind == "paste":
			case e.Kind == "key":
				theirs.WriteString("\r")
			default:
				theirs.WriteString(e.Text)
			}
		}
		return len(theirs.String()) >= len(typed)
	})
	if theirs.String() != typed || n != sent {
		s.t.Errorf("%d of %d sent; the person typed\n%q\nand the program received\n%q", n, sent, typed, theirs.String())
	}
}
