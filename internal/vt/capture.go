// Package vt turns terminal bytes into a screen.Screen: Capture reads what
// `tmux capture-pane -e -p` prints, Emulator follows a program's own output.
package vt

import (
	"strings"
	"unicode/utf8"

	"parley/internal/screen"
)

// Capture builds the screen whose rows `tmux capture-pane -e -p` printed. The
// rows hold text, SGR, perhaps OSC 8 links and SO/SI line drawing; attributes
// carry over from row to row. Cursor, modes and title are in no capture, so
// they are passed in. Missing cells are blank, surplus ones are dropped.
//
// Without -N tmux cuts trailing blanks but not the SGR before them: a row that
// ends in SGR had at least one more cell with these attributes, and gets one.
func Capture(ansi []byte, cols, rows int, cur screen.Cursor, alternate bool, title string) screen.Screen {
	c := capture{in: string(ansi), cells: grid(cols, rows), cols: cols}
	for y := 0; y < rows && c.pos < len(c.in); y++ {
		c.row(y)
	}
	return screen.Screen{Cols: cols, Rows: rows, Cells: c.cells, Cursor: cur, Alternate: alternate, Title: title}
}

var blank = screen.Cell{Text: " ", Width: 1}

func grid(cols, rows int) [][]screen.Cell {
	all := make([]screen.Cell, max(cols, 0)*max(rows, 0))
	for i := range all {
		all[i] = blank
	}
	g := make([][]screen.Cell, max(rows, 0))
	for y := range g {
		g[y] = all[y*cols : (y+1)*cols : (y+1)*cols]
	}
	return g
}

type capture struct {
	in    string
	pos   int
	cells [][]screen.Cell
	cols  int
	pen   pen
	lines bool // SO: the next bytes are line drawing
}

// row reads up to and over the next newline.
func (c *capture) row(y int) {
	x, last := 0, -1 // next column, column of the character before
	styled := false  // SGR came after the last character
	for c.pos < len(c.in) {
		switch b := c.in[c.pos]; {
		case b == '\n':
			c.pos++
			if styled && x < c.cols {
				c.put(x, y, " ", 1)
			}
			return
		case b == 0x1b:
			styled = c.escape() || styled
		case b == 0x0e, b == 0x0f:
			c.lines = b == 0x0e
			c.pos++
		case b == '\t': // newer tmux keeps tabs as tabs
			c.pos++
			x, last = min(x-x%8+8, c.cols), -1
		case b < 0x20, b == 0x7f:
			c.pos++
		default:
			x, last = c.char(x, y, last)
			styled = false
		}
	}
}

// char reads one character at column x. As in tmux, a zero-width one joins the
// cell before it, and so does the one behind a zero-width joiner.
func (c *capture) char(x, y, last int) (next, at int) {
	r, n := utf8.DecodeRuneInString(c.in[c.pos:])
	text := c.in[c.pos : c.pos+n]
	c.pos += n
	w := 1
	if n > 1 {
		w = Width(r)
	} else if c.lines {
		text = lineDrawing(text)
	}
	if last >= 0 && (w == 0 || strings.HasSuffix(c.cells[y][last].Text, "\u200d")) {
		c.cells[y][last].Text += text
		return x, last
	}
	if w == 0 || x+w > c.cols {
		return x, last
	}
	c.put(x, y, text, w)
	return x + w, x
}

func (c *capture) put(x, y int, text string, w int) {
	cell := screen.Cell{Text: text, Width: w, Attr: c.pen.attr, FG: c.pen.fg, BG: c.pen.bg}
	c.cells[y][x] = cell
	if w == 2 {
		cell.Text, cell.Width = "", 0
		c.cells[y][x+1] = cell
	}
}

// escape reads one escape sequence and reports whether it was SGR.
func (c *capture) escape() (sgr bool) {
	rest := c.in[c.pos+1:]
	switch {
	case strings.HasPrefix(rest, "["):
		end := strings.IndexFunc(rest[1:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if end < 0 {
			c.pos = len(c.in)
			return false
		}
		c.pos += 1 + 1 + end + 1
		if rest[1+end] == 'm' {
			c.pen.sgr(rest[1 : 1+end])
			return true
		}
	case strings.HasPrefix(rest, "]"): // OSC 8: up to BEL or ST
		st, bel := strings.Index(rest, "\x1b\\"), strings.IndexByte(rest, 0x07)
		switch {
		case st >= 0 && (bel < 0 || st < bel):
			c.pos += 1 + st + 2
		case bel >= 0:
			c.pos += 1 + bel + 1
		default:
			c.pos = len(c.in)
		}
	default:
		c.pos += 1 + min(1, len(rest))
	}
	return false
}

// lineDrawing maps the DEC special characters (VT100, table 3-9).
func lineDrawing(s string) string {
	const from, to = "`afgjklmnopqrstuvwxyz{|}~", "◆▒°±┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
	if i := strings.IndexByte(from, s[0]); i >= 0 {
		return string([]rune(to)[i])
	}
	return s
}
