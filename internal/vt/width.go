package vt

import (
	"unicode"

	"github.com/mattn/go-runewidth"
)

var plainWidth = &runewidth.Condition{StrictEmojiNeutral: true}

// Width is the number of columns that tmux gives to a character: wcwidth of
// the C library it was built with. The table of go-runewidth agrees but for
// what stands here (measured: tmux 3.3a on glibc 2.36, all of Unicode; left
// out are some 120 trigrams and tetragrams that newer libraries made wide).
func Width(r rune) int {
	switch {
	case r < 0x7f, r >= 0x2500 && r <= 0x259f: // ASCII; boxes and blocks, which fill most screens
		return 1
	case r >= 0x1160 && r <= 0x11ff: // Hangul vowels and finals join the syllable
		return 0
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && r != 0xad:
		return 0
	}
	return plainWidth.RuneWidth(r)
}
