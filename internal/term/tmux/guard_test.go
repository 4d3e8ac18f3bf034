package tmux

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/term"
)

// Each guarded field is made wrong in turn: the paste and the press are
// refused, nothing arrives, no buffer stays behind.
func TestEachGuardedFieldRefuses(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	if got, err := h.Paste(t.Context(), look(t, h), "hello"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	s.shown("hello")
	good := look(t, h)
	for i, name := range guarded {
		values := strings.SplitN(good.Seen, "|", len(guarded))
		for _, wrong := range []string{values[i] + "1", "x", "", "#{" + name + "}", values[i] + "}", values[i] + ",1"} {
			if wrong == values[i] {
				continue // bracket_paste_flag is empty before tmux 3.7
			}
			values := slices.Clone(values)
			values[i] = wrong
			bad := good
			bad.Seen = strings.Join(values, "|")
			// ask, not Paste: what Paste refuses by itself shall not hide the guard.
			names, err := h.load(t.Context(), []string{"wrong"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := h.ask(t.Context(), guardFormat, bad.Seen,
				[]string{"paste-buffer -p -r -d -b " + names[0] + " -t %0"}, []string{"delete-buffer -b " + names[0]})
			if got != term.Refused || err != nil {
				t.Errorf("paste with %s=%q: %v %v", name, wrong, got, err)
			}
			if got, _ := h.Paste(t.Context(), bad, "wrong"); got != term.Refused {
				t.Errorf("paste with %s=%q: %v", name, wrong, got)
			}
			if got, _ := h.Press(t.Context(), bad, "Enter", "hello"); got != term.Refused {
				t.Errorf("press with %s=%q: %v", name, wrong, got)
			}
			if got, _ := h.Clear(t.Context(), bad, "C-u", "hello"); got != term.Refused {
				t.Errorf("clear with %s=%q: %v", name, wrong, got)
			}
		}
	}
	s.noBuffers()
	if got, err := h.Press(t.Context(), good, "Enter", "hello"); got != term.Done || err != nil {
		t.Errorf("and with all as it was: %v %v", got, err)
	}
	if e := s.events(); len(e) > 2 || e[0].Text != "hello" {
		t.Errorf("received %q", e)
	}
}

// What is too late is refused, whatever else holds.
func TestTooLateRefuses(t *testing.T) {
	s := start(t, "box")
	for after, want := range map[time.Duration]string{-time.Minute: "0", 0: "0", time.Minute: "1"} {
		got := s.tmux("if-shell", "-F", "-t", "%0", before(time.Now().Add(after)), "display-message -p 1", "display-message -p 0")
		if got != want {
			t.Errorf("%v from now: %s", after, got)
		}
	}
}

// A command's name may hold what tmux's formats take for their own.
func TestOddCommandNames(t *testing.T) {
	for _, name := range []string{"a,b", "a}b", "a#b", "a#{pid}b", "a|b", "a#,b##", "a:b"} {
		s := start(t, "box")
		s.tmux(append([]string{"respawn-pane", "-k", "-t", "%0", "--", "env", "PARLEY_TEST_ROLE=box", "PARLEY_TEST_LOG=" + s.log},
			"bash", "-c", "exec -a \"$0\" \"$1\"", name, s.program("box", s.log)[4])...)
		s.ready("%0", "box")
		h := s.hold("%0")
		seen := look(t, h)
		if seen.Identity.Command != name {
			t.Errorf("command %q was read as %q", name, seen.Identity.Command)
		}
		if got, err := h.Paste(t.Context(), seen, "x"); got != term.Done || err != nil {
			t.Errorf("%q: %v %v", name, got, err)
		}
	}
}

// What #{C/r:} does: rows are counted from 1, the first match from the top
// counts, 0 is none, and the screen is searched, not what scrolled away.
func TestRowOfFirstMatch(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	ask := func(text string) string { return s.tmux("display-message", "-p", "-t", "%0", rowOf(text)) }
	if got := ask("nowhere"); got != "0" {
		t.Errorf("no match: %s", got)
	}
	if got := ask("----------"); got != "22" { // 24 rows: rule, box, rule
		t.Errorf("the first of two matches: %s", got)
	}
	if got := ask(">"); got != "23" {
		t.Errorf("one match: %s", got)
	}
	// A second stand further down does not show: so an anchor stands alone.
	h.Paste(t.Context(), look(t, h), "abc\nabc")
	s.shown("abc")
	if got := ask("abc"); got != "22" {
		t.Errorf("the upper of two: %s", got)
	}
	if got, err := h.Press(t.Context(), look(t, h), "Enter", "abc"); got != term.Refused || err == nil {
		t.Errorf("an anchor on two rows: %v %v", got, err)
	}
}

// H01: the anchor moves to another row, or goes, while all else is as it was.
func TestH01AnchorMoved(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	h.Paste(t.Context(), look(t, h), "first\nsecond")
	s.shown("second")
	good := look(t, h)
	for _, anchor := range []string{"first", "second"} {
		row, err := term.AnchorRow(good.Screen, anchor)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{row, row + 2, 0} { // row+1 is where it stands, counted from 1
			got, err := h.ask(t.Context(), rowOf(anchor)+"|"+guardFormat, itoa(at)+"|"+good.Seen, []string{"send-keys -t %0 Enter"}, nil)
			if got != term.Refused || err != nil {
				t.Errorf("%s on row %d: %v %v", anchor, at, got, err)
			}
		}
	}
	if e := s.events(); len(e) != 1 {
		t.Errorf("received %q", e)
	}
}

// H16: something is drawn over the cursor's row and the cursor put back.
func TestH16RowRedrawnUnderTheCursor(t *testing.T) {
	s := start(t, "reader")
	h := s.hold("%0")
	good := look(t, h)
	tty, err := os.OpenFile(good.Identity.TTY, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	draw := func(text string) term.Snapshot {
		fmt.Fprintf(tty, "\x1b7\x1b[1;1H%s\x1b8", text)
		s.shown(text)
		return look(t, h)
	}
	if now := draw("y/n??"); now.Seen != good.Seen {
		t.Fatalf("tmux tells of it by itself: %q %q", now.Seen, good.Seen)
	}
	if got, err := h.Paste(t.Context(), good, "hello"); got != term.Refused || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	// What stands on other rows, or in styles, is not looked at; odd text is.
	odd := draw(`❯ #[fg] #{pid} 日本 e` + "\u0301" + ` .*[^$]{1,2}|\ ##`)
	if got, err := h.Paste(t.Context(), odd, "hello"); got != term.Done || err != nil {
		t.Errorf("paste: %v %v", got, err)
	}
	s.noBuffers()
}
