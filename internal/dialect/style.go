package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/screen"
)

// style is a test of one cell's looks: words set apart by blanks, all of which
// must hold, each negated by a leading "!": bold dim italic underline reverse,
// fg:N or bg:N (indexed), fg:#rrggbb, fg:default, fg:A|B (one of them).
type style struct{ tests []styleTest }

type styleTest struct {
	not    bool
	attr   screen.Attr
	back   bool
	colors []screen.Color
}

var attrNames = map[string]screen.Attr{
	"bold": screen.Bold, "dim": screen.Dim, "italic": screen.Italic, "underline": screen.Underline, "reverse": screen.Reverse,
}

func (s *style) UnmarshalText(text []byte) error {
	for _, word := range strings.Fields(string(text)) {
		t := styleTest{}
		name, not := strings.CutPrefix(word, "!")
		t.not = not
		name, value, colored := strings.Cut(name, ":")
		switch {
		case !colored && attrNames[name] != 0:
			t.attr = attrNames[name]
		case colored && (name == "fg" || name == "bg"):
			t.back = name == "bg"
			for _, v := range strings.Split(value, "|") {
				c, err := parseColor(v)
				if err != nil {
					return err
				}
				t.colors = append(t.colors, c)
			}
		default:
			return fmt.Errorf("%q is not a style", word)
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
			has = slices.Contains(t.colors, c.BG)
		default:
			has = slices.Contains(t.colors, c.FG)
		}
		if has == t.not {
			return false
		}
	}
	return true
}
