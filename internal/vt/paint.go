package vt

import (
	"fmt"
	"strconv"
	"strings"

	"parley/internal/screen"
)

// Paint is what must be written to a terminal that was just cleared, so that
// it shows this picture and is in these modes. With history, what was scrolled
// off comes first, so that it stands in that terminal's own history.
func (e *Emulator) Paint(history bool) []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	p := painter{e: e}
	p.WriteString("\x1b[0m\x1b[H\x1b[2J")
	if history {
		p.past()
	}
	if e.page == e.alt {
		p.rows(e.main.rows)
		p.mark(*e.left)
		p.WriteString("\x1b[?1049h\x1b[H\x1b[2J")
	}
	p.rows(e.page.rows)
	p.state()
	return []byte(p.String())
}

// painter writes a picture as a program would.
type painter struct {
	strings.Builder
	e   *Emulator
	pen pen // what is set on the terminal
}

// rows paints a screen from its first row down.
func (p *painter) rows(all []row) {
	for y, r := range all {
		fmt.Fprintf(p, "\x1b[%d;1H", y+1)
		p.row(r)
	}
	p.use(pen{})
}

// past writes the history and scrolls it off.
func (p *painter) past() {
	past := p.e.main.past()
	for _, r := range past {
		p.row(r)
		p.use(pen{})
		p.WriteString("\r\n")
	}
	p.WriteString(at(0, p.e.rows-1) + strings.Repeat("\n", min(len(past), p.e.rows-1)) + "\x1b[H")
}

// row paints a row up to its last cell that is not blank.
func (p *painter) row(r row) {
	end := len(r.cells)
	for end > 0 && r.cells[end-1] == empty {
		end--
	}
	for _, c := range r.cells[:end] {
		if c.width == 0 {
			continue
		}
		p.use(pen{c.attr, c.fg, c.bg})
		p.WriteString(p.e.textOf(c))
	}
}

// use sets attributes and colours, if they are not set already.
func (p *painter) use(want pen) {
	if want == p.pen {
		return
	}
	p.pen = want
	p.WriteString("\x1b[0")
	for i, a := range []screen.Attr{screen.Bold, screen.Dim, screen.Italic, screen.Underline, screen.Blink, 0, screen.Reverse, screen.Conceal, screen.Strike} {
		if want.attr&a != 0 {
			p.WriteString(";" + strconv.Itoa(i+1))
		}
	}
	p.WriteString(colour(want.fg, 38) + colour(want.bg, 48) + "m")
}

func colour(c screen.Color, base int) string {
	switch {
	case c.Kind == screen.RGB:
		return fmt.Sprintf(";%d;2;%d;%d;%d", base, c.R, c.G, c.B)
	case c.Kind == screen.Indexed:
		return fmt.Sprintf(";%d;5;%d", base, c.R)
	}
	return ""
}

// mark places and saves the cursor.
func (p *painter) mark(m mark) {
	p.WriteString(at(m.x, m.y))
}

func at(x, y int) string { return fmt.Sprintf("\x1b[%d;%dH", y+1, x+1) }

// state sets cursor, pen, region and modes, and the title.
func (p *painter) state() {
	e := p.e
	if e.saved != (mark{}) {
		p.WriteString(at(e.saved.x, e.saved.y))
		p.use(e.saved.pen)
		p.WriteString("\x1b7")
	}
	if e.top > 0 || e.bottom < e.rows-1 {
		fmt.Fprintf(p, "\x1b[%d;%dr", e.top+1, e.bottom+1)
	}
	for _, n := range e.sortedPrivate() {
		fmt.Fprintf(p, "\x1b[?%dh", n)
	}
	for _, flags := range e.kitty {
		fmt.Fprintf(p, "\x1b[>%du", flags)
	}
	if e.other > 0 {
		fmt.Fprintf(p, "\x1b[>4;%dm", e.other)
	}
	if e.style > 0 {
		fmt.Fprintf(p, "\x1b[%d q", e.style)
	}
	for i, set := range e.sets {
		p.on(set, "\x1b"+string("()"[i])+"0")
	}
	if e.title != "" {
		p.WriteString("\x1b]2;" + e.title + "\x1b\\")
	}
	p.cursor()
	p.on(e.shift == 1, "\x0e")
	p.on(e.keypad, "\x1b=")
	p.on(e.insert, "\x1b[4h")
	p.on(!e.wrap, "\x1b[?7l")
	p.on(!e.cursor, "\x1b[?25l")
}

func (p *painter) on(on bool, sequence string) {
	if on {
		p.WriteString(sequence)
	}
}

// cursor places the cursor; behind a full row it stands only once that row's
// last cell is written.
func (p *painter) cursor() {
	e := p.e
	p.WriteString(at(min(e.x, e.cols-1), e.y))
	if e.x >= e.cols {
		last := e.page.rows[e.y].cells[e.cols-1]
		if last.width == 0 && e.cols > 1 {
			p.WriteString("\b")
			last = e.page.rows[e.y].cells[e.cols-2]
		}
		p.use(pen{last.attr, last.fg, last.bg})
		p.WriteString(e.textOf(last))
	}
	p.use(e.pen)
	if e.origin { // it moves the cursor
		fmt.Fprintf(p, "\x1b[?6h%s", at(min(e.x, e.cols-1), e.y-e.top))
	}
}
