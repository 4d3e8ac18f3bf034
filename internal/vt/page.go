package vt

import (
	"slices"

	"parley/internal/screen"
)

// cell is one column of one row, packed into 16 bytes: a long history and fifty
// agents fit into little memory.
type cell struct {
	// char is a character, or below 0 the number of a cluster of several; 0 is
	// the column behind a wide one.
	char  rune
	attr  screen.Attr
	width uint8
	fg    screen.Color
	bg    screen.Color
}

var empty = cell{char: ' ', width: 1}

// row is one line. wrapped: it goes on in the next one.
type row struct {
	cells   []cell
	wrapped bool
}

func newRow(cols int, fill cell) row {
	r := row{cells: make([]cell, cols)}
	r.clear(fill)
	return r
}

func (r *row) clear(fill cell) {
	r.wrapped = false
	r.fill(0, len(r.cells), fill)
}

// fill sets the columns from x0 up to, not including, x1.
func (r *row) fill(x0, x1 int, c cell) {
	x0, x1 = max(x0, 0), min(x1, len(r.cells))
	if x0 >= x1 {
		return
	}
	to := r.cells[x0:x1]
	to[0] = c
	for n := 1; n < len(to); n *= 2 { // copies are much faster than cell by cell
		copy(to[n:], to[:n])
	}
}

func (r *row) resize(cols int) {
	if cols <= len(r.cells) {
		r.cells = slices.Clone(r.cells[:cols])
		return
	}
	wide := newRow(cols, empty)
	copy(wide.cells, r.cells)
	r.cells = wide.cells
}

// page is one of a terminal's two screens. Rows that leave the main one at its
// top go into its history, a ring.
type page struct {
	rows    []row
	history []row
	oldest  int // in history, once it is full
	keep    int // rows of history at most; 0 for the alternate screen
}

func newPage(cols, rows, keep int) *page {
	p := &page{keep: keep}
	for range rows {
		p.rows = append(p.rows, newRow(cols, empty))
	}
	return p
}

// up moves the rows from top to bottom, that one included, up by one. The
// first is remembered if it leaves the screen.
func (p *page) up(top, bottom int, fill cell) {
	first := p.rows[top]
	if top == 0 && p.keep > 0 {
		first = p.remember(first)
	}
	copy(p.rows[top:bottom], p.rows[top+1:bottom+1])
	first.clear(fill)
	p.rows[bottom] = first
}

// remember puts a row into the history and gives back one of the same width
// whose content is free to be overwritten.
func (p *page) remember(r row) row {
	if len(p.history) < p.keep {
		p.history = append(p.history, r)
		return newRow(len(r.cells), empty)
	}
	old := p.history[p.oldest]
	p.history[p.oldest] = r
	p.oldest = (p.oldest + 1) % p.keep
	if len(old.cells) != len(r.cells) {
		return newRow(len(r.cells), empty)
	}
	return old
}

// recall takes the newest row out of the history.
func (p *page) recall() (row, bool) {
	n := len(p.history)
	if n == 0 {
		return row{}, false
	}
	p.history = p.past()
	p.oldest = 0
	last := p.history[n-1]
	p.history = p.history[:n-1]
	return last, true
}

// past lists the history, oldest first.
func (p *page) past() []row {
	return slices.Concat(p.history[p.oldest:], p.history[:p.oldest])
}

func (p *page) down(top, bottom int, fill cell) {
	last := p.rows[bottom]
	copy(p.rows[top+1:bottom+1], p.rows[top:bottom])
	last.clear(fill)
	p.rows[top] = last
}

// resize cuts or adds rows so that the one with the cursor stays in sight, as
// tmux does: below the cursor first, then at the top into the history, and out
// of it again. It returns by how many rows the cursor's place has moved.
func (p *page) resize(cols, rows, cursor int) (moved int) {
	for len(p.rows) > rows && cursor+moved < len(p.rows)-1 {
		p.rows = p.rows[:len(p.rows)-1]
	}
	for len(p.rows) > rows {
		if p.keep > 0 {
			p.remember(p.rows[0])
		}
		p.rows = slices.Delete(p.rows, 0, 1)
		moved--
	}
	for len(p.rows) < rows {
		if r, ok := p.recall(); ok {
			p.rows = slices.Insert(p.rows, 0, r)
			moved++
			continue
		}
		p.rows = append(p.rows, newRow(cols, empty))
	}
	for y := range p.rows {
		p.rows[y].resize(cols)
	}
	return moved
}
