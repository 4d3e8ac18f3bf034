//go:build real

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/e2e/rig"
	"parley/internal/modelstub"
)

// TestRealWorkingTurns sends while a slow answer streams: the message is
// queued, the running answer is not cut, the message arrives exactly once and
// after it, and `parley wait` then finds the record of it. H13, H25, H36.
func TestRealWorkingTurns(t *testing.T) {
	untitled := rig.Opts{Append: map[string]string{".codex/config.toml": "\n[tui]\nterminal_title = []\n"}}
	for _, c := range []struct {
		name              string
		cli               rig.CLI
		opts              rig.Opts
		short, long, full int
	}{
		{"claude", rig.CLI{Name: "claude", Version: "2.1.332"}, rig.Opts{}, 1, 6, 50},
		{"codex", rig.CLI{Name: "codex", Version: "0.171.0"}, rig.Opts{}, 0, 6, 50},
		{"codex without a title", rig.CLI{Name: "codex", Version: "0.171.0"}, untitled, 1, 6, 50},
		{"pi", rig.CLI{Name: "pi", Version: "1.6.0"}, rig.Opts{}, 1, 6, 50},
		{"old claude", rig.CLI{Name: "claude", Version: "2.1.197"}, rig.Opts{}, 0, 3, 50},
		{"old codex", rig.CLI{Name: "codex", Version: "0.98.0"}, rig.Opts{}, 0, 3, 50},
		{"old pi", rig.CLI{Name: "pi", Version: "0.73.1"}, rig.Opts{}, 0, 3, 50},
	} {
		n := times(c.short, c.long, c.full)
		if n == 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			c.opts.Session = "agent"
			a := s.rig.Start(c.cli, c.opts)
			s.parley("status")
			took := map[string]int{}
			for i := range n {
				r := s.whileStreaming(a, i)
				took[string(r.Outcome)]++
			}
			s.onceEach(a)
			t.Logf("RESULT %s: %d of %d queued while streaming, no answer cut; receipts %v", c.cli, n, n, took)
		})
	}
}

// streaming has the model answer for a while, and waits until the answer grows
// on the screen.
func (s *stage) streaming(a *rig.Agent, i int, d time.Duration) modelstub.Prompt {
	s.Helper()
	tag := fmt.Sprintf("[#aaaa%04d]", i)
	a.Submit(fmt.Sprintf("lead: STUB:slow=%v go on %s", d, tag))
	p := a.Prompt(tag)
	before := a.Capture()
	a.Until("an answer that grows", func(l rig.Look) bool {
		return strings.Contains(strings.ReplaceAll(l.String(), before, ""), "four five six") || time.Since(p.At) > d/3
	})
	return p
}

// ended waits until the model has said its last word, and fails if it was cut.
func (s *stage) ended(a *rig.Agent, seq int) modelstub.Prompt {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	p, err := a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return p.Seq == seq && !p.Ended.IsZero() })
	if err != nil || p.Cut {
		s.Errorf("the running answer was cut: %v (%v)\n%s", p.Cut, err, a.Capture())
	}
	return p
}

func (s *stage) whileStreaming(a *rig.Agent, i int) parley.Receipt {
	s.Helper()
	run := s.streaming(a, i, 2500*time.Millisecond)
	r := s.send("agent", fmt.Sprintf("when you are done %d", i), "--wait", "0")
	if still := a.Stub.Prompts()[run.Seq]; !still.Ended.IsZero() {
		s.Logf("trial %d: the answer had ended before the send had: no evidence", i)
	} else if r.Outcome != parley.Queued || r.Touched != parley.Entered {
		s.Errorf("trial %d: %+v, want queued", i, r)
	}
	run = s.ended(a, run.Seq)
	p := s.prompted(a, "[#"+r.ID.Tag()+"]")
	if p.At.Before(run.Ended) {
		s.Errorf("trial %d: the message went out %v before the answer's end", i, run.Ended.Sub(p.At))
	}
	got := s.parley("wait", string(r.ID), "--timeout", "20s")
	if got.code != 0 {
		s.Errorf("trial %d: wait: exit %d %s", i, got.code, got.err)
	}
	if log := s.parley("log", string(r.ID), "--json").out; !strings.Contains(log, `"seen"`) && !strings.Contains(log, `"transcript"`) {
		s.Errorf("trial %d: no record that it was seen:\n%s", i, log)
	}
	a.Ready()
	return r
}

// TestRealWhenIdle: with --when idle nothing is typed into a working agent; the
// send waits for the turn's end, or is deferred.
func TestRealWhenIdle(t *testing.T) {
	for _, cli := range realCLIs[:times(1, 6, 6)] {
		t.Run(cli.String(), func(t *testing.T) {
			s := newStage(t)
			a := s.rig.Start(cli, rig.Opts{Session: "agent"})
			s.parley("status")
			run := s.streaming(a, 0, 3*time.Second)
			r := s.send("agent", "no hurry", "--when", "idle", "--wait", "0")
			if a.Stub.Prompts()[run.Seq].Ended.IsZero() {
				s.wants(r, parley.Deferred, parley.ReasonWorking)
			}
			r2 := s.send("agent", "no hurry either", "--when", "idle", "--wait", "20s")
			s.wants(r2, parley.Submitted, "")
			s.ended(a, run.Seq)
			for _, id := range []parley.ID{r.ID, r2.ID} {
				if p := s.prompted(a, "[#"+id.Tag()+"]"); p.At.Before(a.Stub.Prompts()[run.Seq].Ended) {
					t.Errorf("typed before the turn's end")
				}
			}
			s.onceEach(a)
		})
	}
}
