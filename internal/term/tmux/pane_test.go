package tmux

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

func itoa(n int) string { return strconv.Itoa(n) }

func (s *server) shown(text string) {
	s.t.Helper()
	termtest.Until(s.t, "the screen shows "+text, func() bool { return strings.Contains(s.tmux("capture-pane", "-p", "-t", "%0"), text) })
}

func (s *server) events() []termtest.Event { return termtest.ReadLog(s.log) }

// refuses pastes and presses by a look that was good before, and by one now.
func refuses(t *testing.T, s *server, h *Held, before term.Snapshot) {
	t.Helper()
	now := look(t, h)
	for _, seen := range []term.Snapshot{before, now} {
		if got, _ := h.Paste(t.Context(), seen, "hello"); got != term.Refused {
			t.Errorf("paste: %v", got)
		}
		if got, _ := h.Press(t.Context(), seen, "Enter", ">"); got != term.Refused {
			t.Errorf("press: %v", got)
		}
		if got, _ := h.Clear(t.Context(), seen, "C-u", ">"); got != term.Refused {
			t.Errorf("clear: %v", got)
		}
	}
	s.noBuffers()
	if e := s.events(); len(e) != 0 {
		t.Errorf("the program received %q", e)
	}
}

func TestH33CopyMode(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	before := look(t, h)
	s.tmux("copy-mode", "-t", "%0")
	if !look(t, h).State.InMode {
		t.Error("copy mode was not seen")
	}
	refuses(t, s, h, before)
}

func TestH46SynchronizedPanes(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	before := look(t, h)
	s.tmux("set-option", "-w", "-t", "%0", "synchronize-panes", "on")
	if !look(t, h).State.Synchronized {
		t.Error("synchronized panes were not seen")
	}
	refuses(t, s, h, before)
}

func TestH47InputOff(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	before := look(t, h)
	s.tmux("select-pane", "-d", "-t", "%0")
	if !look(t, h).State.InputOff {
		t.Error("input off was not seen")
	}
	refuses(t, s, h, before)
}

func TestH29DeadPane(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	before := look(t, h)
	s.tmux("set-option", "-p", "-t", "%0", "remain-on-exit", "on")
	proc, _ := os.FindProcess(before.Identity.PanePID)
	proc.Kill()
	termtest.Until(t, "the pane is dead", func() bool { return look(t, h).State.Dead })
	refuses(t, s, h, before)
	if _, err := h.Hold(context.Background()); err == nil {
		t.Error("a dead pane was held")
	}
}

// H27: %0 of a new server at the same socket is another pane.
func TestH27ServerRestarted(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	before := look(t, h)
	pid, _ := strconv.Atoi(s.tmux("display-message", "-p", "#{pid}"))
	end(pid)
	termtest.Until(t, "no server", func() bool {
		_, err := h.Look(t.Context())
		return errors.Is(err, term.ErrNoPane)
	})
	if got, _ := h.Paste(t.Context(), before, "hello"); got == term.Done {
		t.Error("pasted into no server")
	}
	os.Remove(s.Socket)
	s.boot("box")
	if now := look(t, s.pane("%0")); now.Identity == before.Identity {
		t.Errorf("a restarted server looks the same: %+v", now.Identity)
	}
	again := s.hold("%0")
	if got, _ := again.Paste(t.Context(), before, "hello"); got != term.Refused {
		t.Errorf("paste: %v", got)
	}
	s.noBuffers()
	if e := s.events(); len(e) != 0 {
		t.Errorf("received %q", e)
	}
}

func TestRespawnedPaneNeedsItsOwnLock(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	// The lock keeps the old terminal in use, so the new one is another.
	s.tmux(append([]string{"respawn-pane", "-k", "-t", "%0"}, s.program("box", s.log)...)...)
	s.ready("%0", "box")
	now := look(t, h)
	if now.Identity.TTY == h.tty {
		t.Skip("the same device again")
	}
	if got, err := h.Paste(t.Context(), now, "hello"); got != term.Refused || err == nil {
		t.Errorf("pasted with another terminal's lock: %v %v", got, err)
	}
	if got, err := s.hold("%0").Paste(t.Context(), now, "hello"); got != term.Done || err != nil {
		t.Errorf("with its own: %v %v", got, err)
	}
}

// H28: only ids are addresses.
func TestH28OnlyPaneIDs(t *testing.T) {
	for _, bad := range []string{"", "%", "one", "one:0.0", "%1x", "%01", " %1", "%1\n", "{last}", "!", "%-1", "@1", "$0", "%12345678901"} {
		if _, err := New("/tmp/s", bad); err == nil || ValidPane(bad) {
			t.Errorf("%q was taken for a pane", bad)
		}
	}
	s := start(t, "box")
	if _, err := s.pane("%7").Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("a pane that is not there: %v", err)
	}
	if _, err := s.pane("%7").Hold(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("a pane that is not there: %v", err)
	}
	none, _ := New(filepath.Join(s.dir, "none"), "%0")
	if _, err := none.Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("a server that is not there: %v", err)
	}
}

