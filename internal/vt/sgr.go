package vt

import (
	"strconv"
	"strings"

	"parley/internal/screen"
)

// pen is what SGR has set for the characters to come.
type pen struct {
	attr   screen.Attr
	fg, bg screen.Color
}

var attrOn = map[int]screen.Attr{
	1: screen.Bold, 2: screen.Dim, 3: screen.Italic, 4: screen.Underline, 5: screen.Blink, 6: screen.Blink,
	7: screen.Reverse, 8: screen.Conceal, 9: screen.Strike, 21: screen.Underline,
}

var attrOff = map[int]screen.Attr{
	22: screen.Bold | screen.Dim, 23: screen.Italic, 24: screen.Underline, 25: screen.Blink,
	27: screen.Reverse, 28: screen.Conceal, 29: screen.Strike,
}

// sgr applies the parameters between CSI and m. What it does not know
// (overline, underline colour) changes nothing.
func (p *pen) sgr(params string) {
	fields := strings.Split(params, ";")
	for i := 0; i < len(fields); i++ {
		sub := strings.Split(fields[i], ":")
		n := number(sub[0])
		if n == 38 || n == 48 || n == 58 {
			args := sub[1:]
			if len(sub) == 1 { // the form with semicolons takes them from what follows
				args = fields[i+1:]
			}
			color, used := extended(args, len(sub) > 1)
			if len(sub) == 1 {
				i += used
			}
			p.color(n, color)
			continue
		}
		if n == 4 && len(sub) > 1 && sub[1] == "0" {
			n = 24
		}
		p.simple(n)
	}
}

func (p *pen) color(n int, c screen.Color) {
	switch n {
	case 38:
		p.fg = c
	case 48:
		p.bg = c
	}
}

func (p *pen) simple(n int) {
	switch {
	case n == 0:
		*p = pen{}
	case attrOn[n] != 0:
		p.attr |= attrOn[n]
	case attrOff[n] != 0:
		p.attr &^= attrOff[n]
	case n >= 30 && n <= 37:
		p.fg = indexed(n - 30)
	case n == 39:
		p.fg = screen.Color{}
	case n >= 40 && n <= 47:
		p.bg = indexed(n - 40)
	case n == 49:
		p.bg = screen.Color{}
	case n >= 90 && n <= 97:
		p.fg = indexed(n - 90 + 8)
	case n >= 100 && n <= 107:
		p.bg = indexed(n - 100 + 8)
	}
}

// extended reads what follows 38 or 48: 5;N or 2;R;G;B, and says how many
// fields that took. With colons a colour space may stand before the three.
func extended(args []string, colons bool) (screen.Color, int) {
	switch {
	case len(args) >= 2 && args[0] == "5":
		return indexed(number(args[1])), 2
	case len(args) >= 4 && args[0] == "2":
		rgb := args[1:4]
		if colons && len(args) >= 5 {
			rgb = args[2:5]
		}
		return screen.Color{Kind: screen.RGB, R: uint8(number(rgb[0])), G: uint8(number(rgb[1])), B: uint8(number(rgb[2]))}, 4
	}
	return screen.Color{}, len(args)
}

func indexed(n int) screen.Color { return screen.Color{Kind: screen.Indexed, R: uint8(n)} }

// number reads a parameter; an empty one is 0.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
