package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"parley/internal/screen"
)

// content is what a box holds.
type content struct {
	text  string
	ghost string
	empty bool
	atEnd bool
}

// mostGhost is how many rows a placeholder or suggestion may wrap to.
const mostGhost = 3

// contents reads the text of a box; false if the cursor is not where a box
// that takes text would have it, or ghost and cursor contradict each other.
func (v *view) contents(f *found) (content, bool) {
	v.parts = v.parts[:0]
	cur, ok := v.cursor(f)
	if !ok {
		return content{}, false
	}
	var rows []string
	var ghost strings.Builder
	ghosts := 0 // rows from the first on that hold ghost text
	lastX, lastY, slack := -1, -1, 0
	for y := f.area.Top; y < f.area.Bottom; y++ {
		before := ghost.Len()
		text, end, disputed := v.textOf(f, y, cur, &ghost)
		if ghost.Len() > before && ghosts == y-f.area.Top {
			ghosts++
		}
		if end >= 0 {
			lastX, lastY, slack = end, y, disputed
		}
		rows = append(rows, text)
	}
	c := content{ghost: strings.TrimSpace(ghost.String())}
	home := cur.X == f.area.Left && cur.Y == f.area.Top
	// A placeholder says that nothing is out of sight, where only the box's
	// place on the screen let it be thought so.
	if lastY < 0 && c.ghost != "" && !(f.clipped && f.closed()) {
		f.clipped = false
		c.empty, c.atEnd = true, true
		return c, (home || v.placeholder(f)) && ghosts == len(rows) && ghosts <= mostGhost
	}
	if lastY < 0 && cur == nowhere {
		return content{}, false
	}
	if lastY < 0 && !f.clipped && home && len(rows) == 1 {
		return content{empty: true, atEnd: true}, true
	}
	c.atEnd = !f.more && (cur == nowhere || cur.Y > lastY || cur.Y == lastY && cur.X >= lastX-slack)
	// Blanks behind the text are not in a capture, but the cursor has passed them.
	if i := cur.Y - f.area.Top; cur.Y >= lastY && slack == 0 {
		pad := cur.X - f.area.Left - utf8.RuneCountInString(rows[i])
		if lastY == cur.Y {
			pad = cur.X - lastX
		}
		rows[i] += strings.Repeat(" ", max(pad, 0))
	}
	c.text = strings.Join(rows, "\n")
	return c, true
}

// nowhere is the cursor of a box that does not have the keys.
var nowhere = screen.Cursor{X: -1, Y: -1}

// cursor is where the next key goes. A box that draws its own may draw none
// while its terminal has not the focus; only where a placeholder of known words
// and looks can say that it is empty is it read then.
func (v *view) cursor(f *found) (screen.Cursor, bool) {
	if !f.Cursor.drawn() {
		c := v.s.Cursor
		return c, c.Y >= f.area.Top && c.Y < f.area.Bottom && c.X >= f.area.Left && c.X <= f.right
	}
	at, n := nowhere, 0
	for y := f.area.Top; y < f.area.Bottom; y++ {
		for x := f.area.Left; x < f.right; x++ {
			if c := v.s.Cell(x, y); f.Cursor.matches(c) && c.Width > 0 {
				at, n = screen.Cursor{X: x, Y: y}, n+1
			}
		}
	}
	return at, n == 1 || n == 0 && f.Ghost.set() && len(f.GhostText) > 0
}

// placeholder reports whether the box holds one, in words and looks: then it is
// empty wherever the cursor is drawn, or if none is.
func (v *view) placeholder(f *found) bool {
	if !f.Cursor.drawn() || !f.Ghost.set() || !v.isGhostText(f) {
		return false
	}
	for y := f.area.Top; y < f.area.Bottom; y++ {
		for x := f.area.Left; x < f.right; x++ {
			if c := v.s.Cell(x, y); strings.TrimSpace(c.Text) != "" && !f.Ghost.matches(c) {
				return false
			}
		}
	}
	return true
}

