package vt

import (
	"fmt"
	"strings"
)

// rare obeys sequences with a private mark or intermediates.
func (e *Emulator) rare(private, between string, final byte, a args) {
	switch {
	case final == 'u' && between == "" && private == "?":
		// Unanswered, as by tmux: a program then takes keys as they always were.
	case final == 'u' && between == "":
		e.keyboard(private, a)
	case final == 'm' && private == ">" && a.at(0, 0) == 4:
		e.other = a.at(1, 0)
	case final == 'q' && between == " " && private == "":
		e.style = a.at(0, 0)
	case final == 'p' && between == "!" && private == "": // DECSTR
		e.softReset()
	case final == 'p' && between == "$" && private == "?":
		e.answer("\x1b[?%d;%d$y", a.at(0, 0), e.known(a.at(0, 0)))
	case final == 'q' && private == ">" && between == "":
		e.answer("\x1bP>|parley\x1b\\")
	case between == "":
		e.asked(private, final, a)
	}
}

func (e *Emulator) softReset() {
	e.pen, e.sets, e.shift = pen{}, [2]bool{}, 0
	e.insert, e.origin, e.wrap, e.cursor, e.keypad = false, false, true, true, false
	e.top, e.bottom, e.saved = 0, e.rows-1, mark{}
}

// known says how a private mode stands: 1 on, 2 off, 0 not known (DECRQM).
func (e *Emulator) known(n int) int {
	on := map[int]bool{6: e.origin, 7: e.wrap, 25: e.cursor, 1049: e.page == e.alt}
	stands, is := on[n]
	switch {
	case stands || e.private[n]:
		return 1
	case is || n == 1 || n == 1000 || n == 1002 || n == 1003 || n == 1004 || n == 1006 || n == 2004 || n == 2026:
		return 2
	}
	return 0
}

// asked answers what a program asks of its terminal: as a plain VT220 with
// colours, which every program can live with.
func (e *Emulator) asked(private string, final byte, a args) {
	n := a.at(0, 0)
	x := min(e.x, e.cols-1) + 1
	switch {
	case final == 'c' && private == "" && n == 0:
		e.answer("\x1b[?62;22c")
	case final == 'c' && private == ">" && n == 0:
		e.answer("\x1b[>1;10;0c")
	case final == 'n' && private == "" && n == 5:
		e.answer("\x1b[0n")
	case final == 'n' && private == "" && n == 6:
		e.answer("\x1b[%d;%dR", e.y+1, x)
	case final == 'n' && private == "?" && n == 6:
		e.answer("\x1b[?%d;%dR", e.y+1, x)
	}
}

func (e *Emulator) answer(format string, a ...any) {
	if e.reply != nil {
		e.answers = fmt.Appendf(e.answers, format, a...)
	}
}

// command obeys an operating system command: the title, and questions for
// colours, which are answered as light on dark.
func (e *Emulator) command(s string) {
	n, rest, _ := strings.Cut(s, ";")
	switch {
	case n == "0" || n == "2":
		e.title = strings.ToValidUTF8(rest, "")
	case n == "10" && rest == "?":
		e.answer("\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\")
	case n == "11" && rest == "?":
		e.answer("\x1b]11;rgb:0000/0000/0000\x1b\\")
	}
}
