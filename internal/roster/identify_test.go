package roster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"parley"
	"parley/e2e/rig"
	"parley/internal/dialect"
	"parley/internal/proc"
	"parley/internal/term"
)

// mine knows one CLI, by its command line.
func mine(t *testing.T) dialect.Set {
	t.Helper()
	dir := t.TempDir()
	text := `cli = "mine"
name = "Mine"
status = "proven"
[submit]
key = "Enter"
[process]
argv = ['^(\S*/)?mycli( |$)']
config_env = "MYCLI_HOME"
config_dir = "~/.mycli"
[[box]]
name = "b"
seen = "tests"
prompt = "> "
`
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := dialect.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// onTTY runs a line of bash as the process of a terminal, and gives its pid.
func onTTY(t *testing.T, line string, env ...string) term.Identity {
	t.Helper()
	c := exec.Command("bash", "-c", line)
	c.Env = append([]string{"PATH=/usr/bin:/bin", "HOME=/home/somebody"}, env...)
	c.Dir = t.TempDir()
	host, err := pty.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		host.Close()
	})
	return term.Identity{Server: "1@2", Pane: "%3", PanePID: c.Process.Pid, TTY: "/dev/pts/x", Command: "any"}
}

func until(t *testing.T, what string, look func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !look(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never happened: %s", what)
		}
	}
}

// found waits for the agent in the foreground.
func found(t *testing.T, set dialect.Set, place term.Identity) (a Agent) {
	t.Helper()
	until(t, "an agent runs", func() bool {
		var why parley.Reason
		var err error
		a, why, err = Identify(set, place)
		return err == nil && why == ""
	})
	return a
}

func TestIdentity(t *testing.T) {
	set := mine(t)
	place := onTTY(t, `exec -a mycli sleep 100`)
	a := found(t, set, place)
	if a.Dialect.CLI != "mine" || a.Proc.PID != place.PanePID || a.Config != "/home/somebody/.mycli" || a.Cwd == "" {
		t.Errorf("%+v", a)
	}
	again, _, _ := Identify(set, place)
	if again.Identity != a.Identity {
		t.Errorf("two looks:\n%s\n%s", a.Identity, again.Identity)
	}
	if !SamePlace(a.Identity, place) || !(Member{Identity: a.Identity}).Is(a.Proc) {
		t.Errorf("not its own place or process: %s", a.Identity)
	}
	for name, change := range map[string]func(*term.Identity){
		"server": func(p *term.Identity) { p.Server = "1@3" },
		"pane":   func(p *term.Identity) { p.Pane = "%33" },
		"tty":    func(p *term.Identity) { p.TTY = "/dev/pts/xx" },
		"pid":    func(p *term.Identity) { p.PanePID++ },
	} {
		other := place
		change(&other)
		if SamePlace(a.Identity, other) {
			t.Errorf("another %s is the same place: %s", name, a.Identity)
		}
	}
	place.Command = "another" // an agent's own tool may be in front
	if !SamePlace(a.Identity, place) {
		t.Error("the foreground command's name is part of the place")
	}
	next := a.Proc
	next.Start = "9" + next.Start
	if (Member{Identity: a.Identity}).Is(next) {
		t.Error("the same pid at another time is the same process")
	}
}

// A process that exec's another program keeps its pid and its start time; it
// is not the same agent any more.
func TestExecIsAnotherAgent(t *testing.T) {
	set := mine(t)
	flag := filepath.Join(t.TempDir(), "go")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte(`until [ -e "$1" ]; do sleep 0.01; done; exec -a mycli bash -c 'sleep 100; :' other`), 0o600); err != nil {
		t.Fatal(err)
	}
	place := onTTY(t, `exec -a mycli bash `+script+` `+flag)
	first := found(t, set, place)
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var second Agent
	until(t, "it exec's", func() bool {
		second = found(t, set, place)
		return len(second.Proc.Argv) != len(first.Proc.Argv) || second.Proc.Argv[1] == "-c"
	})
	if !second.Proc.Same(first.Proc) || second.Proc.PID != first.Proc.PID {
		t.Fatalf("the OS says another process: %+v, %+v", first.Proc, second.Proc)
	}
	if second.Identity == first.Identity {
		t.Errorf("still the same agent: %s", second.Identity)
	}
}

