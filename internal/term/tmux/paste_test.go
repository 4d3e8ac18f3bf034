package tmux

import (
	"os"
	"os/exec"
	"strings"
	"testing"

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

// A person's key in the pane's session, drawn or not, is a refusal: the reader
// draws nothing at all.
func TestH12KeyThatIsNotDrawn(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("no script(1) to attach a client with")
	}
	s := start(t, "reader")
	h := s.hold("%0")
	attach := exec.Command("script", "-qec", "tmux -S "+s.Socket+" attach -t one", "/dev/null")
	attach.Env = append(childEnv(), "TERM=xterm", "LC_ALL=C.UTF-8")
	keys, err := attach.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attach.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keys.Close(); attach.Process.Kill(); attach.Wait() })
	termtest.Until(t, "a client is attached", func() bool { return s.tmux("list-clients") != "" })
	before := look(t, h)
	if before.State.PersonAt.IsZero() {
		t.Error("a client is attached and no person was seen")
	}
	// In the second of the look a key changes nothing that tmux tells.
	termtest.Until(t, "that second is over", func() bool {
		before = look(t, h)
		return before.At.Sub(before.State.PersonAt).Seconds() > 1.1
	})
	keys.Write([]byte("k"))
	s.received("k")
	if got, err := h.Paste(t.Context(), before, "hello"); got != term.Refused || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	if now := look(t, h); !now.State.PersonAt.After(before.State.PersonAt) {
		t.Errorf("the key was not seen: %v, before %v", now.State.PersonAt, before.State.PersonAt)
	}
	s.received("k")
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
