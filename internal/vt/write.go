package vt

import (
	"fmt"
	"strings"

	"parley/internal/screen"
)

// ANSI writes a screen as `tmux capture-pane -e -p` does: rows of text and SGR,
// blanks at their ends cut, attributes carried over from row to row. Capture
// reads the same cells back. No row ends in SGR, which Capture would take for
// one more cell.
func ANSI(s screen.Screen) []byte {
	var b strings.Builder
	pen := blank
	for y := range s.Rows {
		for x := range written(s, y) {
			c := s.Cell(x, y)
			if c.Width == 0 {
				continue
			}
			if c.Attr != pen.Attr || c.FG != pen.FG || c.BG != pen.BG {
				b.WriteString(sgrOf(c))
				pen = c
			}
			b.WriteString(c.Text)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// written is the number of columns of row y up to the last that is not blank.
func written(s screen.Screen, y int) int {
	n := s.Cols
	for n > 0 && s.Cell(n-1, y) == blank {
		n--
	}
	return n
}

var attrCodes = []struct {
	attr screen.Attr
	code string
}{{screen.Bold, ";1"}, {screen.Dim, ";2"}, {screen.Italic, ";3"}, {screen.Underline, ";4"},
	{screen.Blink, ";5"}, {screen.Reverse, ";7"}, {screen.Conceal, ";8"}, {screen.Strike, ";9"}}

// sgrOf sets a cell's looks from nothing.
func sgrOf(c screen.Cell) string {
	code := "0"
	for _, a := range attrCodes {
		if c.Attr&a.attr != 0 {
			code += a.code
		}
	}
	return "\x1b[" + code + colourCode("38", c.FG) + colourCode("48", c.BG) + "m"
}

func colourCode(which string, c screen.Color) string {
	switch c.Kind {
	case screen.Indexed:
		return fmt.Sprintf(";%s;5;%d", which, c.R)
	case screen.RGB:
		return fmt.Sprintf(";%s;2;%d;%d;%d", which, c.R, c.G, c.B)
	}
	return ""
}
