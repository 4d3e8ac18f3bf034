package rig

import (
	"fmt"
	"strings"
)

// Look is what stands in a pane at one moment.
type Look struct {
	Rows      []Row
	X, Y      int  // cursor, from 0
	Cursor    bool // the terminal's cursor is visible
	Alternate bool
	Mode      bool // copy mode or another mode of tmux
	Command   string
	Title     string
}

// Row is a line of the screen, without trailing blanks.
type Row []Cell

// Cell is a character with those attributes that tell real text from ghost text.
type Cell struct {
	Char               rune
	Bold, Dim, Inverse bool
}

// String is the row's text.
func (r Row) String() string {
	var b strings.Builder
	for _, c := range r {
		b.WriteRune(c.Char)
	}
	return strings.TrimRight(b.String(), " ")
}

// String is the screen's text.
func (l Look) String() string {
	var b strings.Builder
	for _, r := range l.Rows {
		b.WriteString(r.String() + "\n")
	}
	return b.String()
}

// lookFormat is read by parseLook. The title is last: it may hold anything.
const lookFormat = "#{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{pane_in_mode} #{pane_current_command} #{pane_title}"

// parseLook reads the output of one tmux command line: lookFormat displayed, then
// capture-pane -e.
func parseLook(out string) (Look, error) {
	head, body, _ := strings.Cut(out, "\n")
	var l Look
	var cursor, alternate, mode int
	if _, err := fmt.Sscan(head, &l.X, &l.Y, &cursor, &alternate, &mode, &l.Command); err != nil {
		return Look{}, fmt.Errorf("rig: look %q: %w", head, err)
	}
	if f := strings.SplitN(head, " ", 7); len(f) == 7 {
		l.Title = f[6]
	}
	l.Cursor, l.Alternate, l.Mode = cursor == 1, alternate == 1, mode == 1
	var pen Cell // attributes go on over line ends
	for _, line := range strings.Split(body, "\n") {
		l.Rows = append(l.Rows, parseRow(line, &pen))
	}
	return l, nil
}

func parseRow(line string, pen *Cell) Row {
	var row Row
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		if runes[i] != 0x1b {
			c := *pen
			c.Char = runes[i]
			row = append(row, c)
			continue
		}
		i = escape(runes, i+1, pen)
	}
	return row
}

// escape reads the escape sequence whose second character is at i, and returns the place
// of its last one. tmux emits SGR, SO/SI and OSC 8 only.
func escape(runes []rune, i int, pen *Cell) int {
	if i >= len(runes) {
		return i
	}
	start := i + 1
	switch runes[i] {
	case '[':
		for i = start; i < len(runes) && (runes[i] < 0x40 || runes[i] > 0x7e); i++ {
		}
		if i < len(runes) && runes[i] == 'm' {
			pen.sgr(strings.Split(string(runes[start:i]), ";"))
		}
	case ']':
		for i = start; i < len(runes) && !(runes[i] == '\\' && runes[i-1] == 0x1b); i++ {
		}
	}
	return i
}

func (c *Cell) sgr(params []string) {
	for i := 0; i < len(params); i++ {
		switch params[i] {
		case "", "0":
			*c = Cell{}
		case "1":
			c.Bold = true
		case "2":
			c.Dim = true
		case "7":
			c.Inverse = true
		case "22":
			c.Bold, c.Dim = false, false
		case "27":
			c.Inverse = false
		case "38", "48", "58": // 38;5;N or 38;2;R;G;B
			if i+1 < len(params) && params[i+1] == "5" {
				i += 2
			} else {
				i += 4
			}
		}
	}
}
