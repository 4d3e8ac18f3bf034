package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/termtest"
)

// TestMain makes the test binary the host, or the program in it.
func TestMain(m *testing.M) {
	run := map[string]func() error{"host": hostProgram, "box": boxProgram, "reader": readerProgram, "deaf": deafProgram}
	if role := os.Getenv("PARLEY_TEST_ROLE"); role != "" {
		if err := run[role](); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hostProgram is a host whose Spec comes from the environment; it says on
// descriptor 3 when it is ready.
func hostProgram() error {
	var spec Spec
	if err := json.Unmarshal([]byte(os.Getenv("PARLEY_TEST_SPEC")), &spec); err != nil {
		return err
	}
	if d, err := time.ParseDuration(os.Getenv("PARLEY_TEST_HOLD")); err == nil {
		holdFor = d
	}
	unix.CloseOnExec(3) // the program must not have it too
	said := os.NewFile(3, "ready")
	go func() { io.Copy(io.Discard, os.Stdin); os.Exit(1) }() // the test has ended
	return Run(context.Background(), spec, func(err error) {
		fmt.Fprintln(said, err)
		said.Close()
	})
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

// deafProgram is a reader that reads nothing before it gets SIGUSR1.
func deafProgram() error {
	hear := make(chan os.Signal, 1)
	signal.Notify(hear, syscall.SIGUSR1)
	if _, err := xterm.MakeRaw(0); err != nil {
		return err
	}
	fmt.Print("\x1b[?2004hready")
	<-hear
	return readerProgram()
}

// stage is one host of one test.
type stage struct {
	t     testing.TB
	dir   string
	log   string // what the program received
	pid   int    // of the host
	ended chan struct{}
	*host.Host
}

// start runs a role, or a command, in a new host of 80 by 24.
func start(t testing.TB, role string, more ...string) *stage {
	t.Helper()
	dir, err := os.MkdirTemp("", "ph")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, dir: dir, log: filepath.Join(dir, "log"), ended: make(chan struct{})}
	spec := Spec{Folder: filepath.Join(dir, "run"), ID: host.NewID(), Name: "one", Team: "main", Path: self, Command: []string{self},
		Env: append(os.Environ(), "PARLEY_TEST_ROLE="+role, "PARLEY_TEST_LOG="+s.log), Cwd: dir, Size: host.Size{Cols: 80, Rows: 24}}
	if role == "" {
		spec.Path, spec.Command, spec.Env = more[0], more, os.Environ()
	}
	s.boot(spec)
	if s.Host, err = host.New(host.Socket(spec.Folder, spec.ID), spec.ID); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"box": ">", "reader": "ready", "deaf": "ready"}[role]
	termtest.Until(t, "the program is there", func() bool {
		snap := look(t, s)
		return want == "" || strings.Contains(text(snap), want) && (role != "box" || snap.Screen.Cursor.X == 2 && snap.Screen.Cursor.Visible)
	})
	return s
}

func (s *stage) boot(spec Spec) {
	s.t.Helper()
	b, _ := json.Marshal(spec)
	r, w, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PARLEY_TEST_ROLE=host", "PARLEY_TEST_SPEC="+string(b))
	cmd.Stderr, cmd.ExtraFiles = os.Stderr, []*os.File{w}
	if _, err := cmd.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	w.Close()
	said, _ := io.ReadAll(r)
	r.Close()
	if strings.TrimSpace(string(said)) != "<nil>" {
		s.t.Fatalf("the host is not ready: %s", said)
	}
	s.pid = cmd.Process.Pid
	go func() { cmd.Wait(); close(s.ended) }()
	s.t.Cleanup(func() { cmd.Process.Kill(); <-s.ended })
}

// hold is the host with its lock in hand until the test ends.
func (s *stage) hold() *host.Held {
	s.t.Helper()
	h, err := s.Hold(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(h.Release)
	return h
}

func look(t testing.TB, v term.Viewer) term.Snapshot {
	t.Helper()
	snap, err := v.Look(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

func text(s term.Snapshot) string {
	var b strings.Builder
	for y := range s.Screen.Rows {
		b.WriteString(s.Screen.Row(y) + "\n")
	}
	return b.String()
}

// eye is a viewer of a test.
type eye struct {
	t testing.TB
	*host.Conn
}

func (s *stage) view(h host.Hello) *eye {
	s.t.Helper()
	h.Role = host.RoleView
	c, _, _, err := host.Open(context.Background(), s.Target().Socket, h, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	return &eye{s.t, c}
}

// discard reads and forgets what the viewer is shown.
func (e *eye) discard() *eye {
	go func() {
		for {
			if _, _, err := e.Receive(); err != nil {
				return
			}
		}
	}()
	return e
}

func (e *eye) types(keys string) {
	e.t.Helper()
	if err := e.SendBytes(host.KindInput, []byte(keys)); err != nil {
		e.t.Fatal(err)
	}
}

// manage asks for an end.
func (s *stage) manage(end host.End) {
	s.t.Helper()
	c, _, _, err := host.Open(context.Background(), s.Target().Socket, host.Hello{Role: host.RoleManage}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	if err := c.Send(host.KindEnd, end); err != nil {
		s.t.Fatal(err)
	}
	c.Receive()
}

// received waits until the reader's log holds want, and a little longer for
// one byte too many.
func (s *stage) received(want string) {
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

func (s *stage) lives() bool {
	p, err := proc.Read(s.pid)
	return err == nil && p.State != 'Z'
}

func TestHost(t *testing.T) {
	termtest.Run(t, func(t *testing.T) termtest.Harness {
		s := start(t, "box")
		person := s.view(host.Hello{}).discard()
		return termtest.Harness{
			Terminal: s.hold(),
			Events:   func() []termtest.Event { return termtest.ReadLog(s.log) },
			Person:   person.types,
			Replace: func() {
				old := look(t, s).Identity
				s.manage(host.End{Anew: true})
				termtest.Until(t, "another stands there", func() bool { return look(t, s).Identity != old && strings.Contains(text(look(t, s)), "\n>") })
			},
			Remove: func() { syscall.Kill(s.pid, syscall.SIGKILL); <-s.ended },
		}
	})
}
