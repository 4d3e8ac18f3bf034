//go:build real

package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachCLI starts each CLI of the cache, pastes one line, presses Enter, and waits
// until the stub was asked exactly that and its answer is on the screen.
func TestEachCLI(t *testing.T) {
	for _, cli := range All {
		t.Run(cli.String(), func(t *testing.T) {
			a := New(t).Start(cli, Opts{Session: "backend"})
			a.Paste("lead: hello there [#aaaa1111]")
			a.Until("the text in the box", func(l Look) bool {
				box, ok := a.BoxIn(l)
				return ok && box == "lead: hello there [#aaaa1111]"
			})
			a.Keys("Enter")
			p := a.Prompt("hello there")
			if p.Text != "lead: hello there [#aaaa1111]" {
				t.Errorf("the model was asked %q", p.Text)
			}
			a.Until("the answer", func(l Look) bool { return strings.Contains(l.String(), "You said: lead: hello") })
			a.Ready()
			if a.PID() == 0 {
				t.Error("no process in the foreground")
			}
			t.Logf("%s\n%s", describe(a), a.Capture())
		})
	}
}

func describe(a *Agent) string {
	var b strings.Builder
	l := a.Look()
	fmt.Fprintf(&b, "command %q title %q alternate %v cursor %v (%d,%d) pid %d\n", l.Command, l.Title, l.Alternate, l.Cursor, l.X, l.Y, a.PID())
	for _, p := range a.Stub.Prompts() {
		var tools []string
		for _, tool := range p.Tools {
			tools = append(tools, tool.Name)
		}
		fmt.Fprintf(&b, "#%d %s %s side=%v text=%.80q tail=%d tools=%v\n", p.Seq, p.API, p.Model, p.Side, p.Text, len(p.Tail), tools)
	}
	return b.String()
}

// TestPermissionDialog has the model call the shell tool, and waits for the CLI's
// question. Pi asks none.
func TestPermissionDialog(t *testing.T) {
	asks := map[string]string{"claude": "Do you want to", "codex": "Would you like to run the following command?"}
	for _, cli := range All {
		ask, ok := asks[cli.Name]
		if !ok {
			continue
		}
		t.Run(cli.String(), func(t *testing.T) {
			a := New(t).Start(cli, Opts{})
			a.Submit("lead: STUB:tool=touch made.txt [#aaaa1111]")
			a.Still("the dialog", func(l Look) bool {
				_, box := a.BoxIn(l)
				return !box && strings.Contains(l.String(), ask)
			})
			if _, err := os.Stat(filepath.Join(a.Cwd, "made.txt")); err == nil {
				t.Error("the command ran without approval")
			}
			a.Keys("Enter") // approves: a person's key
			a.Until("the tool's end", func(l Look) bool { return strings.Contains(l.String(), "The tool has answered.") })
			if _, err := os.Stat(filepath.Join(a.Cwd, "made.txt")); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAttach types through a tmux client, as a person does, into the middle of a session.
func TestAttach(t *testing.T) {
	a := New(t).Start(CLI{"pi", "1.6.0"}, Opts{Cols: 100, Rows: 30})
	c := a.Attach()
	c.Type("by hand")
	a.Until("the typed text", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == "by hand"
	})
	c.Type("\r")
	a.Prompt("by hand")
	c.Close()
	a.Stop()
	if left := livingIn(a.Home); len(left) > 0 {
		t.Errorf("still running after Stop: %v", left)
	}
}

// TestDaemon ends Codex's shared daemon with the test.
func TestDaemon(t *testing.T) {
	r := New(t)
	a := r.Start(CLI{"codex", "0.171.0"}, Opts{Daemon: true})
	a.Submit("hello")
	a.Prompt("hello")
	if n := len(livingIn(a.Home)); n < 3 {
		t.Errorf("%d processes live in its HOME: no daemon", n)
	}
	a.Stop()
	if left := livingIn(a.Home); len(left) > 0 {
		t.Errorf("still running after Stop: %v", left)
	}
}

// TestSteer presses Enter on a message while a tool runs: the stub's log finds it beside
// the tool's result.
func TestSteer(t *testing.T) {
	for _, c := range []struct {
		cli  CLI
		args []string
	}{
		{CLI{"claude", "2.1.332"}, []string{"--allowedTools", "Bash(sleep:*)"}},
		{CLI{"claude", "2.1.197"}, []string{"--allowedTools", "Bash(sleep:*)"}},
		{CLI{"pi", "1.6.0"}, nil},
	} {
		t.Run(c.cli.String(), func(t *testing.T) {
			a := New(t).Start(c.cli, Opts{Args: c.args})
			a.Submit("lead: STUB:tool=sleep 2 [#aaaa1111]")
			a.Prompt("aaaa1111")
			a.Submit("lead: meanwhile [#bbbb2222]")
			p := a.Prompt("bbbb2222")
			t.Logf("text %q tail %q results %q notes %.200q", p.Text, p.Tail, p.Results, p.Notes)
		})
	}
}

// TestQuestion has the model ask by the CLI's question tool, which Claude Code has
// since 2.1 and Codex in plan mode only.
func TestQuestion(t *testing.T) {
	for _, cli := range All[:2] {
		t.Run(cli.String(), func(t *testing.T) {
			a := New(t).Start(cli, Opts{})
			a.Submit("lead: STUB:question=Which colour? [#aaaa1111]")
			a.Prompt("aaaa1111")
			a.Still("the question", func(l Look) bool {
				_, box := a.BoxIn(l)
				return !box && strings.Contains(l.String(), "Which colour?") && strings.Contains(l.String(), "Blue")
			})
		})
	}
}
