//go:build real

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/e2e/rig"
)

// other is a CLI as this test must know it: all else is in its dialect.
type other struct {
	cli   rig.CLI
	asks  string // stands on its permission dialog
	waits bool   // nothing is typed while it works
	plain bool   // it takes one short line only
}

var others = []other{
	{cli: rig.CLI{Name: "gemini", Version: "0.61.0"}, asks: "Allow execution of"},
	{cli: rig.CLI{Name: "qwen", Version: "0.24.4"}, asks: "Allow execution of"},
}

// TestRealEach has every CLI that runs with no account take the hard texts, one
// while it works, one under a draft and one under a permission dialog.
func TestRealEach(t *testing.T) {
	if times(0, 1, 1) == 0 {
		t.Log("the long run installs these CLIs")
		return
	}
	for _, o := range others {
		t.Run(o.cli.String(), func(t *testing.T) {
			begin := time.Now()
			s := newStage(t)
			a := s.rig.Start(o.cli, rig.Opts{Session: "agent"})
			s.parley("status")
			took := []string{"start " + since(begin)}
			for _, part := range []struct {
				name string
				run  func(*stage, *rig.Agent, other)
			}{
				{"texts", (*stage).takesTexts}, {"working", (*stage).takesWorking},
				{"draft", (*stage).leavesDraft}, {"dialog", (*stage).leavesDialog},
			} {
				from := time.Now()
				part.run(s, a, o)
				took = append(took, part.name+" "+since(from))
			}
			s.onceEach(a)
			t.Logf("RESULT %s: %s", o.cli, strings.Join(took, ", "))
		})
	}
}

func since(t time.Time) string { return time.Since(t).Round(100 * time.Millisecond).String() }

// takesTexts sends the hard texts one after the other.
func (s *stage) takesTexts(a *rig.Agent, o other) {
	texts := mixed("m")
	for i := range times(10, 30, 60) {
		one := texts[i%len(texts)]
		one.body += fmt.Sprintf(" (%d)", i)
		if o.plain && (strings.ContainsAny(one.body, "\r\n") || len(one.body) > 300) {
			continue
		}
		s.sendReal(a, one)
	}
}

// takesWorking sends while an answer streams.
func (s *stage) takesWorking(a *rig.Agent, o other) {
	a.Ready()
	if !o.waits {
		s.whileStreaming(a, 0)
		return
	}
	run := s.streaming(a, 0, 2500*time.Millisecond)
	r := s.send("agent", "when you are done", "--wait", "0")
	if a.Stub.Prompts()[run.Seq].Ended.IsZero() {
		s.wants(r, parley.Deferred, parley.ReasonWorking)
	}
	s.ended(a, run.Seq)
	s.goesOut(a, r)
}

// leavesDraft sends while a person's draft stands in the box.
func (s *stage) leavesDraft(a *rig.Agent, o other) {
	const draft = "half a thought"
	holds := func(text string) func(rig.Look) bool {
		return func(l rig.Look) bool { box, ok := a.BoxIn(l); return ok && box == text }
	}
	a.Ready()
	a.Type(draft)
	before := a.Still("the draft", holds(draft))
	r := s.send("agent", "not into a draft", "--wait", "0")
	s.wants(r, parley.Deferred, parley.ReasonDraft)
	after := a.Still("the draft still", holds(draft))
	if before.X != after.X || before.Y != after.Y {
		s.Errorf("the cursor has moved from %d,%d to %d,%d", before.X, before.Y, after.X, after.Y)
	}
	for n := len(draft) - 1; n >= 0; n-- { // vibe-kit's Grok takes several that come together for one
		a.Keys("BSpace")
		a.Until("a shorter draft", func(l rig.Look) bool { box, ok := a.BoxIn(l); return ok && len(box) <= n })
	}
	a.Ready()
	s.goesOut(a, r)
}

// goesOut delivers what was held back.
func (s *stage) goesOut(a *rig.Agent, r parley.Receipt) {
	if r = s.deliver(r.ID, "--wait", "20s"); r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
		s.Errorf("nothing is in its way any more, and yet: %s (%s)\n%s", r.Outcome, r.Reason, a.Capture())
	}
	s.prompted(a, "[#"+r.ID.Tag()+"]")
}

// leavesDialog sends into a permission dialog: the tool must not run.
func (s *stage) leavesDialog(a *rig.Agent, o other) {
	a.Ready()
	kept := filepath.Join(a.Cwd, "kept.txt")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		s.Fatal(err)
	}
	asks := func(l rig.Look) bool { _, box := a.BoxIn(l); return !box && strings.Contains(l.String(), o.asks) }
	a.Submit("lead: STUB:tool=rm -f kept.txt [#cccc3333]")
	before := a.Still("the dialog", asks)
	r := s.send("agent", "not into a dialog", "--wait", "0")
	s.wants(r, parley.Deferred, parley.ReasonAsking)
	if st := s.parley("status", "agent", "--json"); !strings.Contains(st.out, `"turn":"asking"`) {
		s.Errorf("status does not say that it asks: %s", st.out)
	}
	if after := a.Still("the dialog still", asks); still(after) != still(before) {
		s.Errorf("the dialog has changed:\n%s\nwas:\n%s", after, before)
	}
	a.Keys("Escape") // the person says no
	a.Still("a box", func(l rig.Look) bool { _, box := a.BoxIn(l); return box })
	s.emptied(a)
	s.goesOut(a, r)
	if _, err := os.Stat(kept); err != nil {
		s.Error("the tool ran")
	}
}
