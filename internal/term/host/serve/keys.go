package serve

import (
	"fmt"
	"strings"

	"parley/internal/term"
	"parley/internal/vt"
)

// bytesOf is how a terminal in these modes sends a key. A key that stands for
// several plain ones is sent as such in every mode that does not say otherwise
// (kitty keyboard protocol; xterm's modifyOtherKeys).
func bytesOf(k term.Key, m vt.Modes) []byte {
	parts := strings.Split(string(k), "-")
	name, mods := parts[len(parts)-1], 0
	for _, p := range parts[:len(parts)-1] {
		mods |= map[string]int{"S": 1, "M": 2, "C": 4}[p]
	}
	if name == "u" && mods == 4 { // C-u
		return control('u', mods, m)
	}
	code := map[string]int{"Enter": '\r', "Tab": '\t'}[name]
	const (
		disambiguate = 1
		all          = 8
	)
	switch {
	case m.Kitty&all != 0 || m.Kitty&disambiguate != 0 && mods != 0:
		return csiU(code, mods)
	case m.OtherKeys > 0 && mods&^2 != 0 || m.OtherKeys > 1 && mods != 0:
		return fmt.Appendf(nil, "\x1b[27;%d;%d~", mods+1, code)
	case mods == 1 && code == '\t':
		return []byte("\x1b[Z")
	case mods&2 != 0:
		return []byte{0x1b, byte(code)}
	}
	return []byte{byte(code)}
}

func control(letter byte, mods int, m vt.Modes) []byte {
	switch {
	case m.Kitty&(1|8) != 0:
		return csiU(int(letter), mods)
	case m.OtherKeys > 1:
		return fmt.Appendf(nil, "\x1b[27;%d;%d~", mods+1, letter)
	}
	return []byte{letter - 'a' + 1}
}

func csiU(code, mods int) []byte {
	if mods == 0 {
		return fmt.Appendf(nil, "\x1b[%du", code)
	}
	return fmt.Appendf(nil, "\x1b[%d;%du", code, mods+1)
}
