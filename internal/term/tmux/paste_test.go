package tmux

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"parley/internal/term"
	"parley/internal/term/termtest"
)

func bracketed(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString("\x1b[200~" + t + "\x1b[201~")
	}
	return b.String()
}

// H17, H18, H19: each text arrives to the byte, once, in marks that tmux made.
func TestH18PasteIsByteExact(t *testing.T) {
	long := strings.Repeat("0123456789abcdef 日本 🙂 ;\n", 64<<10/28) + "end;"
	for name, texts := range map[string][]string{
		"short":        {"hello"},
		"H22":          {"ends in ;"},
		"format":       {"#{pane_id} #(id) %3 #[x] $HOME `id` '\""},
		"newlines":     {"\n\na\n\n"},
		"64 KB":        {long},
		"three":        {"lead: ", long, " [#abcd1234]"},
		"no final":     {"x\ny"},
		"blanks":       {"  \t "},
		"combining":    {"e\u0301\u200d\u00a0\ufeff"},
		"like a flag":  {"-d"},
		"256 KB":       {strings.Repeat(long, 4)},
		"looks hidden": {"[200~ not a mark [201~"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, "reader")
			h := s.hold("%0")
			if got, err := h.Paste(t.Context(), look(t, h), texts...); got != term.Done || err != nil {
				t.Fatal(got, err)
			}
			s.received(bracketed(texts...))
			s.noBuffers()
		})
	}
}

// attach sits a person down at a tmux session: what is written are their keys.
func (s *server) attach(session string) *os.File {
	s.t.Helper()
	before := len(strings.Fields(s.tmux("list-clients", "-F", "#{client_pid}")))
	cmd := exec.Command("tmux", "-u", "-S", s.Socket, "attach-session", "-t", session)
	cmd.Env = append(childEnv(), "TERM=xterm", "LC_ALL=C.UTF-8")
	keys, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 25})
	if err != nil {
		s.t.Fatal(err)
	}
	drawn := make(chan struct{})
	go func() { defer close(drawn); io.Copy(io.Discard, keys) }()
	s.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); <-drawn; keys.Close() })
	termtest.Until(s.t, "a client is attached", func() bool {
		return len(strings.Fields(s.tmux("list-clients", "-F", "#{client_pid}"))) == before+1
	})
	return keys
}

// rested is a look in a second in which no key was pressed: there, a key would
// change nothing that tmux tells.
func rested(t *testing.T, h *Held) (seen term.Snapshot) {
	t.Helper()
	termtest.Until(t, "that second is over", func() bool {
		seen = look(t, h)
		return seen.At.Sub(seen.State.PersonAt).Seconds() > 1.1
	})
	return seen
}

// A person's key in the pane's session, drawn or not, is a refusal: the reader
// draws nothing at all.
func TestH12KeyThatIsNotDrawn(t *testing.T) {
	s := start(t, "reader")
	h := s.hold("%0")
	keys := s.attach("one")
	before := rested(t, h)
	if before.State.PersonAt.IsZero() {
		t.Error("a client is attached and no person was seen")
	}
	keys.WriteString("k")
	s.received("k")
	if got, err := h.Paste(t.Context(), before, "hello"); got != term.Refused || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	if now := look(t, h); !now.State.PersonAt.After(before.State.PersonAt) {
		t.Errorf("the key was not seen: %v, before %v", now.State.PersonAt, before.State.PersonAt)
	}
	s.received("k")
}

// Keys that the program has not read yet, from wherever they came, are a
// refusal.
func TestH12KeyThatIsNotRead(t *testing.T) {
	s := start(t, "deaf")
	h := s.hold("%0")
	seen := look(t, h)
	s.tmux("send-keys", "-t", "%0", "-l", "key")
	termtest.Until(t, "the keys wait", h.unread)
	if got, err := h.Paste(t.Context(), seen, "hello"); got != term.Refused || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	if got, err := h.Press(t.Context(), seen, "Enter", "ready"); got != term.Refused || err != nil {
		t.Errorf("press: %v %v", got, err)
	}
	if got, err := h.Clear(t.Context(), seen, "C-u", "ready"); got != term.Refused || err != nil {
		t.Errorf("clear: %v %v", got, err)
	}
	pid := 0
	fmt.Sscan(s.tmux("display-message", "-p", "-t", "%0", "#{pane_pid}"), &pid)
	syscall.Kill(pid, syscall.SIGUSR1)
	s.received("key")
	s.noBuffers()
}