// The same program with another config folder is another agent.
func TestConfigIsIdentity(t *testing.T) {
	set := mine(t)
	place := onTTY(t, `exec -a mycli sleep 100`, "MYCLI_HOME=/etc/other")
	if a := found(t, set, place); a.Config != "/etc/other" || !strings.HasSuffix(a.Identity, " config=/etc/other") {
		t.Errorf("%q %s", a.Config, a.Identity)
	}
	place = onTTY(t, `exec -a mycli sleep 100`, "MYCLI_HOME=")
	if a := found(t, set, place); a.Config != "/home/somebody/.mycli" {
		t.Errorf("an empty variable: %q", a.Config)
	}
}

// What is in front when the agent is not: a shell, nothing, the agent asleep.
func TestNobody(t *testing.T) {
	set := mine(t)
	for name, line := range map[string]string{"a shell": "read x", "a shell that speaks of it": "read x; : mycli"} {
		place := onTTY(t, line)
		until(t, name, func() bool { p, err := proc.Read(place.PanePID); return err == nil && len(p.Argv) > 1 })
		if _, why, err := Identify(set, place); why != parley.ReasonNotAnAgent || err != nil {
			t.Errorf("%s: %s %v", name, why, err)
		}
	}
	if _, why, err := Identify(set, term.Identity{PanePID: 1 << 22}); why != parley.ReasonNotAnAgent || err != nil {
		t.Errorf("no process: %s %v", why, err)
	}
	place := onTTY(t, `set -m; bash -c 'exec -a mycli sleep 100' & sleep 0.05; kill -STOP %1; read x`)
	until(t, "it is suspended", func() bool {
		a, why, err := Identify(set, place)
		return why == parley.ReasonSuspended && err == nil && a.Proc.State == 'T' && a.Identity != ""
	})
}

// H28: a name is a tmux session's whole name, whatever its case; with two
// agents in it, it is nobody's.
func TestBySession(t *testing.T) {
	set := mine(t)
	r := rig.New(t)
	agent := `exec bash -c 'exec -a mycli sleep 1000'`
	r.Tmux("new-session", "-d", "-s", "Backend", agent)
	r.Tmux("split-window", "-d", "-t", "=Backend:", "sleep 1000")
	r.Tmux("new-session", "-d", "-s", "backend-2", agent)
	r.Tmux("new-session", "-d", "-s", "empty", "sleep 1000")
	r.Tmux("new-session", "-d", "-s", "two", agent)
	r.Tmux("split-window", "-d", "-t", "=two:", agent)
	until(t, "all run", func() bool {
		all, err := Sightings(t.Context(), set, Where{Tmux: r.Socket()})
		return err == nil && len(all) == 4
	})
	for n, want := range map[parley.Name]parley.Reason{
		"backend": "", "backend-2": "", "back": parley.ReasonNoAgent, "backend-": parley.ReasonNoAgent, "b": parley.ReasonNoAgent,
		"empty": parley.ReasonNoAgent, "two": parley.ReasonAmbiguous, "%0": parley.ReasonNoAgent,
	} {
		s, why, err := BySession(t.Context(), set, Where{Tmux: r.Socket()}, n)
		if why != want || err != nil || want == "" && !strings.EqualFold(s.Tmux, string(n)) {
			t.Errorf("%s: %q %v, in %q", n, why, err, s.Tmux)
		}
	}
	if all, err := Sightings(t.Context(), set, Where{Tmux: r.Socket() + "x"}); err != nil || all != nil {
		t.Errorf("no server: %v %v", all, err)
	}
	// One agent whose window is shown in two places is still one.
	r.Tmux("link-window", "-s", "=backend-2:", "-t", "=backend-2:9")
	if s, why, err := BySession(t.Context(), set, Where{Tmux: r.Socket()}, "backend-2"); why != "" || err != nil || s.Target.Pane == "" {
		t.Errorf("linked twice: %q %v", why, err)
	}
}

// An agent that stops itself with no shell under it keeps the keys of its
// terminal, and is suspended all the same.
func TestStoppedInFront(t *testing.T) {
	set := mine(t)
	place := onTTY(t, `exec -a mycli sleep 100`)
	a := found(t, set, place)
	syscall.Kill(a.Proc.PID, syscall.SIGSTOP)
	var why parley.Reason
	until(t, "suspended", func() bool { _, why, _ = Identify(set, place); return why != "" })
	if why != parley.ReasonSuspended {
		t.Errorf("%s", why)
	}
	syscall.Kill(a.Proc.PID, syscall.SIGCONT)
	until(t, "it goes on", func() bool { b, why, _ := Identify(set, place); return why == "" && b.Identity == a.Identity })
}
