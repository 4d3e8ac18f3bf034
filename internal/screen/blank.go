package screen

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Blanked is the screen with its words made unreadable where keep says no:
// letters become x, digits 0, wide ones a wide letter. Width, looks, signs and
// glyphs stay. The title is left as it is (see BlankText).
func (s Screen) Blanked(keep func(x, y int) bool) Screen {
	rows := make([][]Cell, len(s.Cells))
	for y := range rows {
		rows[y] = slices.Clone(s.Cells[y])
		for x := range rows[y] {
			if !keep(x, y) {
				rows[y][x].Text = blankCell(rows[y][x])
			}
		}
	}
	s.Cells = rows
	return s
}

func blankCell(c Cell) string {
	r, _ := utf8.DecodeRuneInString(c.Text)
	switch {
	case c.Text == "":
		return ""
	case unicode.IsNumber(r) && c.Width == 1:
		return "0"
	case c.Width == 2 && (unicode.IsLetter(r) || unicode.IsNumber(r)):
		return "字"
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return "x"
	}
	return c.Text
}

// BlankText is Blanked for a text outside the screen, such as a title.
func BlankText(s string) string {
	var out []rune
	for _, r := range s {
		switch {
		case unicode.IsMark(r): // part of the letter before it
		case unicode.IsNumber(r):
			out = append(out, '0')
		case unicode.IsLetter(r):
			out = append(out, 'x')
		default:
			out = append(out, r)
		}
	}
	return string(out)
}
