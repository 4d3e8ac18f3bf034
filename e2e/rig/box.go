package rig

import "strings"

// What the recipes' box readers share. Columns count characters: all that stands left of
// a text is one column wide.

func (r Row) starts(with string) bool { return strings.HasPrefix(r.String(), with) }

// glyph reports whether the character in a column is one of these.
func (r Row) glyph(column int, of string) bool {
	return column < len(r) && strings.ContainsRune(of, r[column].Char)
}

// around finds the nearest edges above and below the row that the cursor is in, -1 where
// one is missing.
func around(l Look, top, bottom func(Row) bool) (int, int) {
	if l.Y >= len(l.Rows) {
		return -1, -1
	}
	up, down := l.Y, l.Y
	for up >= 0 && !top(l.Rows[up]) {
		up--
	}
	for down < len(l.Rows) && !bottom(l.Rows[down]) {
		down++
	}
	if up < 0 || down == len(l.Rows) || down-up < 2 {
		return -1, -1
	}
	return up, down
}

// last finds the last lower edge of the screen and the nearest upper one above it, -1 where
// one is missing.
func last(l Look, top, bottom func(Row) bool) (int, int) {
	down := len(l.Rows) - 1
	for down >= 0 && !bottom(l.Rows[down]) {
		down--
	}
	up := down - 1
	for up >= 0 && !top(l.Rows[up]) {
		up--
	}
	if up < 0 || down-up < 2 {
		return -1, -1
	}
	return up, down
}

// inside is the text between two rows, from a column on, as read has it.
func inside(l Look, top, bottom, from int, read func(Row, int) string) string {
	var lines []string
	for _, r := range l.Rows[top+1 : bottom] {
		lines = append(lines, read(r, from))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// plain is a row's text from a column on.
func plain(r Row, from int) string {
	if from >= len(r) {
		return ""
	}
	return r[from:].String()
}

// bordered is plain without a box's right edge.
func bordered(r Row, from int) string { return unborder(plain(r, from)) }

func unborder(s string) string { return strings.TrimRight(strings.TrimSuffix(s, "│"), " ") }

func oneOf(s string, of []string) bool {
	for _, o := range of {
		if s == o {
			return true
		}
	}
	return false
}
