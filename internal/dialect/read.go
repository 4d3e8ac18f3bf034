package dialect

import (
	"strings"
	"unicode"

	"parley"
	"parley/internal/screen"
)

// view is one screen while it is read.
type view struct {
	d    *Dialect
	s    screen.Screen
	rows []string
	have []bool
	f    *found  // the composer, if it is one that takes text
	c    content // what it holds
	why  string  // why there is no composer

	parts  []Part   // what the rows and columns were taken for
	missed []string // of each box that was looked for in vain, how far it got
	odd    int      // the row under a box that no rule knows
}

// row is the text of row y with its trailing blanks cut, and without what has no
// place of its own (frame): an invisible character that was drawn there before
// can outlive its text in a cell (tmux 3.3a keeps a zero-width joiner when the
// cell is drawn over).
func (v *view) row(y int) string {
	if y < 0 || y >= len(v.rows) {
		return ""
	}
	if !v.have[y] {
		v.rows[y], v.have[y] = strings.TrimRight(v.frame(y, 0, v.s.Cols), " "), true
	}
	return v.rows[y]
}

// frame is what a CLI itself has drawn in a part of row y: no invisible
// characters and no marks either. A mark whose own character tmux drops joins
// whatever stands before it, the prompt or a border too, and one that a CLI
// takes for no column of its own (Codex 0.171.0: vowels of Bengali, Balinese and
// others) can overflow into the first column of the next row.
func (v *view) frame(y, from, to int) string {
	s := visible(v.s.Span(y, from, to))
	if isASCII(s) || !strings.ContainsFunc(s, unicode.IsMark) {
		return s
	}
	var b strings.Builder
	for x := max(from, 0); x < min(to, v.s.Cols); x++ {
		b.WriteString(unmarked(v.s.Cell(x, y).Text))
	}
	return b.String()
}

// unmarked is the text of one cell as frame has it.
func unmarked(cell string) string {
	cell = visible(cell)
	if isASCII(cell) || !strings.ContainsFunc(cell, unicode.IsMark) {
		return cell
	}
	base := strings.TrimRightFunc(cell, unicode.IsMark)
	if base == "" {
		return " "
	}
	return base
}

// Read says what a screen shows. version is the CLI's own, "" if not known:
// then every box that some version draws is tried. What no rule knows is
// unreadable; a reading never guesses.
func (d *Dialect) Read(s screen.Screen, version string) Reading {
	return d.look(s, version).reading()
}

func (v *view) reading() Reading {
	if v.f == nil {
		return v.withoutBox()
	}
	return v.withBox()
}

// look finds the box of a screen and what it holds.
func (d *Dialect) look(s screen.Screen, version string) *view {
	v := &view{d: d, s: s, why: "no composer", rows: make([]string, len(s.Cells)), have: make([]bool, len(s.Cells))}
	for i := 0; i < len(d.boxes) && v.f == nil; i++ {
		b := &d.boxes[i]
		if !b.draws(version) {
			continue
		}
		f := v.find(b)
		if f == nil {
			continue
		}
		c, ok := v.contents(f)
		switch {
		case !ok:
			v.refuse(f, "the cursor is not in the box")
		case !v.known(f.after, c.empty && f.refused() == nil):
			v.unknownBelow(f)
		default:
			v.f, v.c = f, c
		}
	}
	return v
}

// withoutBox reads a screen that has no composer to type into.
func (v *view) withoutBox() Reading {
	r := Reading{Composer: Unreadable, Turn: UnknownTurn, Reason: parley.ReasonUnreadable, Rule: "unreadable: " + v.why}
	for _, class := range classes {
		hit := v.first(class)
		if hit == nil {
			continue
		}
		r.Rule, r.ByTitle = class+": "+hit.Name, hit.Title.Set()
		v.parts = nil // of boxes that are none
		v.partOf(hit)
		switch class {
		case "asking":
			r.Composer, r.Turn, r.Reason = Absent, Asking, hit.reason()
		case "menu", "mode":
			r.Composer, r.Reason = Absent, hit.reason()
		case "working":
			r.Turn = Working
		}
		break
	}
	r.Parts, r.Missed = v.parts, v.missed
	return r
}

// withBox reads a screen whose composer was found and read.
func (v *view) withBox() (r Reading) {
	v.partsOfBox(v.f, v.s.Rows)
	defer func() { r.Parts = v.parts }()
	r = Reading{Composer: Empty, Draft: v.c.text, Box: v.f.area, Ghost: v.c.ghost, Clipped: v.f.clipped,
		AtEnd: v.c.atEnd, Turn: Idle, Rule: "idle: " + v.f.Name}
	if !v.c.empty {
		r.Composer, r.Reason, r.Rule = Draft, parley.ReasonDraft, "composer: "+v.f.Name
		r.Tokens = v.d.tokensIn(v.c.text)
	}
	if hit := v.first("queued"); hit != nil {
		r.Queued = true
		v.partOf(hit)
	}
	if hit := v.first("working"); hit != nil {
		r.Turn, r.ByTitle = Working, hit.Title.Set()
		v.partOf(hit)
		if r.Composer == Empty {
			r.Rule = "working: " + hit.Name
		}
	}
	if m := v.f.refused(); m != nil {
		r.Reason, r.Rule = parley.ReasonMode, "mode: "+m.Name
		return r
	}
	for _, class := range []string{"unreadable", "asking", "menu", "mode"} {
		if hit := v.first(class); hit != nil {
			r.Reason, r.Rule, r.ByTitle = hit.reason(), class+": "+hit.Name, hit.Title.Set()
			v.partOf(hit)
			switch class {
			case "unreadable":
				r.Composer, r.Turn = Unreadable, UnknownTurn
			case "asking":
				r.Turn = Asking
			}
			return r
		}
	}
	if r.Composer == Empty && r.Turn == Working && !v.d.Submit.Keeps {
		r.Reason = parley.ReasonWorking
	}
	r.MayType = r.Reason == ""
	return r
}