// Keys that come between paste and Enter wait until Enter was pressed, and
// come in their order. Nobody else's keys wait, and a client that goes away in
// that moment does no harm.
func TestH12KeysWait(t *testing.T) {
	s := start(t, "reader")
	s.tmux(append([]string{"new-session", "-d", "-s", "two"}, s.program("reader", s.log+"2")...)...)
	h := s.hold("%0")
	other, keys := s.attach("two"), s.attach("one")
	other.WriteString("o")
	seen := rested(t, h)
	usual := keysFor
	keysFor = "4" // a busy machine takes longer from here to the key
	t.Cleanup(func() { keysFor = usual })
	if got, err := h.Paste(t.Context(), seen, "hello"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	keysFor = usual
	keys.WriteString("a person's keys\r")
	other.WriteString("o")
	termtest.Until(t, "another's key is there", func() bool { b, _ := os.ReadFile(s.log + "2"); return string(b) == "oo" })
	if got, err := h.Press(t.Context(), look(t, h), "Enter", "ready"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	want := bracketed("hello") + "\r" + "a person's keys\r"
	s.received(want)

	leaving := s.attach("one")
	if got, err := h.Paste(t.Context(), rested(t, h), "bye"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	leaving.WriteString("\x02d") // detaches
	termtest.Until(t, "it has gone", func() bool { return strings.Count(s.tmux("list-clients"), "\n") == 1 })
	s.received(want + bracketed("bye"))
}

// Nor does a key get under the one that takes our text out again: it comes
// behind, into a box that is its own.
func TestH11KeysWaitForClear(t *testing.T) {
	s := start(t, "reader")
	h := s.hold("%0")
	keys := s.attach("one")
	seen := rested(t, h)
	usual := keysFor
	keysFor = "4" // a busy machine takes longer
	t.Cleanup(func() { keysFor = usual })
	asked, typed := s.log+"asked", s.log+"typed"
	fakeTmux(t, `case "$*" in *send-keys*) : >`+asked+`; until [ -e `+typed+` ]; do sleep 0.01; done;; esac; exec REAL "$@"`)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if got, err := h.Clear(t.Context(), seen, "C-u", "ready"); got != term.Done || err != nil {
			t.Error(got, err)
		}
	}()
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	termtest.Until(t, "the key is asked for", func() bool { return there(asked) })
	keys.WriteString("k")
	os.WriteFile(typed, nil, 0o600)
	<-done
	s.received("\x15k")
}

// H20, H21: what a killed sender left in a buffer never reaches anybody, and
// the next paste sweeps it; a live one's stays.
func TestH21StaleBuffersAreSwept(t *testing.T) {
	s := start(t, "reader")
	h := s.hold("%0")
	gone := exec.Command("true")
	gone.Run()
	owner, err := bufferOwner()
	if err != nil {
		t.Fatal(err)
	}
	part := strings.Split(owner, "_")
	dead := "parley_" + itoa(gone.Process.Pid) + "_b-1_RANDOM_1"
	reused := "parley_" + part[1] + "_b-1_RANDOM_1" // our pid, another start
	live := owner + "live"
	for _, name := range []string{dead, reused, live, "person"} {
		s.tmux("set-buffer", "-b", name, "old")
	}
	if got, err := h.Paste(t.Context(), look(t, h), "new"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	s.received(bracketed("new"))
	left := strings.Fields(s.tmux("list-buffers", "-F", "#{buffer_name}"))
	if len(left) != 2 || !strings.Contains(strings.Join(left, " "), live) || !strings.Contains(strings.Join(left, " "), "person") {
		t.Errorf("left: %q", left)
	}
}

// The text has to be in its buffer whole before anything is asked for.
func TestNothingIsAskedWhenLoadingFails(t *testing.T) {
	s := start(t, "reader")
	h := s.hold("%0")
	seen := look(t, h)
	fakeTmux(t, `case "$*" in *load-buffer*) exec REAL "$@" </dev/null;; *) exec REAL "$@";; esac`)
	if got, err := h.Paste(t.Context(), seen, "hello"); got != term.Refused || err == nil {
		t.Errorf("an empty load: %v %v", got, err)
	}
	fakeTmux(t, `case "$*" in *load-buffer*) head -c 3 | REAL "$@";; *) exec REAL "$@";; esac`)
	if got, err := h.Paste(t.Context(), seen, "hello"); got != term.Refused || err == nil {
		t.Errorf("a cut-off load: %v %v", got, err)
	}
	s.received("")
	s.noBuffers()
}

// fakeTmux puts a script before tmux on PATH; REAL in it is the real one.
func fakeTmux(t *testing.T, script string) {
	t.Helper()
	real, err := exec.LookPath("tmux")
	if err != nil {
		t.Fatal(err)
	}
	if target := os.Getenv("PARLEY_REAL_TMUX"); target != "" {
		real = target
	}
	t.Setenv("PARLEY_REAL_TMUX", real)
	dir := t.TempDir()
	body := "#!/bin/sh\n" + strings.ReplaceAll(script, "REAL", real) + "\n"
	if err := os.WriteFile(dir+"/tmux", []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}
