package vt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/screen"
)

const testCols, testRows = 40, 8

// corpus is what programs draw. A case with a reason in differs is one where
// tmux 3.3a and the emulator are known, and accepted, to disagree.
var corpus = []struct{ name, bytes, differs string }{
	{"plain", "hello\r\nworld", ""},
	{"colours", "\x1b[31mred \x1b[1;38;5;244mgrey\x1b[0m \x1b[48;2;10;20;30mrgb\x1b[49m \x1b[93;100mbright\x1b[m", ""},
	{"attributes", "\x1b[1mb\x1b[2md\x1b[22m\x1b[3mi\x1b[4mu\x1b[24m\x1b[7mr\x1b[27m\x1b[9ms\x1b[29m\x1b[8mc\x1b[28mn\x1b[0mx", ""},
	{"curly", "\x1b[4:3mcurly\x1b[4:0m none \x1b[38:5:9mcolon\x1b[0m", ""},
	{"inverse cell at the end", "\x1b[39m❯\u00a0\x1b[7m \x1b[27m", ""},
	{"wide", "漢字 and かな|한글", ""},
	{"wide wrap", strings.Repeat("漢", 23), ""},
	{"wide wrap, odd", "x" + strings.Repeat("漢", 23), ""},
	{"wide overwritten", "漢字\x1b[1;2Hx\x1b[2;1H漢字\x1b[2;3Hy", "tmux 3.3a keeps the half that was not written to, the emulator blanks it"},
	{"combining", "e\u0301 n\u0303 a\u0308\u0301|", ""},
	{"zwj family", "👨\u200d👩\u200d👧|", ""},
	{"emoji", "🙂🚀|", ""},
	{"skin tone", "👍\U0001f3fd|", ""},
	{"variation selector", "❤\ufe0f|", ""},
	{"keycap", "1\ufe0f\u20e3|", ""},
	{"flag", "🇩🇪|", ""},
	{"zero width space", "a\u200bb|", ""},
	{"tabs", "a\tb\tc\r\n\tx", ""},
	{"alt screen", "main\x1b[?1049h\x1b[Halt", ""},
	{"back from alt", "main\x1b[?1049h\x1b[Halt\x1b[?1049l", ""},
	{"scroll region", "1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H\nnew\x1b[r", ""},
	{"reverse index", "1\r\n2\r\n3\x1b[H\x1bMtop", ""},
	{"wrap", strings.Repeat("abcdefghi ", 9), ""},
	{"exact fill", strings.Repeat("x", testCols) + "\r\nnext", ""},
	{"no autowrap", "\x1b[?7l" + strings.Repeat("y", testCols+5) + "z", ""},
	{"erase", strings.Repeat("full", 40) + "\x1b[2;5H\x1b[K\x1b[3;3H\x1b[3X", ""},
	{"erase above", strings.Repeat("full", 40) + "\x1b[3;5H\x1b[1J", ""},
	{"insert and delete", "abcdef\x1b[1;3H\x1b[2@XY\x1b[2;1Hline\x1b[1;1H\x1b[L\x1b[3;2H\x1b[2P", ""},
	{"background erase", "\x1b[44m\x1b[2K text\x1b[0m", ""},
	{"line drawing", "\x1b(0lqqk\x1b(B plain", ""},
	{"link", "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\ after", ""},
	{"save and restore", "\x1b[2;3H\x1b7\x1b[31mred\x1b8back", ""},
	{"hidden cursor", "\x1b[?25lhidden", ""},
	{"rep", "ab\x1b[5bq", ""},
	{"title", "\x1b]0;the title ⠋\x07x", ""},
	{"scroll up", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n10", ""},
}

func TestEmulatorAgreesWithTmux(t *testing.T) {
	server := startTmux(t)
	for _, c := range corpus {
		t.Run(c.name, func(t *testing.T) {
			want := server.draw(t, c.bytes)
			e := New(testCols, testRows)
			defer e.Close()
			if _, err := e.Write([]byte(c.bytes)); err != nil {
				t.Fatal(err)
			}
			diff := difference(want, e.Screen())
			if c.differs == "" && diff != "" {
				t.Errorf("tmux %s", diff)
			}
			if c.differs != "" && diff == "" {
				t.Errorf("they agree now: the exception %q can go", c.differs)
			}
		})
	}
}

// difference names the first thing in which two screens differ. Blank cells
// are compared by background only: what colour a blank would have is nothing
// to see, and tmux cuts trailing blanks.
func difference(want, got screen.Screen) string {
	for y := range want.Cells {
		for x := range want.Cells[y] {
			w, g := want.Cells[y][x], got.Cells[y][x]
			if w.Text == " " && g.Text == " " && (w.BG == g.BG || strings.TrimSpace(want.Span(y, x, want.Cols)) == "") {
				continue
			}
			if w != g {
				return fmt.Sprintf("cell %d,%d: %+v, emulator %+v\n%q\n%q", x, y, w, g, want.Row(y), got.Row(y))
			}
		}
	}
	if want.Cursor != got.Cursor {
		return fmt.Sprintf("cursor %+v, emulator %+v", want.Cursor, got.Cursor)
	}
	if want.Alternate != got.Alternate {
		return fmt.Sprintf("alternate %v, emulator %v", want.Alternate, got.Alternate)
	}
	if got.Title != "" && want.Title != got.Title {
		return fmt.Sprintf("title %q, emulator %q", want.Title, got.Title)
	}
	return ""
}

type tmuxServer struct {
	socket string
	n      int
	dir    string
}

func startTmux(t *testing.T) *tmuxServer {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	s := &tmuxServer{socket: fmt.Sprintf("parley-vt-%d", os.Getpid()), dir: t.TempDir()}
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", s.socket, "kill-server").Run() })
	s.run(t, "-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(testCols), "-y", strconv.Itoa(testRows), "sleep 1000")
	return s
}

func (s *tmuxServer) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-L", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// draw feeds the bytes to a fresh pane and captures it.
func (s *tmuxServer) draw(t *testing.T, bytes string) screen.Screen {
	t.Helper()
	s.n++
	file := filepath.Join(s.dir, strconv.Itoa(s.n))
	done := file + ".done"
	if err := os.WriteFile(file, []byte(bytes), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(t, "respawn-pane", "-k", "-t", ":0.0", fmt.Sprintf("stty -echo raw; cat %s; touch %s; sleep 1000", file, done))
	for range 500 {
		if _, err := os.Stat(done); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	var last string
	for range 100 { // the server reads the PTY in its own time: two equal looks
		out := s.run(t, "display-message", "-p", "-t", ":0.0", "#{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{pane_title}", ";", "capture-pane", "-e", "-p", "-t", ":0.0")
		if out == last {
			break
		}
		last = out
		time.Sleep(40 * time.Millisecond)
	}
	head, body, _ := strings.Cut(last, "\n")
	var cur screen.Cursor
	var flag, alt int
	if _, err := fmt.Sscan(head, &cur.X, &cur.Y, &flag, &alt); err != nil {
		t.Fatalf("%q: %v", head, err)
	}
	cur.Visible = flag == 1
	title := strings.Join(strings.Fields(head)[4:], " ")
	return Capture([]byte(body), testCols, testRows, cur, alt == 1, title)
}