// isGhostText reports whether the box holds exactly one of the known
// placeholders, however it wraps.
func (v *view) isGhostText(f *found) bool {
	if len(f.GhostText) == 0 || f.area.Bottom-f.area.Top > mostGhost {
		return false
	}
	var b strings.Builder
	for y := f.area.Top; y < f.area.Bottom; y++ {
		row := strings.TrimRight(visible(v.s.Span(y, f.area.Left, f.right)), " ")
		if y > f.area.Top {
			row = " " + strings.TrimLeft(row, " ")
		}
		b.WriteString(row)
	}
	return slices.Contains(f.GhostText, b.String())
}

// textOf returns the real text of one row, the column behind its last
// character (-1 if there is none) and by how many columns terminals may
// disagree about where that is. Ghost text goes to ghost.
func (v *view) textOf(f *found, y int, cur screen.Cursor, ghost *strings.Builder) (text string, end, disputed int) {
	var b, blanks strings.Builder
	end = -1
	begin, ghostly := -1, screen.Region{Left: -1, Top: y, Bottom: y + 1}
	last := " " // the text of the cell before
	hidden := 0 // columns of invisible characters since the last of the text
	before := ghost.Len()
	for x := f.area.Left; x < f.area.Right; x++ {
		c := v.s.Cell(x, y)
		shown := visible(c.Text) // a drawn cursor can be a blank with an invisible character
		switch {
		case c.Width == 0:
			continue
		case v.ghostly(f, x, y, cur):
			ghost.WriteString(c.Text)
			if shown != " " && ghostly.Left < 0 {
				ghostly.Left = x
			}
			ghostly.Right = x + c.Width
		case shown == " ", shown == "":
			blanks.WriteByte(' ')
			if c.Text != " " {
				hidden += c.Width
			}
		default:
			b.WriteString(blanks.String())
			blanks.Reset()
			b.WriteString(c.Text)
			if begin < 0 {
				begin = x
			}
			end = x + c.Width
			disputed += hidden + dispute(c, last)
			hidden = 0
		}
		last = c.Text
	}
	if ghost.Len() > before {
		ghost.WriteByte(' ')
	}
	if begin >= 0 {
		v.part(PartDraft, screen.Region{Left: begin, Top: y, Right: end, Bottom: y + 1}, f.Name)
	}
	if ghostly.Left >= 0 {
		v.part(PartGhost, ghostly, f.Name)
	}
	return b.String(), end, disputed
}

// ghostly reports whether the cell is ghost text: by its looks, or because the
// cursor stands on it and the cell behind it is.
func (v *view) ghostly(f *found, x, y int, cur screen.Cursor) bool {
	c := v.s.Cell(x, y)
	if f.Ghost.set() {
		under := x == cur.X && y == cur.Y && c.Text != " "
		if f.Ghost.matches(c) || under && f.Ghost.matches(v.s.Cell(x+max(c.Width, 1), y)) {
			return true
		}
	}
	return cur.Y == f.area.Top && cur.X == f.area.Left && v.isGhostText(f)
}

// dispute is the number of columns by which terminals and CLIs disagree about a
// cell behind another: emoji, modifiers, variation selectors and flags, and what
// is one grapheme with the cell before.
func dispute(c screen.Cell, before string) int {
	n := utf8.RuneCountInString(c.Text)
	r, _ := utf8.DecodeRuneInString(c.Text)
	switch {
	case n > 1 && r > 0x2000:
		return 2 * n
	case r >= 0x2190 && r < 0x2e80, r >= 0x1f000:
		return 2
	case n > 1:
		return 1
	case r >= utf8.RuneSelf && oneGrapheme(before+c.Text, len(before)):
		return c.Width
	}
	return 0
}

// oneGrapheme reports whether no grapheme of a text begins at a byte.
func oneGrapheme(text string, at int) bool {
	for g := graphemes.FromString(text); g.Next(); {
		if g.Start() == at {
			return false
		}
	}
	return true
}
