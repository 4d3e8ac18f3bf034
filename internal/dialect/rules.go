package dialect

import (
	"strings"

	"parley"
)

// rule adds to what the box says. Every condition that is given must hold. The
// patterns see the live region only, never the conversation: title, the rows
// around the box, and where there is no box the bottom of the screen.
type rule struct {
	Name   string `toml:"name"`
	Class  string `toml:"class"` // unreadable asking menu mode working queued
	Seen   string `toml:"seen"`
	Reason string `toml:"reason"` // other than the class's own
	Box    string `toml:"box"`    // "yes": only with a box, "no": only without; else both

	Title  Pattern `toml:"title"`
	Edge   Pattern `toml:"edge"`  // the upper edge of the box, or the rows of its own under the text
	Mark   Pattern `toml:"mark"`  // the nearest row above the box that begins in column 0
	Above  Pattern `toml:"above"` // the eight rows with text above the box
	Below  Pattern `toml:"below"` // the rows under the box
	Tail   Pattern `toml:"tail"`  // the last 24 rows with text of the screen
	Text   Pattern `toml:"text"`  // the draft
	Ghost  Pattern `toml:"ghost"`
	Cursor string  `toml:"cursor"` // "shown" or "hidden"
	Style  style   `toml:"style"`  // looks of the first group (or of all) that Mark, Above, Below or Tail match
	Not    Pattern `toml:"not"`    // and the tail does not match this
}

// classes in the order in which they win.
var classes = []string{"unreadable", "asking", "menu", "mode", "working"}

func (r *rule) check() error {
	if r.Name == "" || r.Class == "" || r.Seen == "" {
		return ruleError{r.Name, "a rule has a name, a class, and says where it was seen"}
	}
	switch {
	case !r.Title.Set() && !r.Tail.Set() && !r.wantsBox():
		return ruleError{r.Name, "a rule needs a pattern"}
	case r.Box == "no" && r.wantsBox():
		return ruleError{r.Name, "it could never hold: it looks around a box and wants none"}
	case r.Style.set() && !r.Edge.Set() && !r.Mark.Set() && !r.Above.Set() && !r.Below.Set() && !r.Tail.Set():
		return ruleError{r.Name, "a style needs rows to look at"}
	}
	if err := oneOf(r.Name, "class", r.Class, append([]string{"queued"}, classes...)...); err != nil {
		return err
	}
	if err := oneOf(r.Name, "cursor", r.Cursor, "shown", "hidden"); err != nil {
		return err
	}
	return oneOf(r.Name, "box", r.Box, "yes", "no")
}

// wantsBox reports whether the rule looks at what only a screen with a box has.
func (r *rule) wantsBox() bool {
	return r.Edge.Set() || r.Mark.Set() || r.Above.Set() || r.Below.Set() || r.Text.Set() || r.Ghost.Set()
}

// first returns the first rule of a class that holds.
func (v *view) first(class string) *rule {
	for i := range v.d.rules {
		if r := &v.d.rules[i]; r.Class == class && v.holds(r) {
			return r
		}
	}
	return nil
}

func (v *view) holds(r *rule) bool {
	switch {
	case r.Box == "yes" && v.f == nil, r.Box == "no" && v.f != nil,
		r.Cursor != "" && (r.Cursor == "shown") != v.s.Cursor.Visible,
		r.Title.Set() && !r.Title.MatchString(v.s.Title),
		r.Not.Set() && r.Not.MatchString(v.span(v.tail()).text):
		return false
	}
	if r.Tail.Set() && !v.span(v.tail()).has(v, r.Tail, r.Style) {
		return false
	}
	if v.f == nil {
		return !r.wantsBox()
	}
	switch {
	case r.Edge.Set() && !v.span(v.f.edge, v.f.edge+1).has(v, r.Edge, r.Style) &&
		!v.span(v.f.area.Bottom, v.f.after).has(v, r.Edge, r.Style),
		r.Mark.Set() && !v.span(v.mark()).has(v, r.Mark, r.Style),
		r.Above.Set() && !v.span(v.lastRows(v.f.top(), 8)).has(v, r.Above, r.Style),
		r.Below.Set() && !v.span(v.f.after, v.s.Rows).has(v, r.Below, r.Style),
		r.Text.Set() && !r.Text.MatchString(v.c.text),
		r.Ghost.Set() && !r.Ghost.MatchString(v.c.ghost):
		return false
	}
	return true
}

// top is the first row that belongs to the box.
func (f *found) top() int {
	if f.closed() {
		return f.edge
	}
	return f.area.Top
}

// mark is the row of the nearest text above the box that begins in column 0:
// there the CLI says what it does; conversation is indented or has its glyph.
func (v *view) mark() (from, to int) {
	y := v.f.top() - 1
	for ; y > 0; y-- {
		if row := v.row(y); row != "" && row[0] != ' ' {
			break
		}
	}
	return y, y + 1
}

// tail is the range of the last 24 rows with text.
func (v *view) tail() (from, to int) { return v.lastRows(v.s.Rows, 24) }

// lastRows is the range of the last n rows with text above row end; blank ones
// at its end are left out.
func (v *view) lastRows(end, n int) (from, to int) {
	to = end
	for to > 0 && v.row(to-1) == "" {
		to--
	}
	for from = to; from > 0 && n > 0; from-- {
		if v.row(from-1) != "" {
			n--
		}
	}
	return from, to
}

// span is some rows as one text, blank rows at its end left out.
type span struct {
	text string
	from int
}

func (v *view) span(from, to int) span {
	from = max(from, 0)
	var b strings.Builder
	for y := from; y < min(to, v.s.Rows); y++ {
		if y > from {
			b.WriteByte('\n')
		}
		b.WriteString(v.row(y))
	}
	return span{strings.TrimRight(b.String(), "\n"), from}
}

// has reports whether p matches somewhere with the wanted looks.
func (s span) has(v *view, p Pattern, looks style) bool {
	if !looks.set() {
		return p.MatchString(s.text)
	}
	return s.find(v, p, looks) != nil
}

// find gives the bytes of the first match with the wanted looks, nil if there
// is none.
func (s span) find(v *view, p Pattern, looks style) []int {
	if !looks.set() {
		return p.FindStringIndex(s.text)
	}
	for _, m := range p.FindAllStringSubmatchIndex(s.text, -1) {
		from, to := m[0], m[1]
		if len(m) > 2 && m[2] >= 0 {
			from, to = m[2], m[3]
		}
		if s.looks(v, from, to, looks) {
			return m[:2]
		}
	}
	return nil
}

// looks checks the cells, other than blanks, of bytes from to to.
func (s span) looks(v *view, from, to int, looks style) bool {
	y := s.from + strings.Count(s.text[:from], "\n")
	line := strings.LastIndexByte(s.text[:from], '\n') + 1
	x, at := 0, line
	for at < to && x < v.s.Cols {
		c := v.s.Cell(x, y)
		if at >= from && c.Text != " " && c.Width > 0 && !looks.matches(c) {
			return false
		}
		at += len(c.Text)
		x++
		if at < len(s.text) && s.text[at] == '\n' {
			at, x, y = at+1, 0, y+1
		}
	}
	return true
}

// reason is the word for a class where the rule gives no other.
func (r *rule) reason() parley.Reason {
	switch {
	case r.Reason != "":
		return parley.Reason(r.Reason)
	case r.Class == "asking":
		return parley.ReasonAsking
	case r.Class == "menu":
		return parley.ReasonMenu
	case r.Class == "mode":
		return parley.ReasonMode
	}
	return parley.ReasonUnreadable
}
