package serve

import (
	"os"
	"strings"
	"testing"
	"time"

	"parley/internal/term/host"
	"parley/internal/vt"
)

// follow keeps the picture of what a viewer is shown.
func (e *eye) follow(cols, rows int) *vt.Emulator {
	emu := vt.New(cols, rows)
	go func() {
		for {
			kind, payload, err := e.Receive()
			if err != nil {
				return
			}
			if kind == host.KindOutput {
				emu.Write(payload)
			}
		}
	}()
	return emu
}

func row(e *vt.Emulator, y int) string { return e.Screen().Row(y) }

// A viewer that comes later sees the picture, and what was scrolled off if it
// asks for that.
func TestComesLater(t *testing.T) {
	s := start(t, "", "/bin/sh", "-c", "i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo line $i; done; printf '\\033[?2004h\\033[31mred'; cat")
	s.until("drawn", func() bool { return strings.Contains(text(look(t, s)), "red") })
	one := s.view(host.Hello{}).follow(80, 24)
	s.until("the picture", func() bool { return row(one, 23) == "red" && row(one, 0) == "line 38" && one.Modes().BracketedPaste })
	two := s.view(host.Hello{History: true}).follow(80, 200)
	s.until("the history", func() bool { return row(two, 0) == "line 38" || row(two, 0) == "line 1" })
}

// A viewer that reads nothing slows nobody, and sees the right picture when it
// reads again.
func TestSlowViewer(t *testing.T) {
	s := start(t, "", "/bin/sh", "-c", "read x; i=0; while [ $i -lt 300 ]; do i=$((i+1)); head -c 100000 /dev/zero | tr '\\0' x; done; printf '\\033[2J\\033[Hdone'; read x")
	asleep := s.view(host.Hello{})
	awake := s.view(host.Hello{})
	emu := awake.follow(80, 24)
	awake.types("go\n")
	s.until("30 MB are written", func() bool { return row(emu, 0) == "done" })
	late := asleep.follow(80, 24)
	s.until("the one that slept sees it", func() bool { return row(late, 0) == "done" && row(late, 1) == "" })
}

// Viewers that only look have no keys and no size.
func TestReadOnly(t *testing.T) {
	s := start(t, "reader")
	watcher := s.view(host.Hello{ReadOnly: true, Size: host.Size{Cols: 20, Rows: 5}}).discard()
	watcher.types("no")
	person := s.view(host.Hello{Size: host.Size{Cols: 90, Rows: 30}}).discard()
	person.types("yes")
	s.received("yes")
	if p := look(t, s).Screen; p.Cols != 90 || p.Rows != 30 {
		t.Errorf("%d by %d", p.Cols, p.Rows)
	}
	person.Send(host.KindSize, host.Size{Cols: 100, Rows: 31})
	watcher.Send(host.KindSize, host.Size{Cols: 10, Rows: 3})
	s.until("the person's size", func() bool { p := look(t, s).Screen; return p.Cols == 100 && p.Rows == 31 })
}

// The terminal of whoever types last is the one whose size and answers count.
func TestTwoViewers(t *testing.T) {
	s := start(t, "reader")
	one := s.view(host.Hello{Size: host.Size{Cols: 90, Rows: 30}}).discard()
	s.until("the first one's size", func() bool { return look(t, s).Screen.Cols == 90 })
	two := s.view(host.Hello{Size: host.Size{Cols: 100, Rows: 31}}).discard()
	s.until("the second one's size", func() bool { return look(t, s).Screen.Cols == 100 })
	one.types("\x1b[?62c")
	two.types("\x1b[?64c")
	s.received("\x1b[?64c")
	one.types("a")
	s.until("the first one's size again", func() bool { return look(t, s).Screen.Cols == 90 })
	one.types("\x1b[?62c")
	s.received("\x1b[?64ca\x1b[?62c")
	one.Close()
	s.until("the one that is left", func() bool { return look(t, s).Screen.Cols == 100 })
}

// Without a viewer the host answers what the program asks; with one, its
// terminal does.
func TestAnswers(t *testing.T) {
	s := start(t, "", "/bin/sh", "-c", "stty raw -echo; printf 'x\\033[6n'; dd bs=1 count=6 of=answer 2>/dev/null; echo done; cat")
	s.until("an answer", func() bool { b, _ := os.ReadFile(s.dir + "/answer"); return string(b) == "\x1b[1;2R" })
}

// In front of the terminal it was started on, the command's first byte is the
// first that is shown.
func TestFresh(t *testing.T) {
	dir, err := os.MkdirTemp("", "ph")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &stage{t: t, dir: dir, ended: make(chan struct{})}
	spec := Spec{Folder: dir + "/run", ID: host.NewID(), Path: "/bin/sh", Command: []string{"sh", "-c", "printf first; exit 4"}, Env: os.Environ(), Cwd: dir, Fresh: true}
	s.boot(spec)
	if s.Host, err = host.New(host.Socket(spec.Folder, spec.ID), spec.ID); err != nil {
		t.Fatal(err)
	}
	e := s.view(host.Hello{Fresh: true, Size: host.Size{Cols: 50, Rows: 10}})
	if shown, end := e.toEnd(); shown != "first" || end.Code != 4 {
		t.Errorf("%q %+v", shown, end)
	}
	e.Close()
	s.gone()
	spec.ID, spec.Path = host.NewID(), dir+"/none"
	s = &stage{t: t, dir: dir, ended: make(chan struct{})}
	s.boot(spec)
	s.Host, _ = host.New(host.Socket(spec.Folder, spec.ID), spec.ID)
	e = s.view(host.Hello{Fresh: true})
	if _, end := e.toEnd(); end.Code != 127 || !strings.Contains(end.Error, "no such file") {
		t.Errorf("%+v", end)
	}
}

// Ctrl+Z stops the command as under a shell, and it goes on when it is told to
// or somebody comes to see it.
func TestStops(t *testing.T) {
	s := start(t, "", "/bin/sh", "-c", "echo ready; read x; echo got $x; read y")
	s.until("ready", func() bool { return strings.Contains(text(look(t, s)), "ready") })
	one := s.view(host.Hello{})
	one.types("\x1a")
	one.expect(host.KindStopped)
	one.Send(host.KindResume, nil)
	one.types("this\n")
	s.until("it goes on", func() bool { return strings.Contains(text(look(t, s)), "got this") })
	one.types("\x1a")
	one.expect(host.KindStopped)
	two := s.view(host.Hello{}).discard()
	two.types("that\n")
	if _, end := one.toEnd(); end.Code != 0 {
		t.Errorf("%+v", end)
	}
}

func (e *eye) expect(want host.Kind) {
	e.t.Helper()
	e.Bound(10 * time.Second)
	for {
		kind, _, err := e.Receive()
		if err != nil {
			e.t.Fatalf("no %c: %v", want, err)
		}
		if kind == want {
			return
		}
	}
}

// Started anew, the command has the same terminal and the same viewers.
func TestAnew(t *testing.T) {
	s := start(t, "reader")
	e := s.view(host.Hello{})
	emu := e.follow(80, 24)
	s.until("shown", func() bool { return emu.Modes().BracketedPaste })
	old := look(t, s).Identity
	s.manage(host.End{Anew: true})
	s.until("another", func() bool {
		now := look(t, s).Identity
		return now.PanePID != old.PanePID && now.TTY == old.TTY && now.Server == old.Server
	})
	s.until("it listens", func() bool { return strings.Count(text(look(t, s)), "ready") == 2 })
	e.types("x")
	s.received("x")
}
