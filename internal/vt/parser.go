package vt

import "unicode/utf8"

// state is what the bytes so far have begun (ECMA-48, and the VT500 parser as
// tmux has it).
type state uint8

const (
	ground       state = iota
	escape             // behind ESC
	control            // behind CSI
	ignored            // a control sequence that is too long or wrong
	osc                // an operating system command: up to BEL or ST
	device             // DCS: up to ST, and of no use here
	deviceEscape       // ESC in it: its end, or a part of it
	other              // APC, PM, SOS: up to ST, and of no use here either
)

// The longest that is kept of a sequence; what is longer has no effect.
const maxControl, maxOSC = 256, 8 << 10

// parser cuts what a program writes into characters and sequences.
type parser struct {
	state state
	begun []byte // parameters, or the string, of the sequence that has begun
	// utf holds the bytes of a character that is not whole yet.
	utf []byte
}

// write takes bytes in. A sequence or a character may be split over two calls.
func (e *Emulator) write(b []byte) {
	for len(b) > 0 {
		if e.state == ground {
			if n := e.text(b); n > 0 {
				b = b[n:]
				continue
			}
		}
		e.step(b[0])
		b = b[1:]
	}
}

// text prints as much as is plain text and says how many bytes that were.
func (e *Emulator) text(b []byte) int {
	n := 0
	for n < len(b) && b[n] >= 0x20 && b[n] != 0x7f {
		if b[n] < 0x80 {
			e.utf = e.utf[:0] // no character holds a byte of ASCII
			end := n + 1
			for end < len(b) && b[end] >= 0x20 && b[end] < 0x7f {
				end++
			}
			e.ascii(b[n:end])
			n = end
			continue
		}
		e.high(b[n])
		n++
	}
	return n
}

// high takes one byte of a character of several. What is no UTF-8 is dropped,
// as tmux does.
func (e *Emulator) high(c byte) {
	if len(e.utf) == 0 && !utf8.RuneStart(c) {
		return
	}
	e.utf = append(e.utf, c)
	if !utf8.FullRune(e.utf) {
		return
	}
	r, _ := utf8.DecodeRune(e.utf)
	e.utf = e.utf[:0]
	if r != utf8.RuneError {
		e.char(r)
	}
}

// step takes one byte that is no plain text.
func (e *Emulator) step(c byte) {
	e.utf = e.utf[:0]
	switch {
	case e.state == deviceEscape && c == '\\':
		e.begin(ground)
	case e.state == deviceEscape:
		e.state = device
	case e.state == device && c == 0x1b:
		e.state = deviceEscape
	case c == 0x1b:
		if e.state == osc {
			e.command(string(e.begun))
		}
		e.begin(escape)
	case c == 0x18 || c == 0x1a: // CAN, SUB
		e.begin(ground)
	case e.state == osc && c == 0x07:
		e.command(string(e.begun))
		e.begin(ground)
	case e.state == osc:
		if c >= 0x20 && len(e.begun) < maxOSC {
			e.begun = append(e.begun, c)
		}
	case e.state == device || e.state == other || c == 0x7f:
	case c < 0x20:
		e.single(c)
	case e.state == escape:
		e.escaped(c)
	default:
		e.inControl(c)
	}
}

func (e *Emulator) begin(s state) { e.state, e.begun = s, e.begun[:0] }

// escaped takes a byte behind ESC.
func (e *Emulator) escaped(c byte) {
	switch {
	case c < 0x30: // an intermediate: the next ones belong to it
		e.begun = append(e.begun, c)
	case len(e.begun) > 0:
		e.designate(c)
	case c == '[':
		e.begin(control)
	case c == ']':
		e.begin(osc)
	case c == 'P':
		e.begin(device)
	case c == 'X' || c == '^' || c == '_' || c == 'k': // ESC k is the title of screen(1)
		e.begin(other)
	default:
		e.begin(ground)
		e.short(c)
	}
}

// designate ends a sequence of ESC, intermediates and a final byte.
func (e *Emulator) designate(final byte) {
	between := string(e.begun)
	e.begin(ground)
	e.charset(between, final)
}

// inControl takes a byte of a control sequence.
func (e *Emulator) inControl(c byte) {
	switch {
	case c >= 0x40 && c <= 0x7e:
		keep := e.state == control
		params := string(e.begun)
		e.begin(ground)
		if keep {
			e.sequence(params, c)
		}
	case c >= 0x80 || len(e.begun) >= maxControl:
		e.state = ignored
	default:
		e.begun = append(e.begun, c)
	}
}
