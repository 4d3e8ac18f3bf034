package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/host"
)

func (s *stage) open(h host.Hello, lock *os.File) (*host.Conn, error) {
	c, _, _, err := host.Open(context.Background(), s.Target().Socket, h, lock)
	if err == nil {
		s.t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// G4: without the lock of this very terminal, held, nobody types.
func TestNoTypingWithoutTheLock(t *testing.T) {
	s, other := start(t, "reader"), start(t, "reader")
	tty := look(t, s).Identity.TTY
	unheld, err := proc.OpenTTY(tty)
	if err != nil {
		t.Fatal(err)
	}
	defer unheld.Close()
	foreign, err := term.Lock(t.Context(), look(t, other).Identity.TTY)
	if err != nil {
		t.Fatal(err)
	}
	defer foreign.Close()
	for name, lock := range map[string]*os.File{"none": nil, "not held": unheld, "another terminal's": foreign} {
		if _, err := s.open(host.Hello{Role: host.RoleType}, lock); err == nil || errors.Is(err, term.ErrNoPane) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, role := range []host.Role{host.RoleLook, host.RoleManage, "", "other"} {
		c, err := s.open(host.Hello{Role: role}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Bound(300 * time.Millisecond)
		c.Send(host.KindPaste, host.Paste{Guard: host.Guard{Seen: look(t, s).Seen, Row: "ready", Until: time.Now().Add(time.Hour)}, Texts: []string{"x"}})
		if kind, _, err := c.Receive(); err == nil {
			t.Errorf("%q was answered by %c", role, kind)
		}
	}
	s.received("")
	h := s.hold()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Hold(over); !errors.Is(err, term.ErrLocked) {
		t.Errorf("a second sender: %v", err)
	}
	s.pasted(h, "x")
	s.received(bracketed("x"))
}

// Each thing that the guard compares, made wrong in turn, is a refusal; so is
// one that comes too late.
func TestEachGuardedFieldRefuses(t *testing.T) {
	s := start(t, "reader")
	h := s.hold()
	good := look(t, h)
	if n := strings.Count(good.Seen, "|"); n != 6 {
		t.Fatalf("%d parts: %s", n+1, good.Seen)
	}
	parts := strings.Split(good.Seen, "|")
	for i := range parts {
		bad := good
		p := append([]string(nil), parts...)
		p[i] += "0"
		bad.Seen = strings.Join(p, "|")
		if got, err := h.Paste(t.Context(), bad, "x"); got != term.Refused || err != nil {
			t.Errorf("paste, part %d: %v %v", i, got, err)
		}
		if got, err := h.Press(t.Context(), bad, "Enter", "ready"); got != term.Refused || err != nil {
			t.Errorf("press, part %d: %v %v", i, got, err)
		}
	}
	row := good // another text in the cursor's row
	row.Screen.Cells = append(row.Screen.Cells[:0:0], row.Screen.Cells...)
	row.Screen.Cells[0] = append(row.Screen.Cells[0][:0:0], row.Screen.Cells[0]...)
	row.Screen.Cells[0][40].Text = "y"
	if got, err := h.Paste(t.Context(), row, "x"); got != term.Refused || err != nil {
		t.Errorf("another row: %v %v", got, err)
	}
	lock, err := proc.OpenTTY(good.Identity.TTY)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	c, err := s.open(host.Hello{Role: host.RoleType}, lock)
	if err != nil { // the lock is held, by h
		t.Fatal(err)
	}
	c.Send(host.KindPaste, host.Paste{Guard: host.Guard{Seen: good.Seen, Row: "ready", Until: time.Now().Add(-time.Millisecond)}, Texts: []string{"late"}})
	if a := answer(t, c); a.Applied {
		t.Error("pasted after the call was given up")
	}
	for _, text := range []string{"", "a\x1b[201~b", "\r"} {
		c.Send(host.KindPaste, host.Paste{Guard: host.Guard{Seen: good.Seen, Row: "ready", Until: time.Now().Add(time.Hour)}, Texts: []string{text}})
		if a := answer(t, c); a.Applied || a.Error == "" {
			t.Errorf("%q: %+v", text, a)
		}
	}
	s.received("")
}

func answer(t *testing.T, c *host.Conn) (a host.Answer) {
	t.Helper()
	kind, payload, err := c.Receive()
	if err != nil || kind != host.KindAnswer || json.Unmarshal(payload, &a) != nil {
		t.Fatalf("%c %q %v", kind, payload, err)
	}
	return a
}

// A socket is its user's alone; one at which nobody listens is removed.
func TestSockets(t *testing.T) {
	s := start(t, "reader")
	dir := filepath.Dir(s.Target().Socket)
	for path, want := range map[string]os.FileMode{s.Target().Socket: 0o600, dir: 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	stale := host.Socket(dir, "aaaaaaaa")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	gone, _ := host.New(stale, "aaaaaaaa")
	if _, err := gone.Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("look: %v", err)
	}
	if _, err := gone.Hold(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("hold: %v", err)
	}
	all, err := host.List(t.Context(), dir)
	if err != nil || len(all) != 1 || all[0].Target != s.Target() || all[0].Name != "one" || all[0].Team != "main" || all[0].Identity != look(t, s).Identity {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := os.Lstat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the stale socket is still there: %v", err)
	}
	// H27: another host at the same socket is not the one that was meant.
	other, _ := host.New(s.Target().Socket, "bbbbbbbb")
	if _, err := other.Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("another id: %v", err)
	}
	os.Chmod(dir, 0o777)
	if err := host.Make(dir); err == nil {
		t.Error("a folder that everybody can write to was taken")
	}
	os.Chmod(dir, 0o700)
}

// A host that speaks another version says so, and nothing else.
func TestVersions(t *testing.T) {
	s := start(t, "reader")
	plain, err := net.Dial("unix", s.Target().Socket)
	if err != nil {
		t.Fatal(err)
	}
	c := host.NewConn(plain.(*net.UnixConn))
	defer c.Close()
	c.Send(host.KindHello, host.Hello{Version: 99, Role: host.RoleLook})
	var a host.About
	kind, payload, err := c.Receive()
	if json.Unmarshal(payload, &a) != nil || kind != host.KindHello || err != nil || a.Refused == "" || a.Version != host.Version {
		t.Errorf("%c %s %v", kind, payload, err)
	}
	if _, _, err := c.Receive(); err == nil {
		t.Error("it goes on")
	}
	for _, bytes := range []string{"", "x", "\x00\x00\x00\x00", "\xff\xff\xff\xffH{}", "\x00\x00\x00\x02H{", "\x00\x00\x00\x05X{}  "} {
		plain, err := net.Dial("unix", s.Target().Socket)
		if err != nil {
			t.Fatal(err)
		}
		plain.Write([]byte(bytes))
		plain.Close()
	}
	look(t, s)
}

// A command that ends takes its host along, and its code is told.
func TestEnds(t *testing.T) {
	for script, want := range map[string]host.Ended{
		"read x; exit 0": {}, "read x; exit 7": {Code: 7},
		"read x; kill -TERM $$": {Code: 143, Signal: 15}, "read x; kill -KILL $$": {Code: 137, Signal: 9},
		"read x; printf last; exit 3": {Code: 3},
	} {
		s := start(t, "", "/bin/sh", "-c", script)
		e := s.view(host.Hello{})
		e.types("go\n")
		shown, got := e.toEnd()
		if got != want || strings.Contains(script, "last") != strings.Contains(shown, "last") {
			t.Errorf("%s: %+v, shown %q", script, got, shown)
		}
		e.Close()
		s.gone()
	}
}

// toEnd reads until the command has ended.
func (e *eye) toEnd() (shown string, end host.Ended) {
	e.t.Helper()
	e.Bound(20 * time.Second)
	for {
		kind, payload, err := e.Receive()
		switch {
		case err != nil:
			e.t.Fatalf("no end: %v; shown %q", err, shown)
		case kind == host.KindOutput:
			shown += string(payload)
		case kind == host.KindEnded:
			json.Unmarshal(payload, &end)
			return shown, end
		}
	}
}

// gone waits until nothing of the host is left.
func (s *stage) gone() {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		s.t.Fatal("the host does not end")
	}
	if _, err := os.Lstat(s.Target().Socket); !errors.Is(err, os.ErrNotExist) {
		s.t.Errorf("its socket: %v", err)
	}
}

// TestEnd: the command is told to end as by a terminal that is closed; one that
// stays is killed.
func TestEnd(t *testing.T) {
	s := start(t, "reader")
	pid := look(t, s).Identity.PanePID
	s.manage(host.End{})
	s.gone()
	if p, err := proc.Read(pid); err == nil && p.State != 'Z' {
		t.Errorf("the command lives: %+v", p)
	}
	s = start(t, "", "/bin/sh", "-c", "trap '' HUP; echo trapped; while :; do sleep 0.05; done")
	s.until("it listens to nothing", func() bool { return strings.Contains(text(look(t, s)), "trapped") })
	s.manage(host.End{})
	s.gone()
}

// A host that is killed takes the terminal away from its command, as any
// terminal does.
func TestHostKilled(t *testing.T) {
	s := start(t, "", "/bin/sh", "-c", "trap 'echo hup >>log; exit' HUP; echo ready; while :; do sleep 0.02; done")
	s.until("ready", func() bool { return strings.Contains(text(look(t, s)), "ready") })
	syscall.Kill(s.pid, syscall.SIGKILL)
	<-s.ended
	s.until("the command was told", func() bool { b, _ := os.ReadFile(s.log); return string(b) == "hup\n" })
	if _, err := s.Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
		t.Errorf("look: %v", err)
	}
}