// H28: another session with the same prefix, and the active pane, change
// nothing.
func TestH28AddressDoesNotFollow(t *testing.T) {
	s := start(t, "box")
	h := s.hold("%0")
	s.tmux("new-session", "-d", "-s", "one-more", "sleep 100")
	s.tmux("split-window", "-t", "%0", "sleep 100")
	s.tmux("resize-pane", "-t", "%0", "-y", "24")
	s.tmux("kill-pane", "-t", "%2")
	s.ready("%0", "box")
	if got, err := h.Paste(t.Context(), look(t, h), "hello"); got != term.Done || err != nil {
		t.Fatal(got, err)
	}
	termtest.Until(t, "it arrives", func() bool { return len(s.events()) == 1 })
}

// H48: what tmux prints does not depend on the locale of the caller.
func TestH48NoUTF8Locale(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	t.Setenv("LANG", "")
	s := start(t, "box")
	s.tmux("select-pane", "-t", "%0", "-T", "⠋ wörking %H ##{pid} | x") // -T expands formats
	h := s.hold("%0")
	h.Paste(t.Context(), look(t, h), "grüße ❯")
	s.shown("grüße ❯")
	snap := look(t, h)
	if snap.Screen.Title != "⠋ wörking %H #{pid} | x" {
		t.Errorf("title %q", snap.Screen.Title)
	}
	if row := snap.Screen.Row(22); row != "> grüße ❯" {
		t.Errorf("row %q", row)
	}
	all, err := s.Panes(t.Context())
	if err != nil || len(all) != 1 || all[0].Title != snap.Screen.Title {
		t.Errorf("%+v %v", all, err)
	}
}

// A program that reads lines is no input box, whatever it shows.
func TestLineMode(t *testing.T) {
	s := start(t, "box")
	s.tmux("respawn-pane", "-k", "-t", "%0", "--", "cat")
	h := s.hold("%0")
	if line, err := proc.Canonical(h.tty); err != nil || !line {
		t.Fatalf("cat reads lines: %v %v", line, err)
	}
	if got, err := h.Paste(t.Context(), look(t, h), "hello"); got != term.Refused || err == nil {
		t.Errorf("paste: %v %v", got, err)
	}
	s.noBuffers()
}

// 150 looks at a program that redraws all the time: title, row and cursor are
// of one moment each time.
func TestSnapshotsAreWhole(t *testing.T) {
	s := start(t, "clock")
	p, last, moved := s.pane("%0"), -1, 0
	for range 150 {
		snap := look(t, p)
		var title, row int
		if _, err := fmt.Sscanf(snap.Screen.Title, "⠋ %d", &title); err != nil {
			t.Fatalf("title %q", snap.Screen.Title)
		}
		if _, err := fmt.Sscanf(snap.Screen.Row(0), "n=%d", &row); err != nil {
			t.Fatalf("row %q", snap.Screen.Row(0))
		}
		if title != row || snap.Screen.Cursor.X != row%60 || snap.Screen.Cursor.Y != 1 {
			t.Errorf("title %d, row %d, cursor %+v", title, row, snap.Screen.Cursor)
		}
		if row != last {
			moved++
		}
		last = row
	}
	if moved < 30 { // fewer on a busy machine, where the clock stands still for a while
		t.Errorf("only %d of 150 looks saw a new picture", moved)
	}
}

// TestNoPanes: a server can run without any tmux session.
func TestNoPanes(t *testing.T) {
	s := start(t, "box")
	s.tmux("set-option", "-g", "exit-empty", "off", ";", "kill-session", "-a", ";", "kill-session")
	if all, err := s.Panes(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v %v", all, err)
	}
}

func TestPanes(t *testing.T) {
	s := start(t, "box")
	s.tmux("new-session", "-d", "-s", "odd | näme", "-x", "80", "-y", "24", "--", "sleep", "100")
	s.tmux("select-pane", "-t", "%1", "-T", "a|b ##{pid}")
	s.tmux("split-window", "-d", "-t", "%0", "--", "sleep", "100")
	termtest.Until(t, "both sleep", func() bool {
		return look(t, s.pane("%1")).Identity.Command == "sleep" && look(t, s.pane("%2")).Identity.Command == "sleep"
	})
	all, err := s.Panes(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v %v", all, err)
	}
	for _, p := range all {
		if snap := look(t, s.pane(p.Target.Pane)); snap.Identity != p.Identity || snap.Screen.Title != p.Title {
			t.Errorf("listed %+v, seen %+v %q", p, snap.Identity, snap.Screen.Title)
		}
		if p.Target.Socket != s.Socket || p.Active != (p.Target.Pane != "%2") || p.Attached || p.Dead {
			t.Errorf("%+v", p)
		}
		if p.Target.Pane == "%1" && (p.Session != "odd | näme" || p.Title != "a|b #{pid}" || p.Identity.Command != "sleep") {
			t.Errorf("%+v", p)
		}
	}
	if _, err := (Server{s.Socket + "x"}).Panes(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("no server: %v", err)
	}
	if o, err := s.Options(t.Context()); err != nil || o["escape-time"] == "" || o["history-limit"] == "" || o["synchronize-panes"] != "off" {
		t.Errorf("%v %v", o, err)
	}
	if v, err := s.Version(t.Context()); err != nil || v == "" {
		t.Errorf("%q %v", v, err)
	}
	if v, err := Version(t.Context()); err != nil || !strings.HasPrefix(v, "tmux ") {
		t.Errorf("%q %v", v, err)
	}
}
