package dialect

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
	"parley/internal/vt"
)

// The pane in which all of Unicode is drawn, and the columns for each character.
const sweepCols, sweepRows, sweepStep = 1600, 400, 8

// TestTerminalDrawsEach draws all of Unicode (of the planes that hold nothing,
// or are private, one in 64) in a real tmux pane and holds each row of it
// against what was drawn: what this terminal drops is what may be missing, and
// nothing else is missing or drawn as something else.
func TestTerminalDrawsEach(t *testing.T) {
	pane := startPane(t)
	d := &Dialect{}
	var batch []rune
	draw := func() {
		got := pane.draw(t, batch)
		for y := 0; len(batch) > 0; y++ {
			n := min(sweepCols/sweepStep, len(batch))
			var want strings.Builder
			for _, r := range batch[:n] {
				want.WriteString("<" + string(r) + "> ")
			}
			body := want.String()
			r := Reading{Composer: Draft, Draft: got.Row(y), AtEnd: true}
			if m := d.Holds(r, Wanted{Whole: body, Body: body, Tag: "no tag"}); m != MatchWhole {
				t.Errorf("row from %U: %v", batch[0], m)
				differing(t, batch[:n], got, y)
			}
			batch = batch[n:]
		}
	}
	for r := rune(' '); r <= 0x10ffff; r++ {
		if r >= 0x7f && r < 0xa0 || r >= 0xd800 && r < 0xe000 || r > 0x33500 && r%64 != 0 && r&0xff0000 != 0xe0000 {
			continue
		}
		if batch = append(batch, r); len(batch) == sweepCols/sweepStep*sweepRows {
			draw()
		}
	}
	draw()
}

// differing names the first character of a row that does not stand there as it
// should.
func differing(t *testing.T, of []rune, got screen.Screen, y int) {
	t.Helper()
	cells := strings.Split(got.Row(y), "<")[1:]
	for i, r := range of {
		if i >= len(cells) || !shapeOf(string(r)+">").is(squeeze(cells[i])) {
			t.Errorf("%U: %q", r, cells[min(i, len(cells)-1)])
			return
		}
	}
}

// wall is one pane of a tmux server of its own.
type wall struct {
	socket, dir string
	n           int
}

func startPane(t *testing.T) *wall {
	t.Helper()
	w := &wall{socket: fmt.Sprintf("parley-dialect-%d", os.Getpid()), dir: t.TempDir()}
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", w.socket, "kill-server").Run() })
	w.run(t, "-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(sweepCols), "-y", strconv.Itoa(sweepRows), "sleep 1000")
	return w
}

func (w *wall) run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-L", w.socket}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// draw puts each character at a place of its own, and then a word at the end:
// once that is there, so is all before it.
func (w *wall) draw(t *testing.T, batch []rune) screen.Screen {
	t.Helper()
	w.n++
	var b strings.Builder
	b.WriteString("\x1b[?7l\x1b[H\x1b[2J")
	for i, r := range batch {
		fmt.Fprintf(&b, "\x1b[%d;%dH<%c>", i*sweepStep/sweepCols+1, i*sweepStep%sweepCols+1, r)
	}
	fmt.Fprintf(&b, "\x1b]2;drawn %d\x1b\\", w.n)
	file := filepath.Join(w.dir, strconv.Itoa(w.n))
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	w.run(t, "respawn-pane", "-k", "-t", ":0.0", "stty -echo raw; cat "+file+"; sleep 1000")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if strings.TrimSpace(w.run(t, "display-message", "-p", "-t", ":0.0", "#{pane_title}")) == fmt.Sprintf("drawn %d", w.n) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("never drawn")
		}
	}
	out := w.run(t, "capture-pane", "-e", "-p", "-t", ":0.0")
	// Libraries differ in the width of some trigrams and Hangul letters: so that
	// no row is cut, it may be longer than the pane is wide.
	return vt.Capture([]byte(out), 2*sweepCols, sweepRows, screen.Cursor{}, false, "")
}
