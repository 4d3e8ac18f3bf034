package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"parley/internal/dialect"
	"parley/internal/screen"
)

// picture is a screen with the parts that a reading found, drawn row by row:
// number, what the row is, a bar, the text.
type picture struct {
	s     screen.Screen
	parts []dialect.Part
	on    display
}

// display is what a picture is drawn on.
type display struct {
	cols   int  // 0 = as wide as it likes
	colour bool // a terminal that has not said no
}

// terminal says what can be drawn on f.
func terminal(f *os.File) display {
	cols, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return display{}
	}
	return display{cols, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// margin is the width of what stands in front of a row's text.
const margin = len("999 draft, ghost ") + 2

// looks are the bar and the colour (SGR) of each part, and its rank: of two
// parts with one cell the later of this list counts.
var looks = []struct {
	is   dialect.PartKind
	bar  string
	tint string
}{
	{"", " ", "2"},
	{partKept, "▏", "0"},
	{dialect.PartFooter, "╎", "34"},
	{dialect.PartStatus, "┃", "36"},
	{dialect.PartDialog, "█", "31"},
	{dialect.PartUnknown, "?", "7;31"},
	{dialect.PartComposer, "▌", "32"},
	{dialect.PartGhost, "▌", "2;3"},
	{dialect.PartDraft, "▌", "1;33"},
}

func (p picture) String() string {
	var b strings.Builder
	if p.s.Title != "" {
		p.line(&b, fmt.Sprintf("    %-12s ", "title "+string(looks[p.rank(inTitle)].is)), p.rank(inTitle), p.clip(p.s.Title))
	}
	last := ""
	rows := p.rows()
	for y := 0; y < rows; y++ {
		if n := p.blank(y, rows); n > 3 {
			b.WriteString("  ⋮\n")
			y, last = y+n-1, ""
			continue
		}
		label := p.label(y)
		shown := label
		if label == last {
			shown = ""
		}
		last = label
		p.line(&b, fmt.Sprintf("%3d %-12s ", y+1, shown), p.rank(y), p.row(y))
	}
	return b.String()
}

// line writes the margin in the row's colour, and the row.
func (p picture) line(b *strings.Builder, head string, rank int, row string) {
	head += looks[rank].bar
	if p.on.colour && rank > 0 {
		head = "\x1b[" + looks[rank].tint + "m" + head + "\x1b[0m"
	}
	b.WriteString(strings.TrimRight(head+" "+row, " ") + "\n")
}

// rows is the number of rows down to the last one with text.
func (p picture) rows() int {
	n := p.s.Rows
	for n > 0 && p.s.Row(n-1) == "" {
		n--
	}
	return n
}

// blank is the number of blank rows from y on that are no part of anything.
func (p picture) blank(y, rows int) (n int) {
	for y+n < rows && p.s.Row(y+n) == "" && len(p.ranks(y+n)) == 0 {
		n++
	}
	return n
}

// inTitle is the row of the parts that are in the title.
const inTitle = -1

// ranks are those of the parts on row y, lowest first.
func (p picture) ranks(y int) (out []int) {
	for _, part := range p.parts {
		if y == inTitle && part.Region.Empty() || y >= part.Region.Top && y < part.Region.Bottom {
			out = append(out, rankOf(part.Is))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func rankOf(is dialect.PartKind) int {
	for i, l := range looks {
		if l.is == is {
			return i
		}
	}
	return 0
}

// rank is the row's highest part: it gives the bar.
func (p picture) rank(y int) int {
	if r := p.ranks(y); len(r) > 0 {
		return r[len(r)-1]
	}
	return 0
}

// label names the row's part; a draft with a suggestion behind it has two.
func (p picture) label(y int) string {
	r := p.ranks(y)
	if len(r) == 0 {
		return ""
	}
	top := looks[r[len(r)-1]].is
	if top == dialect.PartDraft && slices.Contains(r, rankOf(dialect.PartGhost)) {
		return "draft, ghost"
	}
	return string(top)
}

// row is the text of row y, cell by cell in the colour of its part.
func (p picture) row(y int) string {
	if !p.on.colour {
		return p.clip(p.s.Row(y))
	}
	var b strings.Builder
	was := ""
	cols := p.s.Cols
	if p.on.cols > 0 {
		cols = min(cols, max(p.on.cols-margin, 1))
	}
	for x := range cols {
		c := p.s.Cell(x, y)
		if x+c.Width > cols {
			break
		}
		tint := looks[p.rankAt(x, y)].tint
		if c.Text == " " {
			tint = was
		}
		if tint != was {
			b.WriteString("\x1b[0;" + tint + "m")
			was = tint
		}
		b.WriteString(c.Text)
	}
	return strings.TrimRight(b.String(), " ") + "\x1b[0m"
}

func (p picture) rankAt(x, y int) (rank int) {
	for _, part := range p.parts {
		if part.Region.Contains(x, y) {
			rank = max(rank, rankOf(part.Is))
		}
	}
	return rank
}

// clip cuts a row that would wrap on the display.
func (p picture) clip(row string) string {
	if p.on.cols == 0 {
		return row
	}
	return ansi.Truncate(row, max(p.on.cols-margin, 1), "…")
}

// partKept are the rows of a frame on which words remain.
const partKept dialect.PartKind = "kept"

// keptPicture draws a frame with the rows marked on which words remain.
func keptPicture(s screen.Screen, kept []int) string {
	p := picture{s: s, on: terminal(os.Stdout)}
	for _, y := range kept {
		p.parts = append(p.parts, dialect.Part{Is: partKept, Region: screen.Region{Top: y - 1, Right: s.Cols, Bottom: y}})
	}
	return p.String()
}
