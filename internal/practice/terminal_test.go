package practice

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/term"

	"parley/internal/screen"
	"parley/internal/vt"
)

// ptyRig is one agent on a bare PTY, followed by the emulator.
type ptyRig struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	slave  *os.File
	emu    *vt.Emulator
	log    string

	mu  sync.Mutex
	out bytes.Buffer
}

func startPTY(t *testing.T, cols, rows uint16) *ptyRig {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := &ptyRig{t: t, master: master, slave: slave, emu: vt.New(int(cols), int(rows)), log: filepath.Join(dir, "log")}
	pty.Setsize(master, &pty.Winsize{Cols: cols, Rows: rows})
	p.cmd = exec.Command(self, "--home", dir, "--log", p.log)
	p.cmd.Env = append(os.Environ(), "PARLEY_PRACTICE_TEST=agent")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = slave, slave, slave
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() { defer close(read); p.follow() }()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		slave.Close()
		master.Close()
		<-read
		p.emu.Close()
	})
	until(t, "the box is drawn", func() bool { return strings.Contains(p.text(), promptMark) })
	return p
}

func (p *ptyRig) follow() {
	buf := make([]byte, 4096)
	for {
		n, err := p.master.Read(buf)
		p.mu.Lock()
		p.out.Write(buf[:n])
		p.mu.Unlock()
		p.emu.Write(buf[:n])
		if err != nil {
			return
		}
	}
}

func (p *ptyRig) screen() screen.Screen { return p.emu.Screen() }

func (p *ptyRig) text() string {
	s := p.screen()
	var rows []string
	for y := range s.Rows {
		rows = append(rows, s.Row(y))
	}
	return strings.Join(rows, "\n")
}

func TestTerminalIsRestored(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*ptyRig)
	}{
		{"quit", func(p *ptyRig) { p.master.WriteString("/quit\r") }},
		{"ctrl-c twice", func(p *ptyRig) { p.master.WriteString("\x03\x03") }},
		{"SIGTERM", func(p *ptyRig) { p.cmd.Process.Signal(syscall.SIGTERM) }},
		{"SIGINT", func(p *ptyRig) { p.cmd.Process.Signal(syscall.SIGINT) }},
		{"SIGHUP", func(p *ptyRig) { p.cmd.Process.Signal(syscall.SIGHUP) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := startPTY(t, 80, 24)
			before, err := term.GetState(int(p.slave.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			c.end(p)
			if err := p.cmd.Wait(); err != nil {
				t.Errorf("exit: %v", err)
			}
			after, err := term.GetState(int(p.slave.Fd()))
			if err != nil {
				t.Fatal(err)
			}
			if *before == *after {
				t.Error("the terminal is still raw")
			}
			until(t, "paste brackets off", func() bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				return bytes.Contains(p.out.Bytes(), []byte("\x1b[?2004l"))
			})
			if s := p.screen(); !s.Cursor.Visible || s.Title != "" {
				t.Errorf("cursor %v title %q", s.Cursor, s.Title)
			}
		})
	}
}

func TestHangupEndsIt(t *testing.T) {
	r := startRig(t, "")
	r.tmux("", "new-window", "sleep 60")
	r.tmux("", "kill-pane", "-t", ":0")
	r.event("exit", 1)
}

func TestResizeAndWrap(t *testing.T) {
	p := startPTY(t, 80, 24)
	text := strings.Repeat("漢字kana e\u0301", 12)
	p.master.WriteString("\x1b[200~" + text + "\x1b[201~")
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for _, size := range [][2]int{{80, 24}, {31, 20}, {30, 12}, {120, 40}, {200, 50}} {
		p.emu.Resize(size[0], size[1])
		pty.Setsize(p.master, &pty.Winsize{Cols: uint16(size[0]), Rows: uint16(size[1])})
		until(t, "the whole draft at the new size", func() bool { return squeeze(boxOf(p.text())) == squeeze(text) })
		s := p.screen()
		until(t, "the cursor behind the text", func() bool {
			s = p.screen()
			row := s.Span(s.Cursor.Y, 0, s.Cursor.X)
			return s.Cursor.Visible && (strings.HasSuffix(row, "e\u0301") || strings.HasSuffix(row, "é"))
		})
	}
}

func TestTallDraftShowsItsTail(t *testing.T) {
	p := startPTY(t, 60, 12)
	for i := range 30 {
		p.master.WriteString("\x1b[200~line " + string(rune('A'+i%26)) + "\n\x1b[201~")
	}
	until(t, "the tail, and how much is above", func() bool {
		s := p.text()
		return strings.Contains(s, "━━━ ↑ 25 more ━━━") && strings.Contains(s, "  line D\n") && !strings.Contains(s, promptMark)
	})
}

func TestSuspendWithNoShellGoesOn(t *testing.T) {
	p := startPTY(t, 80, 24)
	p.master.WriteString("\x1az")
	until(t, "it goes on", func() bool { return boxOf(p.text()) == "z" })
}

func TestSuspendUnderAShell(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	r := startRigIn(t, "", "bash --norc -ic \"%s; PS1='shell> '; read -r; fg; read -r\"")
	r.typeKeys("draft", "C-z")
	until(t, "the shell has the terminal", func() bool { return r.get("#{pane_current_command}") == "bash" })
	if s := r.boxText(); s != "draft" {
		t.Errorf("the box left on screen: %q", s)
	}
	r.typeKeys("to the shell", "Enter")
	r.event("resume", 1)
	r.typeKeys("!", "Enter")
	if got := r.event("submit", 1).Text; got != "draft!" {
		t.Errorf("submitted %q", got)
	}
}
