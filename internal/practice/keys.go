package practice

import (
	"bytes"
	"fmt"
	"time"
	"unicode/utf8"
)

// input is one thing that arrived: a key, or a whole bracketed paste.
type input struct {
	key   string // "a", "enter", "ctrl-u", "alt-enter", …; "" for a paste
	raw   []byte // the key's bytes; of a paste what stood between the marks
	paste bool
}

var (
	pasteStart = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// decoder cuts a terminal's byte stream into keys and pastes. What is not
// whole yet waits for the next bytes.
type decoder struct {
	buf     []byte
	pasting bool
}

// feed takes what was read and returns what is whole. With flush, nothing more
// is coming for now: a lone ESC is the Escape key.
func (d *decoder) feed(b []byte, flush bool) []input {
	d.buf = append(d.buf, b...)
	var out []input
	for len(d.buf) > 0 {
		if d.pasting {
			i := bytes.Index(d.buf, pasteEnd)
			if i < 0 {
				return out
			}
			out = append(out, input{paste: true, raw: bytes.Clone(d.buf[:i])})
			d.buf, d.pasting = d.buf[i+len(pasteEnd):], false
			continue
		}
		if bytes.HasPrefix(d.buf, pasteStart) {
			d.buf, d.pasting = d.buf[len(pasteStart):], true
			continue
		}
		name, n := nextKey(d.buf, flush)
		if n == 0 {
			return out
		}
		out = append(out, input{key: name, raw: bytes.Clone(d.buf[:n])})
		d.buf = d.buf[n:]
	}
	return out
}

// waiting reports whether bytes are held back that a pause would settle.
func (d *decoder) waiting() bool { return len(d.buf) > 0 && !d.pasting }

// patience is how long what is held back may wait for more.
func (d *decoder) patience() time.Duration {
	if len(d.buf) == 1 {
		return escapeWait
	}
	return sequenceWait
}

// nextKey names the key at the head of b and says how many bytes it took; 0:
// more bytes are needed.
func nextKey(b []byte, flush bool) (string, int) {
	if b[0] != 0x1b {
		return plainKey(b, flush)
	}
	switch {
	case len(b) == 1 && flush:
		return "escape", 1
	case len(b) == 1:
		return "", 0
	case b[1] == '[' || b[1] == 'O':
		return sequence(b, flush)
	case b[1] == 0x1b:
		return "escape", 1
	}
	name, n := plainKey(b[1:], flush)
	if n == 0 {
		return "", 0
	}
	return "alt-" + name, n + 1
}

var controls = map[byte]string{
	0x00: "ctrl-space", 0x08: "backspace", 0x09: "tab", 0x0a: "ctrl-j", 0x0d: "enter", 0x7f: "backspace", ' ': "space",
}

func plainKey(b []byte, flush bool) (string, int) {
	if name, ok := controls[b[0]]; ok {
		return name, 1
	}
	if b[0] < 0x1b {
		return "ctrl-" + string(rune('a'+b[0]-1)), 1
	}
	if !utf8.FullRune(b) && !flush {
		return "", 0
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError || r < ' ' {
		return fmt.Sprintf("byte-%02x", b[0]), 1
	}
	return string(r), n
}

var sequences = map[string]string{
	"[A": "up", "[B": "down", "[C": "right", "[D": "left", "[H": "home", "[F": "end", "[Z": "shift-tab",
	"OA": "up", "OB": "down", "OC": "right", "OD": "left", "OH": "home", "OF": "end", "OM": "enter",
	"[1~": "home", "[7~": "home", "[4~": "end", "[8~": "end", "[3~": "delete", "[I": "focus-in", "[O": "focus-out",
}

// sequence reads ESC [ … final or ESC O x.
func sequence(b []byte, flush bool) (string, int) {
	n := 2
	if b[1] == '[' {
		for n < len(b) && (b[n] < 0x40 || b[n] > 0x7e) {
			n++
		}
	}
	if n >= len(b) {
		if !flush {
			return "", 0
		}
		if len(b) == 2 {
			return "alt-" + string(rune(b[1])), 2
		}
		return "unknown", len(b)
	}
	name, ok := sequences[string(b[1:n+1])]
	if !ok {
		name = "unknown"
	}
	return name, n + 1
}
