package dialect

import (
	"fmt"
	"strconv"
	"strings"

	"parley/internal/screen"
)

// style is a test of one cell's looks: words set apart by blanks, all of which
// must hold, each negated by a leading "!": bold dim italic underline reverse,
// fg:N or bg:N (indexed), fg:#rrggbb, fg:default.
type style struct{ tests []styleTest }

type styleTest struct {
	not   bool
	attr  screen.Attr
	back  bool
	color screen.Color
	text  string
}

var attrNames = map[string]screen.Attr{
	"bold": screen.Bold, "dim": screen.Dim, "italic": screen.Italic, "underline": screen.Underline, "reverse": screen.Reverse,
}

func (s *style) UnmarshalText(text []byte) error {
	for _, word := range strings.Fields(string(text)) {
		t := styleTest{text: word}
		word, t.not = strings.CutPrefix(word, "!")
		name, value, colored := strings.Cut(word, ":")
		switch {
		case !colored && attrNames[name] != 0:
			t.attr = attrNames[name]
		case colored && (name == "fg" || name == "bg"):
			t.back = name == "bg"
			c, err := parseColor(value)
			if err != nil {
				return err
			}
			t.color = c
		default:
			return fmt.Errorf("%q is not a style", t.text)
		}
		s.tests = append(s.tests, t)
	}
	return nil
}

func parseColor(s string) (screen.Color, error) {
	if s == "default" {
		return screen.Color{}, nil
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		n, err := strconv.ParseUint(hex, 16, 24)
		return screen.Color{Kind: screen.RGB, R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n)}, err
	}
	n, err := strconv.ParseUint(s, 10, 8)
	return screen.Color{Kind: screen.Indexed, R: uint8(n)}, err
}

func (s style) set() bool { return len(s.tests) > 0 }

func (s style) matches(c screen.Cell) bool {
	for _, t := range s.tests {
		has := false
		switch {
		case t.attr != 0:
			has = c.Attr&t.attr != 0
		case t.back:
			has = c.BG == t.color
		default:
			has = c.FG == t.color
		}
		if has == t.not {
			return false
		}
	}
	return true
}
