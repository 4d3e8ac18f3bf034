package vt

import (
	"io"
	"sync"

	"parley/internal/screen"
)

// History is how many rows above the screen are kept.
const History = 1000

// Emulator follows the bytes that a program writes to its terminal, as tmux
// 3.3a would (TestEmulatorAgreesWithTmux). It is safe for use by several
// goroutines.
type Emulator struct {
	mu sync.Mutex
	parser
	pen
	modes

	cols, rows  int
	main, alt   *page // alt is nil until it is first used
	page        *page // the one that shows
	x, y        int   // the cursor; x is cols behind a row that is full
	top, bottom int   // the rows that scroll
	tabs        []bool
	sets        [2]bool // G0 and G1 are line drawing
	shift       int     // which of them is in use
	saved       mark    // DECSC
	left        *mark   // the main screen's, once the alternate one was shown
	last        rune    // what REP repeats
	title       string

	clusters []string // texts of cells that hold several characters
	numbers  map[string]rune

	reply   io.Writer
	answers []byte // to what the program asked, until Write ends
}

// mark is what is saved with a cursor.
type mark struct {
	x, y   int
	pen    pen
	sets   [2]bool
	shift  int
	origin bool
}

// New returns an empty terminal of this size. What the program asks of its
// terminal (cursor position, attributes, colours) is answered only if ReplyTo
// was called.
func New(cols, rows int) *Emulator {
	e := &Emulator{cols: max(cols, 1), rows: max(rows, 1)}
	e.main = newPage(e.cols, e.rows, History)
	e.reset()
	return e
}

// reset is the state of a terminal that was just switched on (RIS).
func (e *Emulator) reset() {
	e.page, e.alt = e.main, nil
	e.modes, e.pen, e.saved, e.left = modesAtStart(), pen{}, mark{}, nil
	e.x, e.y, e.sets, e.shift = 0, 0, [2]bool{}, 0
	for i := range e.main.rows {
		e.main.rows[i].clear(empty)
	}
	e.fresh()
}

// fresh forgets what belongs to a size: scrolling region and tab stops.
func (e *Emulator) fresh() {
	e.top, e.bottom = 0, e.rows-1
	e.tabs = make([]bool, e.cols)
	for x := 8; x < e.cols; x += 8 {
		e.tabs[x] = true
	}
}

// ReplyTo sends the terminal's answers to w, normally the PTY; nil drops them.
func (e *Emulator) ReplyTo(w io.Writer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reply = w
}

// Write takes the program's output. A sequence may be split over two calls.
func (e *Emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	e.write(p)
	answers, to := e.answers, e.reply
	e.answers = nil
	e.mu.Unlock()
	if len(answers) > 0 && to != nil {
		_, _ = to.Write(answers) // the program is gone: nobody to tell
	}
	return len(p), nil
}

// Resize sets the size of both screens; nothing is reflowed.
func (e *Emulator) Resize(cols, rows int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cols, rows = max(cols, 1), max(rows, 1)
	if cols == e.cols && rows == e.rows {
		return
	}
	e.cols, e.rows = cols, rows
	if e.alt != nil {
		if e.page == e.alt {
			e.left.y += e.main.resize(cols, rows, e.left.y)
			e.y += e.alt.resize(cols, rows, e.y)
		} else {
			e.alt = nil
		}
	}
	if e.page == e.main {
		e.y += e.main.resize(cols, rows, e.y)
	}
	e.x, e.y = min(e.x, cols-1), min(max(e.y, 0), rows-1)
	e.fresh()
}

// Close is for callers that treat the emulator as a file; nothing is held.
func (e *Emulator) Close() error { return nil }

// Screen is the picture as it stands now; later writes do not change it.
func (e *Emulator) Screen() screen.Screen {
	e.mu.Lock()
	defer e.mu.Unlock()
	cells := grid(e.cols, e.rows)
	for y, r := range e.page.rows {
		for x, c := range r.cells {
			cells[y][x] = screen.Cell{Text: e.textOf(c), Width: int(c.width), Attr: c.attr, FG: c.fg, BG: c.bg}
		}
	}
	return screen.Screen{
		Cols: e.cols, Rows: e.rows, Cells: cells, Alternate: e.page == e.alt, Title: e.title,
		Cursor: screen.Cursor{X: e.x, Y: e.y, Visible: e.cursor},
	}
}
