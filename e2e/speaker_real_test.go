//go:build real

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley"
	"parley/e2e/rig"
	"parley/internal/modelstub"
)

// free lets each CLI run its shell tool without asking.
var free = map[string][]string{
	"claude": {"--allowedTools", "Bash(sh:*)"},
	"codex":  {"--dangerously-bypass-approvals-and-sandbox"},
}

// shellTools are the names of the CLIs' shell tools.
var shellTools = []string{"Bash", "exec_command", "shell_command", "shell", "bash"}

// runs is a model that runs what stands behind RUN: in a prompt, and answers.
func runs(p modelstub.Prompt) modelstub.Reply {
	_, line, ok := strings.Cut(p.Text, "RUN:")
	if p.Side || !ok || len(p.Results) > 0 {
		return modelstub.Words(p)
	}
	line, _, _ = strings.Cut(line, " [#")
	for _, name := range shellTools {
		if p.Offers(name) {
			arg := "command"
			if name == "exec_command" {
				arg = "cmd"
			}
			return modelstub.Reply{Call: &modelstub.Call{Tool: name, Args: map[string]any{arg: line}}}
		}
	}
	return modelstub.Reply{Text: "no shell"}
}

// voice is an agent whose tool runs parley.
type voice struct {
	*stage
	a *rig.Agent
	n int
}

// says has the agent's own shell tool run parley, and returns what it printed.
// env are NAME=value words before the command.
func (v *voice) says(env string, args ...string) ran {
	v.Helper()
	v.n++
	base := filepath.Join(v.a.Cwd, fmt.Sprintf("%s-%d", v.a.Session, v.n))
	quoted := ""
	for _, a := range args {
		quoted += " '" + a + "'"
	}
	script := fmt.Sprintf("export PARLEY_HOME='%s'\n%s '%s' --tmux-socket '%s'%s >%s.out 2>%s.err\necho $? >%s.tmp; mv %s.tmp %s.code\n",
		v.state(), env, bin, v.rig.Socket(), quoted, base, base, base, base, base)
	if err := os.WriteFile(base+".sh", []byte(script), 0o600); err != nil {
		v.Fatal(err)
	}
	v.a.Submit(fmt.Sprintf("lead: RUN:sh %s.sh [#bbbb%04d]", base, v.n))
	v.a.Until("the end of the command", func(rig.Look) bool { _, err := os.Stat(base + ".code"); return err == nil })
	v.a.Ready()
	read := func(end string) string { b, _ := os.ReadFile(base + end); return string(b) }
	code, _ := strconv.Atoi(strings.TrimSpace(read(".code")))
	return ran{out: read(".out"), err: read(".err"), code: code}
}

// from checks a receipt's author.
func (v *voice) from(got ran, name string, claimed bool) {
	v.Helper()
	var r parley.Receipt
	if err := json.Unmarshal([]byte(got.out), &r); err != nil || got.code != 0 {
		v.Errorf("exit %d: %v\n%s%s", got.code, err, got.out, got.err)
		return
	}
	if string(r.From) != name || r.Claimed != claimed {
		v.Errorf("from %s, claimed %v; want %s, %v", r.From, r.Claimed, name, claimed)
	}
}

// refuses checks a refusal before anything was saved.
func (v *voice) refuses(got ran, says string) {
	v.Helper()
	if got.code != 2 || !strings.Contains(got.err, says) {
		v.Errorf("exit %d, want 2 and %q: %s%s", got.code, says, got.out, got.err)
	}
}

