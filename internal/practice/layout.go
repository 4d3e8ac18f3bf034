package practice

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/vt"
)

// tabCells is how wide a tab is drawn; it is kept as a tab.
const tabCells = 4

// laid is a text cut into rows, and where the cursor stands in them.
type laid struct {
	rows []string // with colours
	x, y int
}

// wrap cuts what the box holds into rows of at most width cells, at any
// grapheme, so that a row that is cut for width ends where the next begins.
func (e *editor) wrap(width int) laid {
	var l laid
	var row strings.Builder
	x := 0
	next := func() {
		l.rows = append(l.rows, row.String())
		row.Reset()
		x = 0
	}
	put := func(g, style string) {
		if g == "\t" {
			g = strings.Repeat(" ", tabCells)
		}
		w := columns(g)
		if x+w > width && x > 0 {
			next()
		}
		row.WriteString(paint(style, g))
		x += w
	}
	for i, a := range e.atoms {
		if i == e.at {
			l.x, l.y = x, len(l.rows)
		}
		switch {
		case a.fold != "":
			for _, r := range a.fold {
				put(string(r), styleToken)
			}
		case a.text == "\n":
			next()
		default:
			put(a.text, "")
		}
	}
	if e.at == len(e.atoms) {
		l.x, l.y = x, len(l.rows)
	}
	next()
	return l
}

// columns is how many of them a grapheme takes: as many as its characters, since
// tmux 3.3a knows no graphemes but those that a joiner makes.
func columns(g string) (n int) {
	if strings.Contains(g, "\u200d") {
		return ansi.StringWidth(g)
	}
	for _, r := range g {
		n += vt.Width(r)
	}
	return n
}

// wrapText cuts plain text into rows of at most width cells.
func wrapText(s string, width int) []string {
	var e editor
	e.insert(s)
	return e.wrap(width).rows
}

// window is the part of n rows that fits into limit with row y in it: the tail
// while y is there.
func window(n, limit, y int) (from, to int) {
	if n <= limit {
		return 0, n
	}
	from = n - limit
	if y < from {
		from = y
	}
	return from, from + limit
}

const (
	styleDim   = "2"
	styleBold  = "1"
	styleToken = "36"
	styleRule  = "38;5;66"
	styleAsk   = "33"
)

func paint(style, s string) string {
	if style == "" || s == "" {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}
