package dialect

import (
	"fmt"
	"strings"

	"parley/internal/screen"
)

// Part is a region of the screen and what the reading took it for.
type Part struct {
	Is     PartKind
	Region screen.Region // empty: the title
	Rule   string        // the name of the box or rule that says so
}

// PartKind is a word for people.
type PartKind string

const (
	PartComposer PartKind = "composer" // the box with its edges
	PartDraft    PartKind = "draft"
	PartGhost    PartKind = "ghost"
	PartFooter   PartKind = "footer"  // what stands under the box
	PartStatus   PartKind = "status"  // what says that it works, or holds prompts for later
	PartDialog   PartKind = "dialog"  // what asks, or has the keys
	PartUnknown  PartKind = "unknown" // a row under the box that no rule knows
)

func (v *view) part(is PartKind, r screen.Region, rule string) {
	if !r.Empty() {
		v.parts = append(v.parts, Part{is, r, rule})
	}
}

// partsOfBox notes the box and the rows under it down to row end.
func (v *view) partsOfBox(f *found, end int) {
	bottom := f.after
	if !f.closed() {
		bottom = f.area.Bottom
	}
	v.part(PartComposer, screen.Region{Left: f.left, Top: f.top(), Right: f.right + width(f.Right), Bottom: bottom}, f.Name)
	for y := f.after; y < end; y++ {
		if v.row(y) != "" {
			v.part(PartFooter, screen.Region{Top: y, Right: v.s.Cols, Bottom: y + 1}, f.Name)
		}
	}
}

// refuse notes a box that stands there and cannot be typed into.
func (v *view) refuse(f *found, why string) {
	v.why = why + ": " + f.Name
	v.missed = append(v.missed, f.Name+": "+why)
	v.partsOfBox(f, f.after)
}

// unknownBelow notes a box with a row under it that no rule knows.
func (v *view) unknownBelow(f *found) {
	v.why = "unknown rows under the box: " + f.Name
	if v.row(v.odd) == "" {
		v.missed = append(v.missed, f.Name+": nothing stands under it, and [below] says nothing of bare")
		v.partsOfBox(f, f.after)
		return
	}
	v.missed = append(v.missed, fmt.Sprintf("%s: row %d, under it, is of no form that [below] knows", f.Name, v.odd+1))
	v.partsOfBox(f, v.odd)
	v.part(PartUnknown, screen.Region{Top: v.odd, Right: v.s.Cols, Bottom: v.odd + 1}, f.Name)
}

// miss notes how far the search for a box got, and is false.
func (v *view) miss(f *found, how string, args ...any) bool {
	v.missed = append(v.missed, f.Name+": "+fmt.Sprintf(how, args...))
	return false
}

// partOf notes the rows that a rule which holds has looked at.
func (v *view) partOf(r *rule) {
	is := PartDialog
	if r.Class == "working" || r.Class == "queued" {
		is = PartStatus
	}
	if r.Title.Set() {
		v.parts = append(v.parts, Part{Is: is, Rule: r.Name})
	}
	look := func(p Pattern, rows func() (from, to int)) {
		if !p.Set() {
			return
		}
		s := v.span(rows())
		if at := s.find(v, p, r.Style); at != nil {
			top := s.from + strings.Count(s.text[:at[0]], "\n")
			v.part(is, screen.Region{Top: top, Right: v.s.Cols, Bottom: top + 1 + strings.Count(s.text[at[0]:at[1]], "\n")}, r.Name)
		}
	}
	look(r.Tail, v.tail)
	if f := v.f; f != nil {
		look(r.Mark, v.mark)
		look(r.Above, func() (int, int) { return v.lastRows(f.top(), 8) })
		look(r.Below, func() (int, int) { return f.after, v.s.Rows })
		look(r.Edge, func() (int, int) { return f.edge, f.edge + 1 })
		look(r.Edge, func() (int, int) { return f.area.Bottom, f.after })
	}
}
