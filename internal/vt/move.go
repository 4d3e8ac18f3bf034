package vt

// move obeys the sequences that only move the cursor.
func (e *Emulator) move(final byte, a args) {
	n := a.at(0, 1)
	switch final {
	case 'A':
		e.upBy(n)
	case 'B', 'e':
		e.downBy(n)
	case 'C', 'a':
		e.x = max(min(e.x+n, e.cols-1), e.x)
	case 'D':
		e.x = max(e.x-n, 0)
	case 'E':
		e.x = 0
		e.downBy(n)
	case 'F':
		e.x = 0
		e.upBy(n)
	case 'G', '`':
		e.x = min(n, e.cols) - 1
	case 'd':
		e.to(min(e.x, e.cols-1), n-1)
	case 'H', 'f':
		e.to(a.at(1, 1)-1, n-1)
	case 'I':
		e.tab(n)
	case 'Z':
		e.untab(n)
	}
}

// to places the cursor; in origin mode rows count from the region's first.
func (e *Emulator) to(x, y int) {
	if e.origin {
		y = min(y+e.top, e.bottom)
	}
	e.x, e.y = min(max(x, 0), e.cols-1), min(max(y, 0), e.rows-1)
}

// upBy stops at the region's first row, if it does not begin above it.
func (e *Emulator) upBy(n int) {
	least := 0
	if e.y >= e.top {
		least = e.top
	}
	e.x = min(e.x, e.cols-1)
	e.y = max(e.y-n, least)
}

func (e *Emulator) downBy(n int) {
	most := e.rows - 1
	if e.y <= e.bottom {
		most = e.bottom
	}
	e.x = min(e.x, e.cols-1)
	e.y = min(e.y+n, most)
}

// back is BS. Out of the first column it goes to the end of the row before, if
// that one went on in this one.
func (e *Emulator) back() {
	switch {
	case e.x > 0:
		e.x--
	case e.y > 0 && e.page.rows[e.y-1].wrapped:
		e.x, e.y = e.cols-1, e.y-1
	}
}

func (e *Emulator) tab(n int) {
	for ; n > 0 && e.x < e.cols-1; n-- {
		for e.x++; e.x < e.cols-1 && !e.tabs[e.x]; e.x++ {
		}
	}
}

func (e *Emulator) untab(n int) {
	for e.x = min(e.x, e.cols-1); n > 0 && e.x > 0; n-- {
		for e.x--; e.x > 0 && !e.tabs[e.x]; e.x-- {
		}
	}
}

// region is DECSTBM. One that is no region changes nothing.
func (e *Emulator) region(top, bottom int) {
	if bottom < 0 || bottom >= e.rows {
		bottom = e.rows - 1
	}
	if top >= bottom {
		return
	}
	e.top, e.bottom = top, bottom
	e.x, e.y = 0, 0
}

func (e *Emulator) save() {
	e.saved = mark{e.x, e.y, e.pen, e.sets, e.shift, e.origin}
}

func (e *Emulator) restore() { e.recallMark(e.saved) }

func (e *Emulator) recallMark(m mark) {
	e.x, e.y = min(m.x, e.cols-1), min(m.y, e.rows-1)
	e.pen, e.sets, e.shift, e.origin = m.pen, m.sets, m.shift, m.origin
}