// TestRealSpeaker: a send run by an agent's own shell tool is that agent's, and
// nobody else's, whatever it claims. H30, H31, H32.
func TestRealSpeaker(t *testing.T) {
	for _, cli := range realCLIs[:times(1, 6, 6)] {
		t.Run(cli.String(), func(t *testing.T) {
			s := newStage(t)
			b := s.practice("buddy", "")
			v := &voice{stage: s, a: s.rig.Start(cli, rig.Opts{Session: "alpha", Args: free[cli.Name]})}
			v.a.Stub.Answer(runs)
			v.from(v.says("", "send", "--json", "buddy", "from inside"), "alpha", false)
			if n := b.count("submit", nil); n != 1 {
				t.Errorf("buddy got %d prompts, want 1", n)
			}
			v.refuses(v.says("USER=dana", "send", "--from", "dana", "buddy", "as the person"), "cannot speak as dana")
			v.refuses(v.says("", "send", "alpha", "to myself"), "cannot send to itself")
			if times(0, 1, 1) == 0 {
				return
			}
			v.refuses(v.says("", "send", "--from", "buddy", "buddy", "as another"), "cannot speak as buddy")
			v.from(v.says("TMUX_PANE="+b.pane, "send", "--json", "buddy", "another pane"), "alpha", false)
			v.from(v.says("CODEX_THREAD_ID=01990000-0000-7000-8000-000000000000", "send", "--json", "buddy", "another thread"), "alpha", false)
			// The default pane is the one that the tool descends from.
			if got := v.says("TMUX_PANE="+b.pane, "join", "--as", "second", "--json"); got.code != 0 || !strings.Contains(got.out, `"`+v.a.Pane+`"`) {
				t.Errorf("join: exit %d, want pane %s: %s%s", got.code, v.a.Pane, got.out, got.err)
			}
			v.from(v.says("", "send", "--json", "buddy", "by its given name"), "second", false)
			v.refuses(v.says("", "send", "alpha", "to myself by my other name"), "cannot send to itself")
			if n := s.count("dana"); n != 0 {
				t.Errorf("%d messages in the person's inbox", n)
			}
		})
	}
}

// TestRealSharedDaemon: two Codex panes share one daemon, which runs the tools
// of both and was started by the first. Nobody is taken for the first; a
// conversation's author is known once a message has proven whose it is.
func TestRealSharedDaemon(t *testing.T) {
	s := newStage(t)
	b := s.practice("buddy", "")
	a := s.rig.Start(rig.CLI{Name: "codex", Version: "0.171.0"}, rig.Opts{Session: "alpha", Daemon: true, Args: free["codex"]})
	a.Stub.Answer(runs)
	alpha := &voice{stage: s, a: a}
	bravo := &voice{stage: s, a: a.Beside("bravo")}
	s.parley("status")
	for _, v := range []*voice{alpha, bravo} {
		v.refuses(v.says("", "send", "buddy", "who am I?"), "shared daemon")
		v.refuses(v.says("", "join", "--as", "me"), "--pane")
		v.refuses(v.says("", "send", "--from", "alpha", "buddy", "as the first"), "live agent")
	}
	if n := b.count("submit", nil); n != 0 {
		t.Errorf("buddy got %d prompts from nobody", n)
	}
	for _, v := range []*voice{bravo, alpha} {
		if r := s.send(v.a.Session, "so that you are known", "--wait", "20s"); r.Outcome != parley.Submitted {
			t.Fatalf("%s: %+v", v.a.Session, r)
		}
		v.a.Ready()
		v.from(v.says("", "send", "--json", "buddy", "I am "+v.a.Session), v.a.Session, false)
	}
	bravo.from(bravo.says("", "send", "--json", "buddy", "still bravo"), "bravo", false)
	// Another's conversation cannot be put on, and outside the daemon it says nothing.
	thread := s.sessionOf("bravo")
	if thread == "" || thread == s.sessionOf("alpha") {
		t.Fatalf("sessions: bravo %q, alpha %q", thread, s.sessionOf("alpha"))
	}
	alpha.refuses(alpha.says("CODEX_THREAD_ID="+thread, "send", "buddy", "as bravo"), "shared daemon")
	c := s.command("send", "--json", "buddy", "from a person's shell")
	c.Env = s.env("CODEX_THREAD_ID="+thread, "CODEX_SESSION_ID="+thread, "TMUX_PANE="+a.Pane)
	alpha.from(s.finish(c), "dana", true)
}

// sessionOf is the conversation that status knows of an agent.
func (s *stage) sessionOf(name string) string {
	var st struct{ Session string }
	json.Unmarshal([]byte(s.parley("status", name, "--json").out), &st)
	return st.Session
}
