package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/e2e/rig"
	"parley/internal/practice"
)

// stage is a tmux server, a state folder and a person's environment.
type stage struct {
	testing.TB
	rig  *rig.Rig
	home string // HOME of whoever runs parley
}

func newStage(t testing.TB) *stage {
	t.Helper()
	r := rig.New(t)
	home := filepath.Join(r.Dir(), "person")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return &stage{TB: t, rig: r, home: home}
}

// env is a clean environment for parley: nothing of the machine's own.
func (s *stage) env(extra ...string) []string {
	return append([]string{"HOME=" + s.home, "USER=dana", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
		"PARLEY_HOME=" + s.state()}, extra...)
}

func (s *stage) state() string { return filepath.Join(s.home, "state") }

// ran is what one call of parley printed and how it ended.
type ran struct {
	out, err string
	code     int
}

// command prepares one call of parley on the stage's tmux server.
func (s *stage) command(args ...string) *exec.Cmd {
	c := exec.Command(bin, append([]string{"--tmux-socket", s.rig.Socket()}, args...)...)
	c.Env, c.Dir = s.env(), s.home
	return c
}

// parley runs one call to its end.
func (s *stage) parley(args ...string) ran {
	s.Helper()
	return s.finish(s.command(args...))
}

func (s *stage) finish(c *exec.Cmd) ran {
	s.Helper()
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatalf("run %v: %v", c.Args, err)
	}
	return ran{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// send sends body through standard input and returns the receipt.
func (s *stage) send(to, body string, flags ...string) parley.Receipt {
	s.Helper()
	c := s.command(append(append([]string{"send", "--json"}, flags...), to, "-")...)
	c.Stdin = strings.NewReader(body)
	r := s.finish(c)
	var rec parley.Receipt
	if err := json.Unmarshal([]byte(r.out), &rec); err != nil {
		s.Fatalf("send %s: exit %d, no receipt: %v\n%s%s", to, r.code, err, r.out, r.err)
	}
	if want := rec.Outcome.ExitCode(); r.code != want {
		s.Errorf("exit %d for outcome %s, want %d", r.code, rec.Outcome, want)
	}
	return rec
}

// buddy is a practice agent in a tmux session of its own.
type buddy struct {
	s       *stage
	name    string
	pane    string
	log     string
	home    string
	quirks  string
	started int // events in the log when a test began to count
}

// practice starts a practice agent and waits until it listens.
func (s *stage) practice(name string, quirks string) *buddy {
	s.Helper()
	b := s.place(name, quirks)
	b.start()
	return b
}

// practiceDrawn starts one and waits only until its box is drawn.
func (s *stage) practiceDrawn(name string, quirks string) *buddy {
	s.Helper()
	b := s.place(name, quirks)
	b.launch()
	b.sees("enter sends")
	return b
}

// place makes a pane with a shell for an agent.
func (s *stage) place(name string, quirks string) *buddy {
	s.Helper()
	b := &buddy{s: s, name: name, home: filepath.Join(s.rig.Dir(), name)}
	if err := os.MkdirAll(b.home, 0o700); err != nil {
		s.Fatal(err)
	}
	b.log = filepath.Join(b.home, "log.jsonl")
	if quirks != "" {
		b.quirks = filepath.Join(b.home, "quirks.toml")
		if err := os.WriteFile(b.quirks, []byte(quirks), 0o600); err != nil {
			s.Fatal(err)
		}
	}
	b.pane = s.rig.Tmux("new-session", "-d", "-P", "-F", "#{pane_id}", "-s", name, "-x", "100", "-y", "30", "/bin/sh")
	return b
}

// start types the agent's command into the pane's shell, as a person would,
// and waits until the agent listens.
func (b *buddy) start() {
	b.s.Helper()
	n := len(b.events())
	b.launch()
	b.s.until("the practice agent listens", func() bool {
		for _, e := range b.events()[n:] {
			if e.Kind == "listening" {
				return true
			}
		}
		return false
	})
}

func (b *buddy) launch() {
	b.s.Helper()
	b.s.rig.Tmux("send-keys", "-t", b.pane, "-l", b.line())
	b.s.rig.Tmux("send-keys", "-t", b.pane, "Enter")
}

// line is the command line that starts the agent.
func (b *buddy) line() string {
	cmd := "env -i HOME=" + b.home + " TERM=tmux-256color LANG=C.UTF-8 PATH=/usr/bin:/bin " + bin + " practice --home " + b.home + " --log " + b.log
	if b.quirks != "" {
		cmd += " --quirks " + b.quirks
	}
	return cmd
}

// events reads the agent's own log.
func (b *buddy) events() []practice.Event {
	f, err := os.Open(b.log)
	if err != nil {
		return nil
	}
	defer f.Close()
	var out []practice.Event
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 8<<20)
	for sc.Scan() {
		var e practice.Event
		if json.Unmarshal(sc.Bytes(), &e) == nil {
			out = append(out, e)
		}
	}
	return out
}

// count counts events of a kind since the mark.
func (b *buddy) count(kind string, match func(practice.Event) bool) int {
	n := 0
	for _, e := range b.events()[b.started:] {
		if e.Kind == kind && (match == nil || match(e)) {
			n++
		}
	}
	return n
}

// mark begins to count from here.
func (b *buddy) mark() { b.started = len(b.events()) }

func (b *buddy) keys(keys ...string) {
	b.s.rig.Tmux(append([]string{"send-keys", "-t", b.pane}, keys...)...)
}

// typed types text as bare characters.
func (b *buddy) typed(text string) { b.s.rig.Tmux("send-keys", "-t", b.pane, "-l", text) }

func (b *buddy) screen() string { return b.s.rig.Tmux("capture-pane", "-p", "-t", b.pane) }

// sees waits until a text stands on the agent's screen.
func (b *buddy) sees(text string) {
	b.s.Helper()
	b.s.until("on screen: "+text, func() bool { return strings.Contains(b.screen(), text) })
}

// until waits for a state; 30 s without it fail the test.
func (s *stage) until(what string, look func() bool) {
	s.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !look() {
		if time.Now().After(deadline) {
			s.Fatalf("never happened: %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// onlyPressed reports the keys that reached the agent outside pastes.
func (b *buddy) pressed() []string {
	var out []string
	for _, e := range b.events()[b.started:] {
		if e.Kind == "key" {
			out = append(out, e.Key)
		}
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }

// shell runs a line of sh and returns what it printed.
func (s *stage) shell(line string) string {
	out, _ := exec.Command("/bin/sh", "-c", line).CombinedOutput()
	return string(out)
}
