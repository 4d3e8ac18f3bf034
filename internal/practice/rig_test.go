package practice

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/screen"
	"parley/internal/vt"
)

// TestMain makes the test binary the agent itself when a rig starts it.
func TestMain(m *testing.M) {
	if os.Getenv("PARLEY_PRACTICE_TEST") == "agent" {
		os.Exit(Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// until looks again and again for up to ten seconds.
func until(t testing.TB, what string, look func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if look() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// rig is one agent in a pane of a tmux server of its own.
type rig struct {
	t      testing.TB
	socket string
	dir    string
	log    string
}

// startRig runs the agent, as shell says: "exec "+agent for the agent alone.
func startRig(t testing.TB, quirks string) *rig { return startRigIn(t, quirks, "exec %s") }

func startRigIn(t testing.TB, quirks, shell string) *rig {
	t.Helper()
	if testing.Short() {
		t.Skip("needs tmux and time")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	dir := t.TempDir()
	run, err := os.MkdirTemp("", "practice") // short: a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: dir, log: filepath.Join(dir, "log"), socket: filepath.Join(run, "tmux")}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	agent := fmt.Sprintf("env PARLEY_PRACTICE_TEST=agent %s --home %s/home --log %s", self, dir, r.log)
	if quirks != "" {
		file := filepath.Join(dir, "quirks.toml")
		if err := os.WriteFile(file, []byte(quirks), 0o600); err != nil {
			t.Fatal(err)
		}
		agent += " --quirks " + file
	}
	r.tmux("", "new-session", "-d", "-x", "80", "-y", "24", fmt.Sprintf(shell, agent))
	pid, err := strconv.Atoi(strings.TrimSpace(r.tmux("", "display-message", "-p", "#{pid}")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer os.RemoveAll(run)
		syscall.Kill(pid, syscall.SIGTERM)
		for range 200 {
			if exec.Command("tmux", "-S", r.socket, "-f", "/dev/null", "list-sessions").Run() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		syscall.Kill(pid, syscall.SIGKILL)
	})
	until(t, "the agent has drawn its box", func() bool { return strings.Contains(r.screen(), "»\u00a0") })
	return r
}

func (r *rig) tmux(stdin string, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", r.socket, "-f", "/dev/null"}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

func (r *rig) screen() string { return r.tmux("", "capture-pane", "-p") }
func (r *rig) get(format string) string {
	return strings.TrimSuffix(r.tmux("", "display-message", "-p", format), "\n")
}

// typeKeys sends text as plain keys and then the named ones.
func (r *rig) typeKeys(text string, keys ...string) {
	r.t.Helper()
	if text != "" {
		r.tmux("", "send-keys", "-l", "--", text)
	}
	if len(keys) > 0 {
		r.tmux("", append([]string{"send-keys"}, keys...)...)
	}
}

// paste pastes text in brackets, then presses keys, in one tmux command.
func (r *rig) paste(text string, keys ...string) {
	r.t.Helper()
	args := []string{"load-buffer", "-b", "b", "-", ";", "paste-buffer", "-p", "-r", "-d", "-b", "b"}
	if len(keys) > 0 {
		args = append(append(args, ";", "send-keys"), keys...)
	}
	r.tmux(text, args...)
}

func vtCapture(r *rig) screen.Screen {
	return vt.Capture([]byte(r.tmux("", "capture-pane", "-p", "-e")), 80, 24, screen.Cursor{}, false, "")
}

func (r *rig) events(kind string) []Event {
	r.t.Helper()
	all, err := ReadLog(r.log)
	if err != nil {
		r.t.Fatal(err)
	}
	var some []Event
	for _, e := range all {
		if e.Kind == kind {
			some = append(some, e)
		}
	}
	return some
}

// event waits for the nth (from 1) of a kind.
func (r *rig) event(kind string, nth int) Event {
	r.t.Helper()
	until(r.t, fmt.Sprintf("event %s %d", kind, nth), func() bool { return len(r.events(kind)) >= nth })
	return r.events(kind)[nth-1]
}

func (r *rig) shows(text string) {
	r.t.Helper()
	until(r.t, "on screen: "+text, func() bool { return strings.Contains(r.screen(), text) })
}

// boxText is what stands between the last two rules, marks left out.
func (r *rig) boxText() string { return boxOf(r.screen()) }

func boxOf(screen string) string {
	rows := strings.Split(screen, "\n")
	var rules []int
	for y, row := range rows {
		if strings.HasPrefix(row, ruleGlyph) {
			rules = append(rules, y)
		}
	}
	if len(rules) < 2 {
		return "no box"
	}
	var text []string
	for _, row := range rows[rules[len(rules)-2]+1 : rules[len(rules)-1]] {
		row = strings.TrimPrefix(row, promptMark)
		text = append(text, strings.TrimPrefix(row, "  "))
	}
	return strings.Join(text, "\n")
}

func (r *rig) transcript() []Line {
	r.t.Helper()
	names, _ := filepath.Glob(filepath.Join(r.dir, "home", "sessions", "*.jsonl"))
	if len(names) != 1 {
		r.t.Fatalf("transcripts: %q", names)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		r.t.Fatal(err)
	}
	var lines []Line
	for row := range strings.Lines(string(data)) {
		var l Line
		if err := json.Unmarshal([]byte(row), &l); err != nil {
			r.t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

func (r *rig) roles(role string) []string {
	var texts []string
	for _, l := range r.transcript() {
		if l.Role == role {
			texts = append(texts, l.Text)
		}
	}
	return texts
}
