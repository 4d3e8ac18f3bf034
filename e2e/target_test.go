package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley"
)

// TestWrongTarget: each row of the contract's table of what is there instead.
// Nothing is typed, and what was meant for the old process stays refused. H27,
// H29, H33, H46, H47.
func TestWrongTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		do      func(b *buddy)
		outcome parley.Outcome
		why     parley.Reason
	}{
		{"respawned with another program", func(b *buddy) { b.respawn("cat") }, parley.Gone, parley.ReasonWrongProcess},
		{"server restarted, same %id", func(b *buddy) { b.restarted() }, parley.Gone, parley.ReasonWrongProcess},
		{"server restarted, no such %id", func(b *buddy) { b.s.rig.Restart() }, parley.Gone, parley.ReasonNotAnAgent},
		{"same CLI in the same shell", func(b *buddy) { b.quit(); b.start() }, parley.Gone, parley.ReasonWrongProcess},
		{"same CLI respawned", func(b *buddy) { b.quit(); b.respawn("/bin/sh"); b.start() }, parley.Gone, parley.ReasonWrongProcess},
		{"exited to a shell", func(b *buddy) { b.quit() }, parley.Gone, parley.ReasonNotAnAgent},
		{"killed, its box still drawn", func(b *buddy) { b.killed() }, parley.Gone, parley.ReasonNotAnAgent},
		{"dead pane", func(b *buddy) {
			b.s.rig.Tmux("set-option", "-p", "-t", b.pane, "remain-on-exit", "on")
			b.quit()
			b.command("exit")
			b.s.until("the pane is dead", func() bool { return b.format("#{pane_dead}") == "1" })
		}, parley.Gone, parley.ReasonNotAnAgent},
		{"pane closed", func(b *buddy) { b.s.rig.Tmux("kill-pane", "-t", b.pane) }, parley.Gone, parley.ReasonNotAnAgent},
		{"stopped by a signal", func(b *buddy) { b.stop() }, parley.Deferred, parley.ReasonSuspended},
		{"suspended by Ctrl+Z", func(b *buddy) { b.keys("C-z"); b.atShell() }, parley.Deferred, parley.ReasonSuspended},
		{"copy mode", func(b *buddy) { b.s.rig.Tmux("copy-mode", "-t", b.pane) }, parley.Deferred, parley.ReasonCopyMode},
		{"a pager of tmux", func(b *buddy) { b.s.rig.Tmux("choose-tree", "-t", b.pane) }, parley.Deferred, parley.ReasonCopyMode},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", "")
			s.parley("status")
			c.do(b)
			b.mark()
			body := "touch " + filepath.Join(s.home, "never")
			r := s.send("buddy", body, "--wait", "0")
			s.wants(r, c.outcome, c.why)
			b.agrees(r)
			// Again, and by hand: an end stays an end, a deferral stays untyped.
			again := s.deliver(r.ID, "--wait", "0")
			s.wants(again, c.outcome, c.why)
			b.agrees(again)
			if out, err := s.rig.TryTmux("", "capture-pane", "-p", "-t", b.pane); err == nil && strings.Contains(out, r.ID.Tag()) {
				t.Errorf("the message stands on the screen:\n%s", out)
			}
			if _, err := os.Stat(filepath.Join(s.home, "never")); err == nil {
				t.Error("a shell ran the message")
			}
		})
	}
}

// TestSuspendedComesBack: brought back by fg, the agent gets what had waited.
func TestSuspendedComesBack(t *testing.T) {
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	b.keys("C-z")
	b.atShell()
	b.mark()
	r := s.send("buddy", "after your rest", "--wait", "0")
	s.wants(r, parley.Deferred, parley.ReasonSuspended)
	b.agrees(r)
	b.command("fg")
	b.waitFor("resume")
	b.mark()
	r = s.deliver(r.ID, "--wait", "20s")
	s.wants(r, parley.Submitted, "")
	b.agrees(r)
}

