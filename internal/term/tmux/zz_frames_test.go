package tmux

import (
	"os"
	"path/filepath"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"fmt"
)

func TestZZFrames(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/agents/frames/*/*/*.ansi")
	s := start(t, "reader")
	bad, n, dash := 0, 0, 0
	var spent time.Duration
	for _, f := range files {
		b, _ := os.ReadFile(f)
		var m struct{ Cols, Rows, Cursor_x, Cursor_y int }
		j, _ := os.ReadFile(strings.TrimSuffix(f, ".ansi") + ".json")
		json.Unmarshal(j, &m)
		tmp := s.dir + "/f"
		rows := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
		out := "\x1b[2J\x1b[H"
		for i, r := range rows {
			out += fmt.Sprintf("\x1b[%d;1H%s", i+1, r)
		}
		os.WriteFile(tmp, []byte(out), 0o600)
		s.tmux("resize-window", "-t", "one:0", "-x", itoa(m.Cols), "-y", itoa(m.Rows))
		s.tmux("respawn-pane", "-k", "-t", "%0", "--", "sh", "-c", "stty raw; cat "+tmp+"; printf '\\033[0m\\033["+itoa(m.Cursor_y+1)+";"+itoa(m.Cursor_x+1)+"H'; sleep 100")
		for range 300 {
			if s.tmux("display-message", "-p", "-t", "%0", "#{cursor_x} #{cursor_y} #{pane_current_command}") == fmt.Sprintf("%d %d sleep", m.Cursor_x, m.Cursor_y) { break }
			time.Sleep(3 * time.Millisecond)
		}
		snap := look(t, s.pane("%0"))
		for y := range snap.Screen.Rows {
			snap.Screen.Cursor.Y = y
			row, at := cursorRow(snap.Screen)
			n++
			if row == "-" { dash++; continue }
			t0 := time.Now()
			got := s.tmux("if-shell", "-F", "-t", "%0", equals(row, at), "display-message -p y", "display-message -p n")
			spent += time.Since(t0)
			if got != "y" {
				bad++
				t.Logf("%s row %d of cursor %d: %q", f, y, m.Cursor_y, snap.Screen.Row(y))
			}
		}
	}
	t.Logf("%d rows of %d frames, %d blank, %d mismatches, %v each", n, len(files), dash, bad, spent/time.Duration(n-dash))
}
