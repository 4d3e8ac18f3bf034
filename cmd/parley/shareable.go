package main

import (
	"strconv"
	"strings"

	"parley/internal/dialect"
	"parley/internal/screen"
)

// shareable is the screen with its words blanked, and the rows (from 1) on
// which some remain.
func (k capture) shareable(v seen) (screen.Screen, []int, error) {
	more, err := rowsIn(k.rows)
	if err != nil {
		return v.s, nil, err
	}
	if k.keepText {
		return v.s, rowsWithText(v.s), nil
	}
	s, kept := blankLive(v.s)
	if v.d != nil && v.d.Read(v.s, v.version).Composer != dialect.Unreadable {
		s, kept = v.d.Blank(v.s, v.version)
	}
	keep := map[int]bool{}
	for _, y := range append(more, kept...) {
		keep[y] = true
	}
	isMore := map[int]bool{}
	for _, y := range more {
		isMore[y] = true
	}
	for y := range s.Rows {
		if isMore[y] {
			s.Cells[y] = v.s.Cells[y]
		}
	}
	kept = []int{}
	for y := range s.Rows {
		if keep[y] && s.Row(y) != "" {
			kept = append(kept, y+1)
		}
	}
	return s, kept, nil
}

// blankLive keeps the rows from the cursor's block down: where no dialect says
// what the CLI's own words are, that is where they are.
func blankLive(s screen.Screen) (screen.Screen, []int) {
	from := liveFrom(s)
	var kept []int
	for y := from; y < s.Rows; y++ {
		kept = append(kept, y)
	}
	s.Title = screen.BlankText(s.Title)
	return s.Blanked(func(_, y int) bool { return y >= from }), kept
}

// liveFrom is the first row of the block of rows that holds the cursor, up to a
// blank one. A hidden cursor can be anywhere: then it is that of the last twelve
// rows with text.
func liveFrom(s screen.Screen) int {
	y := s.Cursor.Y
	if !s.Cursor.Visible {
		n := 0
		for y = s.Rows; y > 0 && n < 12; y-- {
			if s.Row(y-1) != "" {
				n++
			}
		}
		return y
	}
	for y > 0 && s.Row(y-1) != "" {
		y--
	}
	return max(y, 0)
}

func rowsWithText(s screen.Screen) []int {
	out := []int{}
	for y := range s.Rows {
		if s.Row(y) != "" {
			out = append(out, y+1)
		}
	}
	return out
}

// rowsIn reads "34-40,12": rows as they are numbered for people, from 1.
func rowsIn(s string) (out []int, err error) {
	for _, item := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		first, last, span := strings.Cut(item, "-")
		from, err := strconv.Atoi(first)
		to := from
		if span && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 1 || to < from || to > 2000 {
			return nil, usagef("--rows is like 34-40,12, not %q", s)
		}
		for y := from; y <= to; y++ {
			out = append(out, y-1)
		}
	}
	return out, nil
}