// TestTakenUpAgain: `status` takes up a new process under a name that was only
// found; a name that somebody gave stays with the old one until it is given
// again. What was meant for the old process is typed into neither.
func TestTakenUpAgain(t *testing.T) {
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("join", "--as", "given", "--pane", b.pane)
	s.parley("status")
	other := s.practice("other", "")
	s.parley("status")
	for _, x := range []*buddy{b, other} {
		x.quit()
		x.start()
		x.mark()
	}
	old := map[string]parley.Receipt{}
	for _, name := range []string{"given", "other"} {
		old[name] = s.send(name, "for the one before", "--wait", "0")
		s.wants(old[name], parley.Gone, parley.ReasonWrongProcess)
	}
	if st := s.parley("status"); st.code != 0 {
		t.Fatalf("status: exit %d: %s", st.code, st.err)
	}
	s.wants(s.send("given", "for the new one", "--wait", "0"), parley.Gone, parley.ReasonWrongProcess)
	b.agrees(parley.Receipt{Touched: parley.None})
	r := s.send("other", "for the new one")
	s.wants(r, parley.Submitted, "")
	other.agrees(r)
	if got := s.parley("join", "--as", "given", "--pane", b.pane); got.code != 0 {
		t.Fatalf("join again: exit %d: %s", got.code, got.err)
	}
	r = s.send("given", "for the new one, once more")
	s.wants(r, parley.Submitted, "")
	b.agrees(r)
	for name, r := range old {
		s.wants(s.deliver(r.ID, "--wait", "0"), parley.Gone, parley.ReasonWrongProcess)
		if x := map[string]*buddy{"given": b, "other": other}[name]; x.prompts(r.ID) != 0 {
			t.Errorf("%s: what was meant for the old process reached the new one", name)
		}
	}
}

// TestTargetChangesInMidWalk: at each call of a sender, the agent ends and a
// program that writes down every byte it is given has its keys; or the pane
// holds another program, another agent, or is in copy mode. Not a byte of the
// message and no key reach what was not meant, and the receipt is honest.
func TestTargetChangesInMidWalk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(b *buddy) string
		may    []parley.Reason
	}{
		{"killed", func(b *buddy) string {
			return fmt.Sprintf("kill -9 %d; until [ -e %s ]; do sleep 0.01; done", b.pid(), b.swallowed())
		}, []parley.Reason{parley.ReasonNotAnAgent, parley.ReasonWrongProcess}},
		{"respawned", func(b *buddy) string {
			return fmt.Sprintf(`%s respawn-pane -k -t %s 'stty raw -echo; : > %[3]s; exec cat >> %[3]s'; until [ -e %[3]s ]; do sleep 0.01; done`, b.tmux(), b.pane, b.swallowed())
		}, []parley.Reason{parley.ReasonNotAnAgent, parley.ReasonWrongProcess}},
		{"copy mode", func(b *buddy) string { return fmt.Sprintf("%s copy-mode -t %s", b.tmux(), b.pane) }, []parley.Reason{parley.ReasonCopyMode}},
		{"stopped", func(b *buddy) string {
			return fmt.Sprintf("kill -STOP %d; until [ -e %s ]; do sleep 0.01; done", b.pid(), b.swallowed())
		}, []parley.Reason{parley.ReasonSuspended, parley.ReasonWrongProcess}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			steps := s.steps()
			seen := map[string]int{}
			for at := 1; at <= steps; at += times(2, 1, 1) {
				for _, mode := range []string{runFirst, runLast} {
					r := s.changedAt(fmt.Sprintf("b%d%s", at, mode[:5]), c.change, at, mode)
					seen[fmt.Sprintf("%s %s %s", r.Outcome, r.Touched, r.Reason)]++
					if r.Outcome != parley.Submitted && !contains(c.may, r.Reason) {
						t.Errorf("%s call %d: %s (%s), want one of %v", mode, at, r.Outcome, r.Reason, c.may)
					}
				}
			}
			t.Logf("%v", seen)
		})
	}
}

