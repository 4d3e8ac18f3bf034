package practice

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"
)

// terminal is the tty in raw mode with bracketed paste on. Rows are drawn
// whole and only where they changed; each row's place is said in so many
// words, so that a character whose width the terminal sees otherwise spoils its
// own row and no other.
type terminal struct {
	in, out   *os.File
	alternate bool
	saved     *term.State
	drawn     frame
	cols      int
	rows      int
}

// frame is one picture: rows with colours, cursor, title.
type frame struct {
	rows   []string
	x, y   int
	cursor bool
	title  string
}

func openTerminal(in, out *os.File, alternate bool) (*terminal, error) {
	if !term.IsTerminal(int(in.Fd())) || !term.IsTerminal(int(out.Fd())) {
		return nil, errors.New("it needs a terminal to run in")
	}
	t := &terminal{in: in, out: out, alternate: alternate}
	return t, t.raw()
}

// raw takes the terminal, again if it has it already; restore gives it back as
// it was found first.
func (t *terminal) raw() error {
	saved, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("set raw mode: %w", err)
	}
	if t.saved == nil {
		t.saved = saved
	}
	begin := "\x1b[?2004h"
	if t.alternate {
		begin = "\x1b[?1049h" + begin
	}
	t.out.WriteString(begin)
	t.resize()
	return nil
}

// restore leaves the picture standing on the main screen, as real CLIs do.
func (t *terminal) restore() {
	if t.saved == nil {
		return
	}
	end := "\x1b[?7h\x1b[0m\x1b[?2004l\x1b[?25h\x1b]0;\x07"
	if t.alternate {
		end += "\x1b[?1049l"
	} else {
		end += fmt.Sprintf("\x1b[%d;1H\r\n", len(t.drawn.rows))
	}
	t.out.WriteString(end)
	term.Restore(int(t.in.Fd()), t.saved)
	t.saved = nil
}

func (t *terminal) close() { t.restore() }

// resize reads the size and forgets what is drawn.
func (t *terminal) resize() {
	t.cols, t.rows = 80, 24
	if c, r, err := term.GetSize(int(t.out.Fd())); err == nil && c > 0 && r > 0 {
		t.cols, t.rows = c, r
	}
	t.drawn = frame{}
}

func (t *terminal) draw(f frame) {
	if t.drawn.rows != nil && slices.Equal(f.rows, t.drawn.rows) && f.x == t.drawn.x && f.y == t.drawn.y &&
		f.cursor == t.drawn.cursor && f.title == t.drawn.title {
		return
	}
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l\x1b[?7l")
	if t.drawn.rows == nil {
		b.WriteString("\x1b[H\x1b[2J")
	}
	for y := range max(len(f.rows), len(t.drawn.rows)) {
		if y < len(f.rows) && y < len(t.drawn.rows) && f.rows[y] == t.drawn.rows[y] {
			continue
		}
		// Cleared first: behind a full row the cursor stands on its last cell.
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[0m\x1b[2K", y+1)
		if y < len(f.rows) {
			b.WriteString(f.rows[y])
		}
	}
	if f.title != t.drawn.title {
		b.WriteString("\x1b]0;" + f.title + "\x07")
	}
	fmt.Fprintf(&b, "\x1b[0m\x1b[?7h\x1b[%d;%dH", f.y+1, f.x+1)
	if f.cursor {
		b.WriteString("\x1b[?25h")
	}
	b.WriteString("\x1b[?2026l")
	t.out.WriteString(b.String())
	t.drawn = f
}
