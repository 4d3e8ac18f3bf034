package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/practice"
)

// agrees holds a receipt against the agent's own log since its mark: exactly
// one paste (two with a signature of its own) and one Enter where the receipt
// says entered, a paste and no key where it says pasted, nothing otherwise.
func (b *buddy) agrees(r parley.Receipt) {
	b.s.Helper()
	pastes := b.count("paste", nil)
	keys := b.pressed()
	switch r.Touched {
	case parley.None:
		if pastes != 0 || len(keys) != 0 {
			b.s.Errorf("receipt %s says untouched, but %d pastes and keys %v arrived", r.ID, pastes, keys)
		}
	case parley.Pasted:
		if pastes < 1 || pastes > 2 || len(keys) != 0 {
			b.s.Errorf("receipt %s says pasted: %d pastes, keys %v", r.ID, pastes, keys)
		}
	case parley.Entered:
		if pastes < 1 || pastes > 2 || len(keys) < 1 || len(keys) > b.s.presses(r.ID) || slices.ContainsFunc(keys, func(k string) bool { return k != "enter" }) {
			b.s.Errorf("receipt %s says entered: %d pastes, keys %v", r.ID, pastes, keys)
		}
	}
}

// presses is how many keys the inbox says were asked for: one, or two with the
// further press on record.
func (s *stage) presses(id parley.ID) int {
	log := s.parley("log", string(id), "--json").out
	return 1 + strings.Count(log, `"step":"again"`)
}

func (s *stage) wants(r parley.Receipt, o parley.Outcome, why parley.Reason) {
	s.Helper()
	if r.Outcome != o || r.Reason != why {
		s.Errorf("outcome %s (%s), want %s (%s): %+v", r.Outcome, r.Reason, o, why, r)
	}
}

func TestSubmitted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	b.mark()
	r := s.send("buddy", "hello there")
	s.wants(r, parley.Submitted, "")
	b.agrees(r)
	for _, e := range []parley.Evidence{parley.InBox, parley.LeftBox, parley.Transcript} {
		if !slices.Contains(r.Evidence, e) && e != parley.LeftBox {
			t.Errorf("no evidence %s in %v", e, r.Evidence)
		}
	}
	want := "dana: hello there [#" + r.ID.Tag() + "]"
	if n := b.count("submit", func(e practice.Event) bool { return e.Text == want }); n != 1 {
		t.Errorf("%d prompts %q, want 1", n, want)
	}
	if r.From != "dana" || !r.Claimed {
		t.Errorf("from %s claimed %v, want the person, claimed", r.From, r.Claimed)
	}
}

func TestQueuedWhileWorking(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	b.typed("/work 2")
	b.keys("Enter")
	b.sees("orking")
	b.mark()
	r := s.send("buddy", "when you are done")
	s.wants(r, parley.Queued, "")
	b.agrees(r)
	got := s.parley("wait", string(r.ID), "--timeout", "20s")
	if got.code != 0 {
		t.Fatalf("wait: exit %d\n%s%s", got.code, got.out, got.err)
	}
	log := s.parley("log", r.ID.Tag(), "--json").out
	if !strings.Contains(log, `"seen"`) {
		t.Errorf("a queued message that reached the conversation has no seen fact:\n%s", log)
	}
}

// TestUntouched: whatever has the keys, nothing is typed, and the receipt says
// why. H01, H11, H14-H16, H33.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  func(b *buddy)
		why  parley.Reason
	}{
		{"draft", func(b *buddy) { b.typed("half a thought"); b.sees("half a thought") }, parley.ReasonDraft},
		{"spaces only", func(b *buddy) { b.typed("   "); b.s.until("spaces", func() bool { return b.count("key", nil) >= 3 }) }, parley.ReasonDraft},
		{"permission dialog", func(b *buddy) { b.command("/ask"); b.waitFor("drawn") }, parley.ReasonAsking},
		{"menu", func(b *buddy) { b.command("/menu"); b.waitFor("drawn") }, parley.ReasonMenu},
		{"copy mode", func(b *buddy) { b.s.rig.Tmux("copy-mode", "-t", b.pane) }, parley.ReasonCopyMode},
		{"input off", func(b *buddy) { b.s.rig.Tmux("select-pane", "-d", "-t", b.pane) }, parley.ReasonInputOff},
		{"synchronized panes", func(b *buddy) {
			b.s.rig.Tmux("split-window", "-t", b.pane, "sleep 1000")
			b.s.rig.Tmux("set-option", "-w", "-t", b.pane, "synchronize-panes", "on")
		}, parley.ReasonSynchronized},
		{"suspended", func(b *buddy) { b.stop() }, parley.ReasonSuspended},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", "")
			s.parley("status") // it was seen before anything happened
			b.mark()
			c.set(b)
			b.mark()
			r := s.send("buddy", "hello", "--wait", "0")
			s.wants(r, parley.Deferred, c.why)
			b.agrees(r)
		})
	}
}

