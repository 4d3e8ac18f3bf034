package dialect

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/screen"
)

// Blank is the screen with every word made unreadable that the dialect can do
// without: it reads as it did, with the same box and every rule that held. So
// what remains is the CLI's own words, and a user can show it to others.
// kept are the rows on which words remain, from the top.
func (d *Dialect) Blank(s screen.Screen, version string) (blank screen.Screen, kept []int) {
	b := blanker{d: d, version: version, was: d.trace(s, version), words: wordsOf(s)}
	b.keep = make([]bool, len(b.words))
	for i := range b.keep {
		b.keep[i] = true
	}
	b.s = s
	if t := s; b.same(screen.Screen{Cols: t.Cols, Rows: t.Rows, Cells: t.Cells, Cursor: t.Cursor, Alternate: t.Alternate, Title: screen.BlankText(t.Title)}) {
		b.s.Title = screen.BlankText(t.Title)
	}
	b.try(0, len(b.words))
	for i, w := range b.words {
		if b.keep[i] && !slices.Contains(kept, w.y) {
			kept = append(kept, w.y)
		}
	}
	return b.blanked(), kept
}

// blanker tries what can go.
type blanker struct {
	d       *Dialect
	version string
	was     string // the trace that must stay
	s       screen.Screen
	words   []word
	keep    []bool
}

// word is a run of cells that are not blank.
type word struct{ y, from, to int }

func wordsOf(s screen.Screen) (out []word) {
	for y := range s.Rows {
		from := -1
		for x := 0; x <= s.Cols; x++ {
			blank := x == s.Cols || s.Cell(x, y).Text == " "
			switch {
			case !blank && from < 0:
				from = x
			case blank && from >= 0:
				out, from = append(out, word{y, from, x}), -1
			}
		}
	}
	return out
}

// try blanks the words from i to j if nothing depends on them, else the halves
// of them that nothing depends on.
func (b *blanker) try(i, j int) {
	if i >= j {
		return
	}
	for k := i; k < j; k++ {
		b.keep[k] = false
	}
	if b.same(b.blanked()) {
		return
	}
	for k := i; k < j; k++ {
		b.keep[k] = true
	}
	if j-i > 1 {
		b.try(i, (i+j)/2)
		b.try((i+j)/2, j)
	}
}

func (b *blanker) blanked() screen.Screen {
	kept := map[[2]int]bool{}
	for i, w := range b.words {
		for x := w.from; b.keep[i] && x < w.to; x++ {
			kept[[2]int{x, w.y}] = true
		}
	}
	return b.s.Blanked(func(x, y int) bool { return kept[[2]int{x, y}] })
}

func (b *blanker) same(s screen.Screen) bool { return b.d.trace(s, b.version) == b.was }

// trace is all that a reading must not lose: what it says, with the version
// known and not known, and every rule that holds. The texts of draft and ghost
// are not in it.
func (d *Dialect) trace(s screen.Screen, version string) string {
	var b strings.Builder
	for _, known := range []string{version, ""} {
		v := d.look(s, known)
		r := v.reading()
		fmt.Fprintln(&b, r.Composer, r.Turn, r.MayType, r.Reason, r.Rule, r.Queued, r.Clipped, r.AtEnd, len(r.Tokens), r.Ghost != "", r.Box)
		for i := range d.rules {
			fmt.Fprint(&b, v.holds(&d.rules[i]), " ")
		}
	}
	return b.String()
}
