//go:build real

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley"
	"parley/e2e/rig"
)

// TestRealWrongTarget walks each real CLI through what can stand in its pane
// instead of it: nothing is typed, the outcome is the contract's, and what was
// deferred goes out when its pane is as it was. H27, H29, H33.
func TestRealWrongTarget(t *testing.T) {
	for _, cli := range realCLIs[times(1, 0, 0):times(2, 6, 6)] {
		t.Run(cli.String(), func(t *testing.T) {
			s := newStage(t)
			p := &place{stage: s, cli: cli, a: s.rig.Start(cli, rig.Opts{Session: "agent"})}
			p.parley("status")
			p.parley("join", "--as", "given", "--pane", p.a.Pane)
			whole := times(0, 1, 1) == 1 // the practice agent shows the rest at every depth
			if whole {
				p.states()
			}
			p.stopped()
			p.exited()
			p.again()
			p.other()
			if whole {
				p.restarted()
			}
		})
	}
}

// place is where a real CLI stood.
type place struct {
	*stage
	cli rig.CLI
	a   *rig.Agent
	n   int
}

// refused sends to both names of the agent; none may be typed.
func (p *place) refused(o parley.Outcome, why ...parley.Reason) parley.Receipt {
	p.Helper()
	p.n++
	never := filepath.Join(p.home, "never")
	var r parley.Receipt
	for _, to := range []string{"given", "agent"} {
		r = p.send(to, fmt.Sprintf("touch %s # %d", never, p.n), "--wait", "0")
		if r.Outcome != o || !contains(why, r.Reason) || r.Touched != parley.None {
			p.Errorf("%s: %s (%s), touched %s, want %s %v\n%s", to, r.Outcome, r.Reason, r.Touched, o, why, p.a.Capture())
		}
		if l := p.a.Capture(); strings.Contains(l, r.ID.Tag()) {
			p.Errorf("%s: the message stands on the screen:\n%s", to, l)
		}
	}
	if _, err := os.Stat(never); err == nil {
		p.Error("a shell ran the message")
	}
	return r
}

// states are the pane's own.
func (p *place) states() {
	p.Helper()
	for _, c := range []struct {
		on, off []string
		why     parley.Reason
	}{
		{[]string{"copy-mode", "-t", p.a.Pane}, []string{"send-keys", "-X", "-t", p.a.Pane, "cancel"}, parley.ReasonCopyMode},
		{[]string{"select-pane", "-d", "-t", p.a.Pane}, []string{"select-pane", "-e", "-t", p.a.Pane}, parley.ReasonInputOff},
		{[]string{"set-option", "-w", "-t", p.a.Pane, "synchronize-panes", "on"}, []string{"set-option", "-w", "-t", p.a.Pane, "synchronize-panes", "off"}, parley.ReasonSynchronized},
	} {
		p.rig.Tmux(c.on...)
		r := p.refused(parley.Deferred, c.why)
		p.rig.Tmux(c.off...)
		// One name first: the other's message meets a turn that runs, or none.
		for _, to := range []string{"agent", "given"} {
			if got := p.parley("send", to, "now again", "--wait", "20s"); got.code != 0 {
				p.Errorf("%v is over, and yet %s gets nothing: %s", c.on, to, got.err)
			}
		}
		p.prompted(p.a, "[#"+r.ID.Tag()+"]") // older ones go first
		p.a.Ready()
	}
}

// stopped: the CLI sleeps behind another program that has the terminal. The
// shell of the rig would end a stopped job when it makes room for another.
func (p *place) stopped() {
	p.Helper()
	script, err := os.ReadFile(p.script())
	if err != nil {
		p.Fatal(err)
	}
	slept := strings.Replace(string(script), "exec /bin/bash --norc --noprofile -i", "sleep 100000", 1)
	if err := os.WriteFile(p.script()+"-sleep", []byte(slept), 0o600); err != nil {
		p.Fatal(err)
	}
	p.begin(p.script() + "-sleep")
	p.parley("status")
	p.parley("join", "--as", "given", "--pane", p.a.Pane)
	p.shell(fmt.Sprintf("kill -STOP -%d", p.a.PID()))
	p.until("another program in front", func() bool { return p.front() == "sleep" })
	p.refused(parley.Deferred, parley.ReasonSuspended)
	if st := p.parley("status", "agent", "--json"); !strings.Contains(st.out, "suspended") {
		p.Errorf("status does not say that it is suspended: %s", st.out)
	}
}

func (p *place) front() string {
	return p.rig.Tmux("display-message", "-p", "-t", p.a.Pane, "#{pane_current_command}")
}

// exited: killed with its box still drawn, a shell underneath.
func (p *place) exited() {
	p.Helper()
	p.begin(p.script())
	pid := p.a.PID()
	p.parley("status")
	p.parley("join", "--as", "given", "--pane", p.a.Pane)
	p.shell(fmt.Sprintf("kill -KILL -%d", pid))
	p.until("a shell in front", func() bool { return p.front() == "bash" })
	p.refused(parley.Gone, parley.ReasonNotAnAgent)
}

// script is what the rig has started the CLI by.
func (p *place) script() string { return filepath.Join(filepath.Dir(p.a.Home), "start") }

// begin starts the same CLI anew in the pane.
func (p *place) begin(script string) {
	p.Helper()
	p.rig.Tmux("respawn-pane", "-k", "-t", p.a.Pane, "/bin/sh", script)
	p.a.Found()
	p.a.Ready()
}

// again: the same CLI stands there anew. A name that was found is found again,
// a name that was given is not.
func (p *place) again() {
	p.Helper()
	p.begin(p.script())
	p.refused(parley.Gone, parley.ReasonWrongProcess)
	if st := p.parley("status"); st.code != 0 {
		p.Errorf("status: %s", st.err)
	}
	if r := p.send("agent", "you are found again", "--wait", "20s"); r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
		p.Errorf("found again: %s (%s)", r.Outcome, r.Reason)
	}
	if r := p.send("given", "you are not", "--wait", "0"); r.Outcome != parley.Gone || r.Reason != parley.ReasonWrongProcess {
		p.Errorf("not joined again: %s (%s)", r.Outcome, r.Reason)
	}
	p.parley("join", "--as", "given", "--pane", p.a.Pane)
	if r := p.send("given", "now you are", "--wait", "20s"); r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
		p.Errorf("joined again: %s (%s)", r.Outcome, r.Reason)
	}
	for _, q := range p.a.Stub.Prompts() {
		if q.Says("touch ") && q.Says("/never") && !q.Side && !strings.Contains(q.Text, "# 1") && !strings.Contains(q.Text, "# 2") && !strings.Contains(q.Text, "# 3") {
			p.Errorf("what was meant for the old process was prompted: %q", q.Text)
		}
	}
}

// other: another program stands in the pane.
func (p *place) other() {
	p.Helper()
	p.rig.Tmux("respawn-pane", "-k", "-t", p.a.Pane, "cat")
	p.until("cat in front", func() bool { return p.front() == "cat" })
	p.refused(parley.Gone, parley.ReasonWrongProcess)
}

// restarted: another tmux server has the same CLI in the pane of the same number.
func (p *place) restarted() {
	p.Helper()
	old := p.a.Pane
	p.rig.Restart()
	p.a = p.rig.Start(p.cli, rig.Opts{Session: "agent"})
	if p.a.Pane != old {
		p.Fatalf("the new server's pane is %s, not %s", p.a.Pane, old)
	}
	p.refused(parley.Gone, parley.ReasonWrongProcess)
}