// TestRepeatedDeferredSend: a caller that repeats a deferred send 166 times
// leaves one message. H24, H25.
func TestRepeatedDeferredSend(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	b.typed("half a thought")
	b.sees("half a thought")
	b.mark()
	first := s.send("buddy", "please look", "--wait", "0")
	for range 165 {
		if r := s.send("buddy", "please look", "--wait", "0"); r.ID != first.ID {
			t.Fatalf("another message %s, want %s again", r.ID, first.ID)
		}
	}
	b.agrees(first)
	if n := s.count("buddy"); n != 1 {
		t.Errorf("%d messages in the inbox, want 1", n)
	}
	b.mark()
	b.keys("C-u")
	b.waitFor("key")
	b.mark()
	got := s.parley("deliver", first.ID.Tag(), "--json")
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("deliver: exit %d %s%s", got.code, got.out, got.err)
	}
	s.wants(r, parley.Submitted, "")
	b.agrees(r)
}

func (s *stage) count(name string) int {
	return strings.Count(s.parley("inbox", name, "-n", "0", "--json").out, "\n")
}

// TestWaitsForDraft: send waits for a person's draft and types when it is gone.
func TestWaitsForDraft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	b.typed("one moment")
	b.sees("one moment")
	done := make(chan parley.Receipt, 1)
	go func() { done <- s.send("buddy", "after you", "--wait", "20s") }()
	s.until("the message is saved", func() bool { return s.count("buddy") == 1 })
	b.keys("Enter")
	r := <-done
	s.wants(r, parley.Submitted, "")
}

// TestGone: the process that was meant is not there. H27, H29.
func TestGone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(b *buddy)
		why  parley.Reason
	}{
		{"exited to the shell", func(b *buddy) { b.command("/quit"); b.waitFor("exit"); b.atShell() }, parley.ReasonNotAnAgent},
		{"respawned with another program", func(b *buddy) { b.s.rig.Tmux("respawn-pane", "-k", "-t", b.pane, "cat") }, parley.ReasonWrongProcess},
		{"started anew", func(b *buddy) { b.command("/quit"); b.waitFor("exit"); b.atShell(); b.start() }, parley.ReasonWrongProcess},
		{"pane closed", func(b *buddy) { b.s.rig.Tmux("kill-pane", "-t", b.pane) }, parley.ReasonNotAnAgent},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", "")
			s.parley("status")
			c.do(b)
			b.mark()
			r := s.send("buddy", "touch /tmp/never", "--wait", "0")
			s.wants(r, parley.Gone, c.why)
			b.agrees(r)
		})
	}
}

func (b *buddy) command(c string) {
	b.typed(c)
	b.keys("Enter")
}

func (b *buddy) waitFor(kind string) {
	b.s.Helper()
	b.s.until(kind, func() bool { return b.count(kind, nil) > 0 })
}

func (b *buddy) atShell() {
	b.s.Helper()
	b.s.until("the shell is back", func() bool {
		return b.s.rig.Tmux("display-message", "-p", "-t", b.pane, "#{pane_current_command}") == "sh"
	})
}

// stop suspends the agent as Ctrl+Z would.
func (b *buddy) stop() {
	b.s.Helper()
	pid := ""
	for _, e := range b.events() {
		if e.Kind == "listening" {
			pid = itoa(e.PID)
		}
	}
	b.s.shell("kill -STOP " + pid)
	b.s.until("stopped", func() bool {
		return strings.Contains(b.s.shell("cat /proc/"+pid+"/stat"), ") T ")
	})
	b.atShell()
}

func TestNames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.practice("buddy", "")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"send", "buddi", "x"}, 2, "did you mean buddy"},
		{[]string{"send", "no such", "x"}, 2, "is not a name"},
		{[]string{"send", "buddy", ""}, 2, "empty"},
		{[]string{"send", "buddy", strings.Repeat("x", 70000)}, 2, "--file"},
		{[]string{"send", "--from", "buddy", "buddy", "x"}, 2, "claimed"},
		{[]string{"send", "--when", "later", "buddy", "x"}, 2, "now or idle"},
		{[]string{"send", "buddy", "x", "--no-such-flag"}, 2, "no-such-flag"},
		{[]string{"deliver", "zzzzzzzz"}, 2, "no message"},
	} {
		if r := s.parley(c.args...); r.code != c.code || !strings.Contains(r.err, c.says) {
			t.Errorf("parley %.60q: exit %d, %q; want %d and %q", c.args, r.code, r.err, c.code, c.says)
		}
	}
	if n := s.count("buddy"); n != 0 {
		t.Errorf("%d messages were saved by refused sends", n)
	}
	if r := s.parley("send", "@BUDDY", "hello"); r.code != 0 {
		t.Errorf("a name is not compared without regard to case: %s", r.err)
	}
	if r := s.parley("send", "--mailbox", "nobody-yet", "for later"); r.code != 0 {
		t.Errorf("--mailbox to an unknown name: %s", r.err)
	}
}

// TestLastLine: a caller that reads no JSON still knows.
func TestLastLine(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.practice("buddy", "")
	r := s.parley("send", "buddy", "hello")
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "parley: id=") || !strings.Contains(last, "outcome=submitted touched=entered reason=") {
		t.Errorf("last line on stderr: %q", last)
	}
}
