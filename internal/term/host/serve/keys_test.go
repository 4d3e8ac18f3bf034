package serve

import (
	"testing"

	"parley/internal/term"
	"parley/internal/vt"
)

// H04: a key is sent as the program has asked for it (xterm's ctlseqs; the
// kitty keyboard protocol, "Legacy functional keys" and "Disambiguate").
func TestH04KeysByMode(t *testing.T) {
	plain, kitty, kittyAll := vt.Modes{}, vt.Modes{Kitty: 7}, vt.Modes{Kitty: 15}
	some, every := vt.Modes{OtherKeys: 1}, vt.Modes{OtherKeys: 2}
	for _, c := range []struct {
		key   term.Key
		modes vt.Modes
		want  string
	}{
		{"Enter", plain, "\r"}, {"Tab", plain, "\t"}, {"M-Enter", plain, "\x1b\r"}, {"S-Tab", plain, "\x1b[Z"}, {"C-u", plain, "\x15"},
		{"Enter", kitty, "\r"}, {"Tab", kitty, "\t"}, {"M-Enter", kitty, "\x1b[13;3u"}, {"S-Enter", kitty, "\x1b[13;2u"}, {"C-u", kitty, "\x1b[117;5u"},
		{"Enter", kittyAll, "\x1b[13u"}, {"Tab", kittyAll, "\x1b[9u"}, {"M-Enter", kittyAll, "\x1b[13;3u"},
		{"Enter", every, "\r"}, {"M-Enter", every, "\x1b[27;3;13~"}, {"C-u", every, "\x1b[27;5;117~"},
		{"Enter", some, "\r"}, {"M-Enter", some, "\x1b\r"}, {"C-Enter", some, "\x1b[27;5;13~"}, {"C-u", some, "\x15"},
	} {
		if got := string(bytesOf(c.key, c.modes)); got != c.want {
			t.Errorf("%s in %+v: %q, want %q", c.key, c.modes, got, c.want)
		}
	}
}
