package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/practice"
)

// TestCrashMatrix stops a sender at each of its terminal calls: killed before
// and after the call, and the call failed, not applied and applied. Afterwards
// the message is in the inbox once, at most once on screen, and the next
// parley gives an outcome that the agent's own log bears out. G1, G2, H24.
func TestCrashMatrix(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	w := s.wrapper()
	s.finish(w.command(0, "", "", "send", "buddy", "a clean run"))
	steps := w.calls()
	if steps < 5 {
		t.Fatalf("a clean run makes %d terminal calls: the wrapper is not in its way", steps)
	}
	for _, mode := range []string{killBefore, killAfter, failBefore, failAfter} {
		for at := 1; at <= steps; at++ {
			t.Run(fmt.Sprintf("%s call %d", mode, at), func(t *testing.T) {
				sub := *s
				sub.TB = t
				(&crash{&sub, b, w}).run(mode, at)
			})
		}
	}
}

type crash struct {
	s *stage
	b *buddy
	w *wrapper
}

func (c *crash) run(mode string, at int) {
	body := fmt.Sprintf("crash %s %d", mode, at)
	before := c.s.count("buddy")
	c.b.mark()
	c.s.finish(c.w.command(at, mode, "", "send", "buddy", body, "--wait", "2s"))
	if n := c.s.count("buddy"); n != before+1 {
		c.s.Fatalf("%d new messages in the inbox, want 1", n-before)
	}
	last := strings.TrimSpace(c.s.parley("inbox", "buddy", "-n", "1", "--json").out)
	var m struct{ ID, Body string }
	if err := json.Unmarshal([]byte(last), &m); err != nil || m.Body != body {
		c.s.Fatalf("newest message %q is not ours: %v", last, err)
	}
	// The next parley: settles from evidence, or carries what was never typed.
	got := c.s.parley("deliver", m.ID, "--json", "--wait", "2s")
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		c.s.Fatalf("deliver: exit %d\n%s%s", got.code, got.out, got.err)
	}
	c.judge(r, body)
	c.b.clear()
}

// judge holds the outcome against the agent's log.
func (c *crash) judge(r parley.Receipt, body string) {
	mine := func(e practice.Event) bool { return strings.Contains(string(e.Bytes), body) }
	pastes := c.b.count("paste", mine)
	submits := c.b.count("submit", func(e practice.Event) bool { return strings.Contains(e.Text, body) })
	if pastes > 1 || submits > 1 {
		c.s.Errorf("typed %d times, submitted %d times: %+v", pastes, submits, r)
	}
	switch r.Outcome {
	case parley.Submitted:
		if submits != 1 {
			c.s.Errorf("submitted, but the agent took %d prompts: %+v", submits, r)
		}
	case parley.Deferred:
		if pastes != 0 {
			c.s.Errorf("deferred, but %d pastes arrived: %+v", pastes, r)
		}
	case parley.Unknown:
		if pastes == 0 && r.Reason != parley.ReasonInterrupted && r.Reason != parley.ReasonTerminal {
			c.s.Errorf("unknown (%s) with nothing typed: %+v", r.Reason, r)
		}
	default:
		c.s.Errorf("outcome %s (%s)", r.Outcome, r.Reason)
	}
	if r.Touched == parley.None && pastes+len(c.b.pressed()) > 0 {
		c.s.Errorf("untouched, but %d pastes and keys %v arrived", pastes, c.b.pressed())
	}
}

// clear empties the agent's box, as a person would, and waits until it is idle.
func (b *buddy) clear() {
	b.s.Helper()
	before := len(b.pressed())
	for range 3 {
		b.keys("C-u")
	}
	b.s.until("the keys have arrived", func() bool { return len(b.pressed()) >= before+3 })
	b.s.until("idle and empty", func() bool { return strings.Contains(b.s.parley("explain", b.name, "--json").out, `"may_type":true`) })
}

// TestResidueIsReported: text that bears one of our tags and is of no message
// here blocks what comes next, says so, and stays untouched.
func TestResidueIsReported(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	b.typed("dana: of another state folder [#0123abcd]")
	b.sees("[#0123abcd]")
	b.mark()
	r := s.send("buddy", "the next one", "--wait", "0")
	s.wants(r, parley.Deferred, parley.ReasonResidue)
	b.agrees(r)
	if st := s.parley("status", "buddy"); !strings.Contains(st.out, "residue") {
		t.Errorf("status does not report the residue:\n%s", st.out)
	}
}

func (b *buddy) lastID() string {
	var m struct{ ID string }
	json.Unmarshal([]byte(b.s.parley("inbox", b.name, "-n", "1", "--json").out), &m)
	return m.ID
}
