// Package screen holds one immutable picture of a terminal: cells with their
// attributes, cursor, size, modes and title. Drivers make screens, dialects
// read them; the two meet only here.
package screen

import (
	"strings"
)

// Attr is a set of text attributes.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Underline
	Blink
	Reverse
	Conceal
	Strike
)

// Color is a foreground or background: Default, an indexed colour 0-255, or a
// 24-bit colour. Two colours are the same if they are equal.
type Color struct {
	Kind    ColorKind
	R, G, B uint8 // Kind RGB; for Indexed, R holds the index
}

// ColorKind says how a Color is written.
type ColorKind uint8

const (
	Default ColorKind = iota
	Indexed
	RGB
)

// Cell is one column of one row. A wide character stands in its first column;
// the column behind it has Width 0 and no text.
type Cell struct {
	Text  string // one grapheme, "" behind a wide one, " " if blank
	Width int    // 0, 1 or 2 columns
	Attr  Attr
	FG    Color
	BG    Color
}

// Cursor is where the terminal's cursor stands, from 0 at the top left.
type Cursor struct {
	X, Y    int
	Visible bool
}

// Screen is one picture. Rows has exactly Size.Rows rows of Size.Cols cells.
// It is never changed after it was made.
type Screen struct {
	Cols, Rows int
	Cells      [][]Cell
	Cursor     Cursor
	Alternate  bool   // the alternate screen is on
	Title      string // the pane's title as the program set it
}

// Row returns the text of row y with trailing blanks cut; "" out of range.
// NBSP is kept as it is.
func (s Screen) Row(y int) string { return strings.TrimRight(s.Span(y, 0, s.Cols), " ") }

// Span returns the text of row y from column x0 up to, not including, x1.
func (s Screen) Span(y, x0, x1 int) string {
	if y < 0 || y >= len(s.Cells) {
		return ""
	}
	var b strings.Builder
	for x := max(x0, 0); x < x1 && x < len(s.Cells[y]); x++ {
		b.WriteString(s.Cells[y][x].Text)
	}
	return b.String()
}

// Cell returns the cell at column x of row y; a blank one out of range.
func (s Screen) Cell(x, y int) Cell {
	if y < 0 || y >= len(s.Cells) || x < 0 || x >= len(s.Cells[y]) {
		return Cell{Text: " ", Width: 1}
	}
	return s.Cells[y][x]
}

// Region is a rectangle of cells: rows Top to Bottom and columns Left to
// Right, the last ones not included.
type Region struct{ Left, Top, Right, Bottom int }

// Empty reports whether the region holds no cell.
func (r Region) Empty() bool { return r.Left >= r.Right || r.Top >= r.Bottom }

// Contains reports whether the cell at column x, row y lies in the region.
func (r Region) Contains(x, y int) bool {
	return x >= r.Left && x < r.Right && y >= r.Top && y < r.Bottom
}
