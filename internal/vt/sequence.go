package vt

import "strings"

// single obeys a control character.
func (e *Emulator) single(c byte) {
	switch c {
	case '\b':
		e.back()
	case '\t':
		e.tab(1)
	case '\n', '\v', '\f':
		e.linefeed(e.blankCell())
	case '\r':
		e.x = 0
	case 0x0e, 0x0f:
		e.shift = int(0x0f - c)
	}
}

// short obeys ESC and one more byte.
func (e *Emulator) short(c byte) {
	switch c {
	case '7':
		e.save()
	case '8':
		e.restore()
	case 'D':
		e.linefeed(e.blankCell())
	case 'E':
		e.x = 0
		e.linefeed(e.blankCell())
	case 'H':
		if e.x < e.cols {
			e.tabs[e.x] = true
		}
	case 'M':
		if e.y == e.top {
			e.page.down(e.top, e.bottom, e.blankCell())
		} else {
			e.y = max(e.y-1, 0)
		}
	case '=', '>':
		e.keypad = c == '='
	case 'c':
		e.reset()
	}
}

// charset obeys ESC, intermediates and a final byte.
func (e *Emulator) charset(between string, final byte) {
	switch between {
	case "(", ")":
		e.sets[between[0]-'('] = final == '0'
	case "#":
		if final == '8' {
			e.align()
		}
	}
}

// sequence obeys a control sequence. What is not known has no effect.
func (e *Emulator) sequence(params string, final byte) {
	if final == 'm' && (params == "" || params[0] < '<') {
		if !strings.ContainsAny(params, " !\"#$%&'*") {
			e.sgr(params)
		}
		return
	}
	private, args, between := parts(params)
	switch {
	case private == "" && between == "":
		e.common(final, args)
	case final == 'h' || final == 'l':
		if private == "?" && between == "" {
			for i := range len(args) {
				e.setPrivate(args.at(i, 0), final == 'h')
			}
		}
	default:
		e.rare(private, between, final, args)
	}
}

// parts cuts parameters into the private mark, the numbers and intermediates.
func parts(s string) (private string, a args, between string) {
	if s != "" && s[0] >= '<' && s[0] <= '?' {
		private, s = s[:1], s[1:]
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' })
	if end >= 0 {
		s, between = s[:end], s[end:]
	}
	for f := range strings.SplitSeq(s, ";") {
		head, _, _ := strings.Cut(f, ":")
		n := -1
		if head != "" {
			n = min(number(head), 1<<20)
		}
		a = append(a, n)
	}
	return private, a, between
}

// args are the numbers of a sequence, -1 where one is left out.
type args []int

// at is the number i, but at least least; one that is missing is least too.
func (a args) at(i, least int) int {
	if i >= len(a) {
		return least
	}
	return max(a[i], least)
}

// common obeys the sequences that move, erase and shift.
func (e *Emulator) common(final byte, a args) {
	n := a.at(0, 1)
	switch final {
	case '@':
		e.insertCells(n)
	case 'P':
		e.deleteCells(n)
	case 'X':
		e.erase(e.y, e.x, e.x+n)
	case 'J':
		e.eraseDisplay(a.at(0, 0))
	case 'K':
		e.eraseLine(a.at(0, 0))
	case 'L':
		e.shiftRows(n)
	case 'M':
		e.shiftRows(-n)
	case 'S':
		e.scroll(n)
	case 'T':
		e.scroll(-n)
	case 'b':
		e.repeat(n)
	case 'g':
		e.clearTabs(a.at(0, 0))
	case 'h', 'l':
		e.setCommon(a, final == 'h')
	case 'c', 'n':
		e.asked("", final, a)
	case 'r':
		e.region(a.at(0, 1)-1, a.at(1, 0)-1)
	case 's':
		e.save()
	case 'u':
		e.restore()
	default:
		e.move(final, a)
	}
}

// repeat is REP. As in tmux it goes no further than the row's end.
func (e *Emulator) repeat(n int) {
	if e.last == 0 {
		return
	}
	last := e.last
	for range min(n, e.cols-e.x) {
		e.char(last)
	}
}

func (e *Emulator) clearTabs(what int) {
	switch {
	case what == 3:
		clear(e.tabs)
	case what == 0 && e.x < e.cols:
		e.tabs[e.x] = false
	}
}
