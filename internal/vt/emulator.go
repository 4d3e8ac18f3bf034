package vt

import (
	"image/color"
	"io"
	"sync"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	xvt "github.com/charmbracelet/x/vt"

	"parley/internal/screen"
)

// Emulator follows the bytes that a program writes to its terminal. It is safe
// for use by several goroutines. Close it when done.
type Emulator struct {
	mu        sync.Mutex
	emu       *xvt.Emulator
	alternate bool
	hidden    bool
	title     string

	replyMu sync.Mutex
	reply   io.Writer
	drained chan struct{}
}

// New returns an empty terminal of this size. What the program asks of its
// terminal (cursor position, device attributes, colours) is answered only if
// ReplyTo was called.
func New(cols, rows int) *Emulator {
	e := &Emulator{emu: xvt.NewEmulator(cols, rows), drained: make(chan struct{})}
	e.emu.SetCallbacks(xvt.Callbacks{
		Title:            func(s string) { e.title = s },
		AltScreen:        func(on bool) { e.alternate = on },
		CursorVisibility: func(on bool) { e.hidden = !on },
	})
	// The library answers through a pipe and blocks until it is read, in the
	// middle of Write: so somebody must always read it.
	go e.drain()
	return e
}

func (e *Emulator) drain() {
	defer close(e.drained)
	buf := make([]byte, 4096)
	for {
		n, err := e.emu.Read(buf)
		if n > 0 {
			e.replyMu.Lock()
			if e.reply != nil {
				_, _ = e.reply.Write(buf[:n]) // the program is gone: nobody to tell
			}
			e.replyMu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// ReplyTo sends the terminal's answers to w, normally the PTY; nil drops them.
func (e *Emulator) ReplyTo(w io.Writer) {
	e.replyMu.Lock()
	defer e.replyMu.Unlock()
	e.reply = w
}

// Write takes the program's output. A sequence may be split over two calls.
func (e *Emulator) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.emu.Write(p)
}

// Resize sets the size of both screens; nothing is reflowed.
func (e *Emulator) Resize(cols, rows int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.emu.Resize(cols, rows)
}

// Close ends the emulator and waits for its reader.
func (e *Emulator) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	// The pipe first: the library's Close and Read share a bare flag.
	if p, ok := e.emu.InputPipe().(io.Closer); ok {
		_ = p.Close()
	}
	<-e.drained
	return e.emu.Close()
}

// Screen is the picture as it stands now; later writes do not change it.
func (e *Emulator) Screen() screen.Screen {
	e.mu.Lock()
	defer e.mu.Unlock()
	cols, rows := e.emu.Width(), e.emu.Height()
	cells := grid(cols, rows)
	for y := range cells {
		for x := 0; x < cols; x++ {
			x += convert(cells[y][x:], e.emu.CellAt(x, y))
		}
	}
	at := e.emu.CursorPosition()
	return screen.Screen{
		Cols: cols, Rows: rows, Cells: cells, Alternate: e.alternate, Title: e.title,
		Cursor: screen.Cursor{X: at.X, Y: at.Y, Visible: !e.hidden},
	}
}

// convert writes one cell, and the column behind it if it is wide; it returns
// how many columns beyond the first it took.
func convert(to []screen.Cell, from *uv.Cell) int {
	if from == nil || from.Content == "" && from.Width == 0 {
		return 0
	}
	c := screen.Cell{Text: from.Content, Width: 1, Attr: attrs(from.Style), FG: colorOf(from.Style.Fg), BG: colorOf(from.Style.Bg)}
	if c.Text == "" {
		c.Text = " "
	}
	if from.Width < 2 || len(to) < 2 {
		to[0] = c
		return 0
	}
	c.Width = 2
	to[0] = c
	c.Text, c.Width = "", 0
	to[1] = c
	return 1
}

func attrs(s uv.Style) screen.Attr {
	var a screen.Attr
	for _, m := range []struct {
		from uint8
		to   screen.Attr
	}{
		{uv.AttrBold, screen.Bold}, {uv.AttrFaint, screen.Dim}, {uv.AttrItalic, screen.Italic},
		{uv.AttrBlink, screen.Blink}, {uv.AttrRapidBlink, screen.Blink}, {uv.AttrReverse, screen.Reverse},
		{uv.AttrConceal, screen.Conceal}, {uv.AttrStrikethrough, screen.Strike},
	} {
		if s.Attrs&m.from != 0 {
			a |= m.to
		}
	}
	if s.Underline != 0 {
		a |= screen.Underline
	}
	return a
}

func colorOf(c color.Color) screen.Color {
	switch c := c.(type) {
	case nil:
		return screen.Color{}
	case ansi.BasicColor:
		return indexed(int(c))
	case ansi.IndexedColor:
		return indexed(int(c))
	default:
		r, g, b, _ := c.RGBA()
		return screen.Color{Kind: screen.RGB, R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8)}
	}
}
