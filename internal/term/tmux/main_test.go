package tmux

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

// TestMain makes the test binary the program in a pane, or a second sender.
func TestMain(m *testing.M) {
	run := map[string]func() error{"box": boxProgram, "reader": readerProgram, "clock": clockProgram, "sender": senderProgram, "deaf": deafProgram}
	if role := os.Getenv("PARLEY_TEST_ROLE"); role != "" {
		if err := run[role](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func openLog() (*os.File, error) {
	return os.OpenFile(os.Getenv("PARLEY_TEST_LOG"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

func boxProgram() error {
	log, err := openLog()
	if err != nil {
		return err
	}
	if _, err := xterm.MakeRaw(0); err != nil {
		return err
	}
	cols, rows, err := xterm.GetSize(0)
	if err != nil {
		return err
	}
	return termtest.Program(os.Stdin, os.Stdout, log, cols, rows)
}

// readerProgram logs what arrives byte by byte.
func readerProgram() error {
	log, err := openLog()
	if err != nil {
		return err
	}
	if _, err := xterm.MakeRaw(0); err != nil {
		return err
	}
	fmt.Print("\x1b[?2004hready")
	_, err = io.Copy(log, os.Stdin)
	return err
}

// deafProgram is a reader that reads nothing before it gets SIGUSR1. (tmux
// wakes a program of its own that was stopped.)
func deafProgram() error {
	hear := make(chan os.Signal, 1)
	signal.Notify(hear, syscall.SIGUSR1)
	if _, err := xterm.MakeRaw(0); err != nil {
		return err
	}
	fmt.Print("ready")
	<-hear
	return readerProgram()
}

// clockProgram draws picture after picture, each in one small write: title,
// row and cursor all say the same number.
func clockProgram() error {
	if _, err := xterm.MakeRaw(0); err != nil {
		return err
	}
	for n := 0; ; n++ {
		fmt.Printf("\x1b]2;⠋ %d\a\x1b[H\x1b[2Kn=%d\x1b[2;%dH", n, n, n%60+1)
		time.Sleep(200 * time.Microsecond)
	}
}

// server is a tmux server of one test.
type server struct {
	t   testing.TB
	dir string
	Server
	log string // what the program in %0 received
}

func (s *server) tmux(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("tmux %q: %v %s", args, err, out)
	}
	return out
}

func (s *server) try(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.Socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = append(childEnv(), "HOME="+s.dir, "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// program is the command line by which tmux runs this binary in a role.
func (s *server) program(role, log string) []string {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	return []string{"--", "env", "PARLEY_TEST_ROLE=" + role, "PARLEY_TEST_LOG=" + log, self}
}

// start runs a role in pane %0 of a new server of 80 by 24.
func start(t testing.TB, role string) *server {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	dir, err := os.MkdirTemp("", "pt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &server{t: t, dir: dir, Server: Server{filepath.Join(dir, "s")}, log: filepath.Join(dir, "log")}
	s.boot(role)
	return s
}

func (s *server) boot(role string) {
	s.t.Helper()
	s.tmux(append([]string{"new-session", "-d", "-s", "one", "-x", "80", "-y", "24"}, s.program(role, s.log)...)...)
	pid, err := strconv.Atoi(s.tmux("display-message", "-p", "#{pid}"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { end(pid) })
	s.ready("%0", role)
}

// end kills one server by its pid.
func end(pid int) {
	syscall.Kill(pid, syscall.SIGTERM)
	for range 300 {
		if p, err := proc.Read(pid); err != nil || p.State == 'Z' {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
}

// ready waits until the program has drawn itself.
func (s *server) ready(pane, role string) {
	s.t.Helper()
	want := map[string]string{"box": "\n>", "reader": "ready", "deaf": "ready", "clock": "n="}[role]
	termtest.Until(s.t, "the program is there", func() bool {
		return want == "" || strings.Contains("\n"+s.tmux("capture-pane", "-p", "-t", pane), want)
	})
	if role == "box" { // the cursor is moved last
		termtest.Until(s.t, "the program has drawn", func() bool {
			return s.tmux("display-message", "-p", "-t", pane, "#{cursor_x} #{cursor_flag}") == "2 1"
		})
	}
}

func (s *server) pane(id string) *Pane {
	s.t.Helper()
	p, err := New(s.Socket, id)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// hold is a pane with its lock in hand until the test ends.
func (s *server) hold(id string) *Held {
	s.t.Helper()
	h, err := s.pane(id).Hold(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(h.Release)
	return h
}

// received waits until the reader's log has as many bytes as want, and a
// little longer for one too many.
func (s *server) received(want string) {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if b, _ := os.ReadFile(s.log); len(b) >= len(want) {
			break
		}
	}
	time.Sleep(30 * time.Millisecond)
	if b, _ := os.ReadFile(s.log); string(b) != want {
		s.t.Fatalf("the program received %d bytes %.200q, want %d %.200q", len(b), b, len(want), want)
	}
}

func (s *server) noBuffers() {
	s.t.Helper()
	if left := s.tmux("list-buffers"); left != "" {
		s.t.Errorf("buffers stayed behind: %s", left)
	}
}

func look(t testing.TB, v term.Viewer) term.Snapshot {
	t.Helper()
	snap, err := v.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func TestTmux(t *testing.T) {
	termtest.Run(t, func(t *testing.T) termtest.Harness {
		s := start(t, "box")
		return termtest.Harness{
			Terminal: s.hold("%0"),
			Events:   func() []termtest.Event { return termtest.ReadLog(s.log) },
			Person:   func(text string) { s.tmux("send-keys", "-l", "-t", "%0", text) },
			Replace: func() {
				s.tmux(append([]string{"respawn-pane", "-k", "-t", "%0"}, s.program("box", s.log)...)...)
				s.ready("%0", "box")
			},
			Remove: func() { s.tmux("kill-pane", "-t", "%0") },
		}
	})
}

func locked(t testing.TB, tty string) bool {
	t.Helper()
	f, err := os.OpenFile(tty, os.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}
