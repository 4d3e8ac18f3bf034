package vt

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// modes are what a program has set of its terminal, but for the picture.
type modes struct {
	wrap, insert, origin, cursor, keypad bool

	private map[int]bool // DEC private modes that are on and concern keys, mouse and reports
	kitty   []int        // kitty keyboard flags, the newest last
	other   int          // xterm's modifyOtherKeys
	style   int          // of the cursor (DECSCUSR)
}

func modesAtStart() modes { return modes{wrap: true, cursor: true} }

// Modes are those that say how keys must be written to the program.
type Modes struct {
	BracketedPaste bool
	Kitty          int // flags of the kitty keyboard protocol
	OtherKeys      int // xterm's modifyOtherKeys
	// Frame is on while the program draws a picture that is not to be looked at
	// before it is whole (synchronized output).
	Frame bool
}

// Modes are the ones that stand now.
func (e *Emulator) Modes() Modes {
	e.mu.Lock()
	defer e.mu.Unlock()
	return Modes{BracketedPaste: e.private[2004], Kitty: e.flags(), OtherKeys: e.other, Frame: e.private[2026]}
}

func (e *Emulator) flags() int {
	if len(e.kitty) == 0 {
		return 0
	}
	return e.kitty[len(e.kitty)-1]
}

func (e *Emulator) setCommon(a args, on bool) {
	for _, n := range a {
		if n == 4 {
			e.insert = on
		}
	}
}

// setPrivate is DECSET and DECRST.
func (e *Emulator) setPrivate(n int, on bool) {
	switch n {
	case 6:
		e.origin = on
		e.to(0, 0)
	case 7:
		e.wrap = on
	case 25:
		e.cursor = on
	case 47, 1047:
		e.alternate(on, false)
	case 1048:
		if on {
			e.save()
		} else {
			e.restore()
		}
	case 1049:
		e.alternate(on, true)
	default:
		if e.private == nil {
			e.private = map[int]bool{}
		}
		if on && len(e.private) < 64 {
			e.private[n] = true
		}
		if !on {
			delete(e.private, n)
		}
	}
}

// alternate switches between the two screens. The cursor comes back as it was
// left, also when the main one shows already.
func (e *Emulator) alternate(on, cursor bool) {
	switch {
	case on && e.page == e.main:
		e.left = &mark{e.x, e.y, e.pen, e.sets, e.shift, e.origin}
		e.alt = newPage(e.cols, e.rows, 0)
		e.page = e.alt
	case !on:
		e.page, e.alt = e.main, nil
		if cursor && e.left != nil {
			e.x, e.y, e.pen = min(e.left.x, e.cols-1), min(e.left.y, e.rows-1), e.left.pen
		}
	}
}

// keyboard is the kitty protocol: push, pop, set (CSI > < = … u).
func (e *Emulator) keyboard(how string, a args) {
	switch how {
	case ">":
		if len(e.kitty) < 32 {
			e.kitty = append(e.kitty, a.at(0, 0))
		}
	case "<":
		e.kitty = e.kitty[:max(len(e.kitty)-a.at(0, 1), 0)]
	case "=":
		flags := a.at(0, 0)
		switch a.at(1, 1) {
		case 2:
			flags = e.flags() | flags
		case 3:
			flags = e.flags() &^ flags
		}
		e.kitty = append(e.kitty[:max(len(e.kitty)-1, 0)], flags)
	}
}

// Undo is what a terminal must be told so that nothing of the program's modes
// is left on it: for whoever takes the terminal away from a program that runs
// on, or has died.
func (e *Emulator) Undo() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	for _, n := range e.sortedPrivate() {
		b.WriteString("\x1b[?" + strconv.Itoa(n) + "l")
	}
	if len(e.kitty) > 0 {
		b.WriteString("\x1b[<" + strconv.Itoa(len(e.kitty)) + "u")
	}
	if e.other > 0 {
		b.WriteString("\x1b[>4m")
	}
	if e.keypad {
		b.WriteString("\x1b>")
	}
	if e.style != 0 {
		b.WriteString("\x1b[ q")
	}
	if e.page == e.alt {
		b.WriteString("\x1b[?1049l")
	}
	b.WriteString("\x1b[0m\x1b(B\x0f\x1b[4l\x1b[?7h\x1b[?25h")
	if e.top > 0 || e.bottom < e.rows-1 {
		b.WriteString("\x1b7\x1b[r\x1b8") // the region's end moves the cursor
	}
	return []byte(b.String())
}

func (e *Emulator) sortedPrivate() []int { return slices.Sorted(maps.Keys(e.private)) }
