package dialect

import (
	"strings"
	"unicode/utf8"
)

// below says what may stand under the box. Rows of the user's own making
// (status lines) need a footer row somewhere under them while the box is empty:
// text of unknown structure at the end of a screen is no idle composer.
type below struct {
	Rows    []Pattern `toml:"rows"`     // footer rows, whole
	Items   []Pattern `toml:"items"`    // or made of these, set apart by " · ", " | ", " │ " or two blanks
	Right   bool      `toml:"right"`    // what stands in the right half may say anything
	Extra   []Pattern `toml:"extra"`    // whole rows that may follow a footer row
	Free    Pattern   `toml:"free"`     // rows of the user's own
	FreeMax int       `toml:"free_max"` // at most so many of them
	Bare    string    `toml:"bare"`     // there may be nothing at all: "always", or under a "draft"
}

// known reports whether all rows from y on are what may stand under a box.
func (v *view) known(y int, empty bool) bool {
	d := &v.d.below
	free, pending, footer, any := 0, false, false, false
	v.odd = y
	for ; y < v.s.Rows; y++ {
		row := v.row(y)
		if row == "" {
			continue
		}
		any = true
		kind, whole := d.footer(row, v.s.Cols)
		switch {
		case whole:
			footer, pending = footer || kind, pending && !kind
		case footer && match(d.Extra, row):
		case free < d.FreeMax && d.Free.Set() && d.Free.MatchString(row):
			free, pending = free+1, true
			v.odd = y // if no footer follows
		default:
			v.odd = y
			return false
		}
	}
	if !any {
		return d.Bare == "always" || d.Bare == "draft" && !empty
	}
	return !pending || !empty
}

func match(ps []Pattern, s string) bool {
	for _, p := range ps {
		if p.MatchString(s) {
			return true
		}
	}
	return false
}

// footer reports whether a row is a footer row (whole), and whether some of it
// was recognised rather than tolerated for standing on the right.
func (d *below) footer(row string, cols int) (recognised, whole bool) {
	if match(d.Rows, row) {
		return true, true
	}
	for _, it := range items(row) {
		text, cut := strings.CutSuffix(it.text, "…")
		switch {
		case match(d.Items, it.text):
			recognised = true
		case cut && (recognised || match(d.Items, strings.TrimSpace(text))):
		case d.Right && it.col*2 >= cols:
		default:
			return false, false
		}
	}
	return recognised, true
}

type item struct {
	text string
	col  int
}

// items splits a footer row at its separators.
func items(row string) []item {
	var out []item
	col := 0
	for row != "" {
		trimmed := strings.TrimLeft(row, " ")
		col += len(row) - len(trimmed)
		end, skip := len(trimmed), 0
		for _, sep := range []string{"  ", " · ", " | "} {
			if i := strings.Index(trimmed, sep); i >= 0 && i < end {
				end, skip = i, len(sep)
			}
		}
		text := strings.TrimSuffix(strings.TrimSpace(trimmed[:end]), " ·")
		if text != "" && text != "·" && text != "│" {
			out = append(out, item{text, col})
		}
		col += utf8.RuneCountInString(trimmed[:end+skip])
		row = trimmed[end+skip:]
	}
	return out
}
