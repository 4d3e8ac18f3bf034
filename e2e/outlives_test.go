package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley"
)

// TestRecordOutlivesAgent: what became of a message whose agent has ended since is
// looked up in the record that it left. H41.
func TestRecordOutlivesAgent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	w := s.wrapper()
	for _, c := range []struct {
		name    string
		on      string // the call after which its sender is killed
		working bool
		took    bool // the agent took it before it ended
		want    parley.Outcome
		why     parley.Reason
	}{
		{"killed behind the key", onKey, false, true, parley.Submitted, ""},
		{"killed behind the paste", onPaste, false, false, parley.Unknown, parley.ReasonInterrupted},
		{"killed behind the key, held, taken", onKey, true, true, parley.Submitted, ""},
		{"killed behind the key, held", onKey, true, false, parley.Unknown, parley.ReasonInterrupted},
		{"queued, taken", "", true, true, parley.Queued, ""},
		{"queued", "", true, false, parley.Unknown, parley.ReasonEnded},
	} {
		t.Run(c.name, func(t *testing.T) {
			sub := *s
			sub.TB = t
			b := *b
			b.s = &sub
			b.mark()
			switch {
			case c.working && c.took:
				b.command("/work 2")
				b.sees("orking")
			case c.working:
				b.command("/work 600")
				b.sees("orking")
			}
			at, mode := 1, killAfter
			if c.on == "" {
				at, mode = 0, ""
			}
			sub.finish(w.only(c.on).command(at, mode, "", "send", "buddy", c.name))
			if c.took {
				b.sees("You said: dana: " + c.name)
			} else {
				b.waitFor("paste")
			}
			b.killed()
			r := sub.newest("buddy")
			sub.wants(r, c.want, c.why)
			if facts := sub.parley("log", string(r.ID), "--json").out; strings.Contains(facts, `"seen"`) != (c.want == parley.Queued) {
				t.Errorf("a seen fact: %s", facts)
			}
			if slices.Contains(r.Evidence, parley.Transcript) != (c.want == parley.Submitted) {
				t.Errorf("evidence %v", r.Evidence)
			}
			// A program that was killed leaves its terminal raw.
			sub.rig.Tmux("respawn-pane", "-k", "-t", b.pane)
			b.atShell()
			b.start()
			sub.parley("status") // takes up the new one
		})
	}
}

// newest is the receipt of the newest message to a name, once what is known about
// it was looked up.
func (s *stage) newest(name string) (r parley.Receipt) {
	s.Helper()
	var m struct{ ID string }
	last := strings.TrimSpace(s.parley("inbox", name, "-n", "1", "--json").out)
	if err := json.Unmarshal([]byte(last), &m); err != nil {
		s.Fatalf("%v: %s", err, last)
	}
	got := s.parley("wait", m.ID, "--timeout", "10s", "--json")
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		s.Fatalf("wait: exit %d %v\n%s%s", got.code, err, got.out, got.err)
	}
	return r
}