func contains(all []parley.Reason, r parley.Reason) bool {
	for _, a := range all {
		if a == r {
			return true
		}
	}
	return false
}

// steps is how many calls a sender makes when all goes well.
func (s *stage) steps() int {
	s.Helper()
	s.practice("clean", "")
	s.parley("status")
	w := s.wrapper()
	s.finish(w.command(0, "", "", "send", "clean", "a clean run"))
	return w.calls()
}

// changedAt makes one send to an agent of its own whose pane is changed at one
// of the sender's calls.
func (s *stage) changedAt(name string, change func(*buddy) string, at int, mode string) parley.Receipt {
	s.Helper()
	b := s.place(name, "")
	// Behind the agent waits a program that keeps what it is given.
	b.respawn(fmt.Sprintf("set -m; %s; stty raw -echo; : > %[2]s; exec cat >> %[2]s", b.line(), b.swallowed()))
	b.waitFor("listening")
	s.parley("status")
	w := s.wrapper()
	b.mark()
	got := s.finish(w.command(at, mode, change(b), "send", "--json", "--wait", "0", name, "hello"))
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil || r.Outcome == "" {
		s.Errorf("%s call %d: exit %d: %s%s", mode, at, got.code, got.out, got.err)
	}
	// What the agent had not read yet when it ended, the next reader gets: no
	// sender can call it back. Nothing may be asked for after that.
	bytes, _ := os.ReadFile(b.swallowed())
	if len(bytes) > 0 && (r.Touched == parley.None || strings.Contains(string(bytes), "\r") && (mode == runFirst || r.Touched != parley.Entered)) {
		s.Errorf("%s call %d: %q reached what was not meant: %+v", mode, at, bytes, r)
	}
	s.honest(b, r)
	s.rig.Tmux("kill-session", "-t", "="+name)
	return r
}

// honest holds a receipt against what the agent had got before it ended.
func (s *stage) honest(b *buddy, r parley.Receipt) {
	s.Helper()
	pastes, keys := b.count("paste", nil), len(b.pressed())
	switch {
	case r.Touched == parley.None && pastes+keys == 0:
	case r.Touched == parley.Pasted && keys == 0: // what it did not read before it ended is lost
	case r.Touched == parley.Entered && keys <= 1:
	default:
		s.Errorf("touched %s: %d pastes, %d keys: %+v", r.Touched, pastes, keys, r)
	}
}

// swallowed is where the program behind the agent keeps what it is given.
func (b *buddy) swallowed() string { return filepath.Join(b.home, "swallowed") }

// tmux is a tmux command line up to the verb.
func (b *buddy) tmux() string { return "tmux -S " + b.s.rig.Socket() }

// respawn puts another command into the pane.
func (b *buddy) respawn(command string) {
	b.s.Helper()
	b.s.rig.Tmux("respawn-pane", "-k", "-t", b.pane, "/bin/sh", "-c", command)
}

// restarted puts the agent into the pane of the same number of another server.
func (b *buddy) restarted() {
	b.s.Helper()
	old := b.pane
	b.s.rig.Restart()
	again := b.s.place(b.name, "")
	if b.pane = again.pane; b.pane != old {
		b.s.Fatalf("the new server's pane is %s, not %s", b.pane, old)
	}
	b.start()
}

func (b *buddy) quit() {
	b.s.Helper()
	b.mark()
	b.command("/quit")
	b.waitFor("exit")
	b.atShell()
}

func (b *buddy) killed() {
	b.s.Helper()
	b.s.shell(fmt.Sprintf("kill -9 %d", b.pid()))
	b.atShell()
}

func (b *buddy) format(f string) string {
	return b.s.rig.Tmux("display-message", "-p", "-t", b.pane, f)
}

// prompts counts how often a message became a prompt.
func (b *buddy) prompts(id parley.ID) (n int) {
	for _, e := range b.events() {
		if e.Kind == "submit" && strings.Contains(e.Text, id.Tag()) {
			n++
		}
	}
	return n
}
