package tmux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

// senderProgram pastes texts into a pane, holding its lock: the pane is the
// last argument but one, the texts' name and count the last ones.
func senderProgram() error {
	pane, name, count := os.Args[1], os.Args[2], 0
	fmt.Sscan(os.Args[3], &count)
	p, err := New(os.Getenv("PARLEY_TEST_SOCKET"), pane)
	if err != nil {
		return err
	}
	ctx := context.Background()
	h, err := p.Hold(ctx)
	if err != nil {
		return err
	}
	for n := 0; n < count; {
		seen, err := h.Look(ctx)
		if err != nil {
			return err
		}
		got, err := h.Paste(ctx, seen, fmt.Sprintf("%s-%d;", name, n), strings.Repeat(name, 2000))
		if err != nil {
			return err
		}
		if got == term.Done {
			n++
		}
	}
	return nil
}

func (s *server) sender(pane, name, count string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(self, pane, name, count)
	cmd.Env = append(os.Environ(), "PARLEY_TEST_ROLE=sender", "PARLEY_TEST_SOCKET="+s.Socket)
	cmd.Stderr = os.Stderr
	return cmd
}

// H21: two processes paste into two panes at once; no text goes astray.
func TestH21TwoSendersNeverSwap(t *testing.T) {
	const count = 20
	s := start(t, "reader")
	other := filepath.Join(s.dir, "log1")
	s.tmux(append([]string{"new-window", "-d", "-t", "one:"}, s.program("reader", other)...)...)
	s.ready("%1", "reader")
	var all sync.WaitGroup
	for pane, name := range map[string]string{"%0": "a", "%1": "b"} {
		all.Go(func() {
			if err := s.sender(pane, name, itoa(count)).Run(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	want := func(name string) string {
		var b strings.Builder
		for n := range count {
			b.WriteString(bracketed(fmt.Sprintf("%s-%d;", name, n), strings.Repeat(name, 2000)))
		}
		return b.String()
	}
	s.received(want("a"))
	s.log = other
	s.received(want("b"))
	s.noBuffers()
}

// One pane, two senders: the second waits for the lock, then finds it free.
func TestLock(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	if !locked(t, h.tty) {
		t.Fatal("held, and not locked")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Millisecond)
	defer cancel()
	from := time.Now()
	if _, err := s.pane("%0").Hold(ctx); !errors.Is(err, term.ErrLocked) || time.Since(from) < 50*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(from))
	}
	time.AfterFunc(50*time.Millisecond, h.Release)
	again, err := s.pane("%0").Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
	// A context that is over still gets one try.
	once, err := s.pane("%0").Hold(ctx)
	if err != nil {
		t.Fatal(err)
	}
	once.Release()
	if locked(t, h.tty) {
		t.Error("still locked")
	}
}

// The lock must not keep a pane alive whose program has ended.
func TestLockDoesNotKeepAPane(t *testing.T) {
	s := start(t, "box")
	s.tmux("new-session", "-d", "-s", "two", "sleep 100") // the server stays
	h := s.hold("%0")
	p, _ := os.FindProcess(look(t, h).Identity.PanePID)
	p.Kill()
	termtest.Until(t, "the pane is gone", func() bool { _, err := h.Look(t.Context()); return errors.Is(err, term.ErrNoPane) })
}

// A sender is killed in the middle of a paste: its last tmux call still holds
// the target, and lets it go when it ends.
func TestKilledSenderStillHoldsTheLock(t *testing.T) {
	s := start(t, "reader")
	tty := look(t, s.pane("%0")).Identity.TTY
	flag := filepath.Join(s.dir, "asked")
	fakeTmux(t, `case "$*" in *if-shell*) touch `+flag+`; while [ -e `+flag+` ]; do sleep 0.02; done;; esac; exec REAL "$@"`)
	cmd := s.sender("%0", "a", "1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	termtest.Until(t, "the paste is asked for", func() bool { _, err := os.Stat(flag); return err == nil })
	cmd.Process.Kill()
	cmd.Wait()
	time.Sleep(30 * time.Millisecond)
	if !locked(t, tty) {
		t.Error("the lock was lost with the sender")
	}
	os.Remove(flag)
	termtest.Until(t, "the lock is free", func() bool { return !locked(t, tty) })
	s.received(bracketed("a-0;", strings.Repeat("a", 2000)))
	s.noBuffers()
}

// H38: a tmux that hangs ends in bounded time; after the paste was asked for
// nobody knows what came of it, before that nothing did.
func TestH38HungTmux(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	h.Paste(t.Context(), look(t, h), "hello")
	s.shown("hello")
	seen := look(t, h)
	callFor = time.Second
	t.Cleanup(func() { callFor = 5 * time.Second })
	pids := filepath.Join(s.dir, "pids")
	hang := `echo $$ >> ` + pids + `; sleep 60`
	var all sync.WaitGroup
	check := func(what string, want term.Applied, do func() (term.Applied, error)) {
		all.Go(func() {
			from := time.Now()
			got, err := do()
			if got != want || err == nil || time.Since(from) > callFor+time.Second {
				t.Errorf("%s: %v %v after %v", what, got, err, time.Since(from))
			}
		})
	}
	fakeTmux(t, `case "$*" in *if-shell*) `+hang+`;; *) exec REAL "$@";; esac`)
	check("paste", term.Unsure, func() (term.Applied, error) { return h.Paste(context.Background(), seen, "x") })
	check("press", term.Unsure, func() (term.Applied, error) { return h.Press(context.Background(), seen, "Enter", "hello") })
	all.Wait()
	s.noBuffers()
	fakeTmux(t, `case "$*" in *delete-buffer*) exec REAL "$@";; *) `+hang+`;; esac`)
	check("load", term.Refused, func() (term.Applied, error) { return h.Paste(context.Background(), seen, "x") })
	check("look", term.Refused, func() (term.Applied, error) { _, err := h.Look(context.Background()); return term.Refused, err })
	all.Wait()
	b, _ := os.ReadFile(pids)
	for line := range strings.Lines(string(b)) {
		var pid int
		fmt.Sscan(line, &pid)
		if p, err := proc.Read(pid); err == nil && p.State != 'Z' {
			t.Errorf("the hung call lives on: %+v", p)
		}
	}
}

// H38: a server that is stopped as the paste is asked for. When it wakes, the
// call was given up and its time is over: nothing is typed any more.
func TestH38StoppedServer(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	seen := look(t, h)
	pid := 0
	fmt.Sscan(s.tmux("display-message", "-p", "#{pid}"), &pid)
	defer syscall.Kill(pid, syscall.SIGCONT)
	callFor = time.Second
	t.Cleanup(func() { callFor = 5 * time.Second })
	fakeTmux(t, `case "$*" in *if-shell*) kill -STOP `+itoa(pid)+`;; esac; exec REAL "$@"`)
	from := time.Now()
	if got, err := h.Paste(t.Context(), seen, "late"); got != term.Unsure || err == nil {
		t.Errorf("paste: %v %v", got, err)
	}
	if _, err := h.Look(t.Context()); err == nil || errors.Is(err, term.ErrNoPane) {
		t.Errorf("look: %v", err)
	}
	if d := time.Since(from); d > 4*time.Second {
		t.Errorf("took %v", d)
	}
	syscall.Kill(pid, syscall.SIGCONT)
	termtest.Until(t, "no buffer is left", func() bool { return s.tmux("list-buffers") == "" })
	time.Sleep(50 * time.Millisecond)
	if e := s.events(); len(e) != 0 {
		t.Errorf("typed after the call was given up: %q", e)
	}
}

// Only tmux's own word counts, and only one word.
func TestStrictOutput(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	h.Paste(t.Context(), look(t, h), "hello")
	s.shown("hello")
	seen := look(t, h)
	for _, script := range []string{
		`REAL "$@"; echo extra`, `REAL "$@"; REAL "$@"`, `exit 0`, `exit 1`, `echo done; exit 0`, `echo pasted`,
		`REAL "$@" >/dev/null`, `REAL "$@" | tr a-z A-Z`,
	} {
		fakeTmux(t, `case "$*" in *if-shell*) `+script+`;; *) exec REAL "$@";; esac`)
		var got term.Applied
		var err error
		termtest.Until(t, "the last key was read", func() bool { // before that, none is asked for
			got, err = h.Press(t.Context(), seen, "Tab", "hello")
			return got != term.Refused || err != nil
		})
		if got != term.Unsure || err == nil {
			t.Errorf("%s: %v %v", script, got, err)
		}
	}
	fakeTmux(t, `exec REAL "$@"`)
	for out, why := range map[string]string{
		"":                                       "nothing",
		"M|x\n":                                  "no fields",
		"screen text\n":                          "no mark",
		"M|" + seen.Seen + "\n":                  "no title",
		"M|" + seen.Seen + "\nM|t\n":             "no end",
		"M|" + seen.Seen + "\nM|t\nM|end\nrow\n": "too few rows",
		"M|" + seen.Seen + "\nM|t\nM|end\n" + strings.Repeat("\n", 25):                                 "too many rows",
		"M|" + strings.Replace(seen.Seen, "%0", "%1", 1) + "\nM|t\nM|end\n" + strings.Repeat("\n", 24): "another pane",
	} {
		if snap, err := parseLook(out, "M", "%0"); err == nil {
			t.Errorf("%s: %+v", why, snap)
		}
	}
	if _, err := parseLook("M|"+seen.Seen+"\nM|t\nM|end\n"+strings.Repeat("\n", 24), "M", "%0"); err != nil {
		t.Error(err)
	}
}

func FuzzParsePane(f *testing.F) {
	f.Add("%1|2|/dev/pts/1|3@4|0|11|0|0|3|1|abctsleep")
	f.Fuzz(func(t *testing.T, line string) { parsePane(line) })
}

func FuzzParseLook(f *testing.F) {
	f.Add("M|1|2|%0|4|t|0|0|0|0|2|1|1|0||5|1|9|sh\nM|t\nM|%0|7\nM|end\nx\n")
	f.Fuzz(func(t *testing.T, out string) { parseLook(out, "M", "%0") })
}

func TestSocket(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	os.Symlink(dir, dir+"/link")
	user := "tmux-" + itoa(os.Getuid())
	tmp, _ := filepath.EvalSymlinks("/tmp")
	for _, c := range []struct{ tmux, tmpdir, explicit, want string }{
		{"", "", "", tmp + "/" + user + "/default"},
		{"", dir, "", dir + "/" + user + "/default"},
		{"", dir + "/nothing", "", tmp + "/" + user + "/default"},
		{dir + "/x,123,0", dir, "", dir + "/x"},
		{dir + "/link/x,123,0", "", "", dir + "/x"},
		{dir + "/x,123,0", dir, "work", dir + "/" + user + "/work"},
		{dir + "/x,123,0", dir, dir + "/y", dir + "/y"},
		{"", "", dir + "/link/no/y", dir + "/no/y"},
	} {
		t.Setenv("TMUX", c.tmux)
		t.Setenv("TMUX_TMPDIR", c.tmpdir)
		if got, err := Socket(c.explicit); got != c.want || err != nil {
			t.Errorf("%+v: %q %v", c, got, err)
		}
	}
}
