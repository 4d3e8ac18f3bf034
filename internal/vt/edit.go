package vt

// blankCell is what erasing leaves: the background of the pen.
func (e *Emulator) blankCell() cell {
	c := empty
	c.bg = e.bg
	return c
}

// erase blanks the columns from x0 up to x1 of a row.
func (e *Emulator) erase(y, x0, x1 int) {
	e.split(y, x0)
	e.split(y, x1)
	e.page.rows[y].fill(x0, x1, e.blankCell())
}

func (e *Emulator) eraseRows(y0, y1 int) {
	for y := y0; y < y1; y++ {
		e.page.rows[y].clear(e.blankCell())
	}
}

// eraseLine is EL. Behind a row that is full there is nothing to erase.
func (e *Emulator) eraseLine(how int) {
	switch how {
	case 0:
		e.erase(e.y, e.x, e.cols)
	case 1:
		e.erase(e.y, 0, e.x+1)
	case 2:
		e.erase(e.y, 0, e.cols)
	}
}

// eraseDisplay is ED. What is cleared as a whole goes into the history.
func (e *Emulator) eraseDisplay(how int) {
	switch how {
	case 0:
		if e.x == 0 && e.y == 0 {
			e.file()
		}
		e.erase(e.y, e.x, e.cols)
		e.eraseRows(e.y+1, e.rows)
	case 1:
		e.eraseRows(0, e.y)
		e.erase(e.y, 0, e.x+1)
	case 2:
		e.file()
		e.eraseRows(0, e.rows)
	case 3:
		e.page.history, e.page.oldest = nil, 0
	}
}

// file copies what stands on the main screen into its history, down to the
// last row that holds anything.
func (e *Emulator) file() {
	if e.page.keep == 0 {
		return
	}
	last := e.rows - 1
	for last >= 0 && e.page.rows[last].bare() {
		last--
	}
	for y := range last + 1 {
		next := e.page.remember(e.page.rows[y])
		next.clear(empty)
		e.page.rows[y] = next
	}
}

// bare reports whether nothing was written to a row.
func (r row) bare() bool {
	for _, c := range r.cells {
		if c != empty {
			return false
		}
	}
	return true
}

// insertCells makes room for n columns at the cursor.
func (e *Emulator) insertCells(n int) {
	if e.x >= e.cols {
		return
	}
	cells := e.page.rows[e.y].cells
	n = min(n, e.cols-e.x)
	e.split(e.y, e.x)
	e.split(e.y, e.cols-n)
	copy(cells[e.x+n:], cells[e.x:])
	e.erase(e.y, e.x, e.x+n)
}

func (e *Emulator) deleteCells(n int) {
	if e.x >= e.cols {
		return
	}
	cells := e.page.rows[e.y].cells
	n = min(n, e.cols-e.x)
	e.split(e.y, e.x)
	e.split(e.y, e.x+n)
	copy(cells[e.x:], cells[e.x+n:])
	e.erase(e.y, e.cols-n, e.cols)
}

// shiftRows inserts (n > 0) or deletes rows at the cursor: within the region,
// or outside of it down to the end of the screen.
func (e *Emulator) shiftRows(n int) {
	bottom := e.rows - 1
	if e.y >= e.top && e.y <= e.bottom {
		bottom = e.bottom
	}
	for range min(max(n, -n), bottom-e.y+1) {
		if n > 0 {
			e.page.down(e.y, bottom, e.blankCell())
		} else {
			e.take(e.y, bottom)
		}
	}
}

// take deletes one row; it is not remembered.
func (e *Emulator) take(y, bottom int) {
	keep := e.page.keep
	e.page.keep = 0
	e.page.up(y, bottom, e.blankCell())
	e.page.keep = keep
}

// scroll moves the region up (n > 0) or down.
func (e *Emulator) scroll(n int) {
	for range min(max(n, -n), e.bottom-e.top+1) {
		if n > 0 {
			e.page.up(e.top, e.bottom, e.blankCell())
		} else {
			e.page.down(e.top, e.bottom, e.blankCell())
		}
	}
}

// align fills the screen with E (DECALN).
func (e *Emulator) align() {
	for y := range e.page.rows {
		e.page.rows[y].clear(cell{char: 'E', width: 1})
	}
	e.x, e.y, e.top, e.bottom = 0, 0, 0, e.rows-1
}
