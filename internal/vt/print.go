package vt

import (
	"strings"
	"unicode/utf8"
)

const joiner = "\u200d"

var asciiTexts = func() (all [128]string) {
	for i := range all {
		all[i] = string(rune(i))
	}
	return all
}()

// textOf is what a cell shows.
func (e *Emulator) textOf(c cell) string {
	switch {
	case c.width == 0:
		return ""
	case c.char < 0:
		return e.clusters[-c.char-1]
	case c.char < 128:
		return asciiTexts[c.char]
	}
	return string(c.char)
}

// number is the char of a cell that shows several characters.
func (e *Emulator) number(text string) rune {
	if n, ok := e.numbers[text]; ok {
		return n
	}
	if e.numbers == nil {
		e.numbers = map[string]rune{}
	}
	e.clusters = append(e.clusters, text)
	n := rune(-len(e.clusters))
	e.numbers[text] = n
	return n
}

// The most bytes in one cell, and the most different ones that are kept: a
// program that draws only such must not fill the memory.
const maxCluster, maxClusters = 64, 1 << 16

// ascii prints a run of ASCII, which is nearly all that is ever printed.
func (e *Emulator) ascii(b []byte) {
	if e.insert || !e.wrap || e.sets[e.shift] || e.joins() {
		for _, c := range b {
			e.char(rune(c))
		}
		return
	}
	for len(b) > 0 {
		if e.x >= e.cols {
			e.wrapped()
		}
		cells := e.page.rows[e.y].cells
		n := min(len(b), e.cols-e.x)
		e.split(e.y, e.x)
		e.split(e.y, e.x+n)
		for i, c := range b[:n] {
			cells[e.x+i] = cell{char: rune(c), width: 1, attr: e.attr, fg: e.fg, bg: e.bg}
		}
		e.x += n
		e.last = rune(b[n-1])
		b = b[n:]
	}
}

// char prints one character. As in tmux, one without width joins the cell
// before it, and so does the one behind a zero-width joiner.
func (e *Emulator) char(r rune) {
	w := 1
	if r >= 0x7f {
		w = Width(r)
	} else if e.sets[e.shift] {
		r, _ = utf8.DecodeRuneInString(lineDrawing(string(r)))
	}
	if w == 0 || e.joins() {
		if e.join(r) || w == 0 {
			return
		}
	}
	if !e.wrap && w > 1 && (w > e.cols || e.x != e.cols && e.x > e.cols-w) {
		return // it does not fit
	}
	if e.insert {
		e.insertCells(w)
	}
	if e.wrap && e.x > e.cols-w {
		e.wrapped()
	}
	if e.x > e.cols-w {
		return
	}
	e.split(e.y, e.x)
	e.split(e.y, e.x+w)
	cells := e.page.rows[e.y].cells
	c := cell{char: r, width: uint8(w), attr: e.attr, fg: e.fg, bg: e.bg}
	cells[e.x] = c
	if w == 2 {
		c.char, c.width = 0, 0
		cells[e.x+1] = c
	}
	e.last = r
	e.x += w
	if !e.wrap {
		e.x = min(e.x, e.cols-1)
	}
}

// before is the column of the character before the cursor, -1 without one.
func (e *Emulator) before() int {
	x := min(e.x, e.cols) - 1
	for x >= 0 && e.page.rows[e.y].cells[x].width == 0 {
		x--
	}
	return x
}

// joins reports whether the character before the cursor ends in a joiner.
func (e *Emulator) joins() bool {
	x := e.before()
	return x >= 0 && e.page.rows[e.y].cells[x].char < 0 && strings.HasSuffix(e.textOf(e.page.rows[e.y].cells[x]), joiner)
}

// join adds a character to the cell before the cursor.
func (e *Emulator) join(r rune) bool {
	x := e.before()
	if x < 0 {
		return false
	}
	c := &e.page.rows[e.y].cells[x]
	text := e.textOf(*c) + string(r)
	if len(text) > maxCluster || len(e.clusters) >= maxClusters {
		return true
	}
	c.char = e.number(text)
	return true
}

// wrapped goes on in the next row.
func (e *Emulator) wrapped() {
	e.page.rows[e.y].wrapped = true
	e.linefeed(empty)
	e.x = 0
}

// split blanks a wide character whose second column is x, where something
// else begins: half a character is none.
func (e *Emulator) split(y, x int) {
	cells := e.page.rows[y].cells
	if x > 0 && x < len(cells) && cells[x].width == 0 {
		cells[x-1], cells[x] = empty, empty
	}
}

// linefeed goes down a row and scrolls at the end of the region.
func (e *Emulator) linefeed(fill cell) {
	switch {
	case e.y == e.bottom:
		e.page.up(e.top, e.bottom, fill)
	case e.y < e.rows-1:
		e.y++
	}
}
