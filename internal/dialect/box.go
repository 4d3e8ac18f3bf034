package dialect

import (
	"strings"
	"unicode/utf8"

	"parley/internal/screen"
)

// box is one way in which a CLI draws its composer. A closed box is the
// rectangle above the last row that Bottom matches: as tall as its left border,
// or up to the nearest Top. An open one (neither border nor Top) begins at the
// last row with the prompt and ends above the row that Bottom matches or, without
// one, at the first blank row below the cursor that a known footer follows.
type box struct {
	Name  string `toml:"name"`
	Seen  string `toml:"seen"`  // CLI version and date
	Since string `toml:"since"` // first version that draws it so; no limit if empty
	Until string `toml:"until"` // first version that does not any more

	// The edges. What they match, but for blanks at its ends, is as wide as the
	// box; where that is the left border alone, the box goes to the right end of
	// the screen. With a left border Top may be missing: then the border's first row,
	// blank inside, is the upper edge.
	Top    Pattern   `toml:"top"`
	Bottom Pattern   `toml:"bottom"`
	Full   bool      `toml:"full"`  // they reach from the left end of the screen to the right one
	Edge   style     `toml:"edge"`  // looks of their first cell
	Left   string    `toml:"left"`  // border of each row of text, of one colour
	Right  string    `toml:"right"` // the same at the other end
	Foot   []Pattern `toml:"foot"`  // rows inside, under the text, that are the CLI's own
	Bar    string    `toml:"bar"`   // glyphs of a scroll bar beside the right border: head or tail is out of sight
	Gap    bool      `toml:"gap"`   // open box: a blank row stands above it

	Prompt      string `toml:"prompt"` // what stands before the text of the first row
	PromptStyle style  `toml:"prompt_style"`
	Modes       []mode `toml:"mode"` // other prompts

	Clipped Pattern `toml:"clipped"`  // a Top that says that the head is out of sight; no prompt then
	More    Pattern `toml:"more"`     // a Bottom that says that the tail is
	Tall    int     `toml:"tall"`     // one with so many rows of text may hide its head, with no mark
	ClipTop int     `toml:"clip_top"` // open box: one that begins above this row may hide its head
	// Open box: these stand, looking like ghost text, in the last column of the
	// first and of the last row while head or tail are out of sight.
	ClipMark string `toml:"clip_mark"`
	MoreMark string `toml:"more_mark"`

	Ghost     style    `toml:"ghost"`      // text with these looks is not text
	GhostText []string `toml:"ghost_text"` // nor is exactly this, blanks in front of it too
	Cursor    caret    `toml:"cursor"`     // "terminal", or the looks of the one cell that is drawn as one
	Shown     string   `toml:"shown"`      // the terminal's cursor must be "yes" or "no"
}

// mode is another prompt in the place of the usual one.
type mode struct {
	Name   string `toml:"name"`
	Prompt string `toml:"prompt"`
	Style  style  `toml:"style"`
	Takes  bool   `toml:"takes"` // what is typed goes to the agent all the same; else nothing is typed
}

// caret is where the next key goes: the terminal's cursor, or a drawn one.
type caret struct{ style }

func (c *caret) UnmarshalText(text []byte) error {
	if string(text) == "terminal" {
		return nil
	}
	return c.style.UnmarshalText(text)
}

func (c caret) drawn() bool { return c.set() }

func (b *box) check() error {
	switch {
	case b.Name == "" || b.Seen == "":
		return ruleError{b.Name, "a box has a name and says where it was seen"}
	case b.Top.Set() && !b.Bottom.Set():
		return ruleError{b.Name, "a box with a top has a bottom"}
	case b.Left != "" && !b.Bottom.Set():
		return ruleError{b.Name, "a box with a border has a bottom"}
	case b.Since != "" && b.Until != "" && compareVersions(b.Since, b.Until) >= 0:
		return ruleError{b.Name, "no version draws it: since is not before until"}
	case !b.closed() && b.Prompt == "":
		return ruleError{b.Name, "an open box needs a prompt"}
	}
	return oneOf(b.Name, "shown", b.Shown, "yes", "no")
}

func (b *box) closed() bool { return b.Top.Set() || b.Left != "" }

func (b *box) draws(version string) bool {
	return version == "" ||
		(b.Since == "" || compareVersions(version, b.Since) >= 0) &&
			(b.Until == "" || compareVersions(version, b.Until) < 0)
}

// found is a box on a screen.
type found struct {
	*box
	area    screen.Region // the cells that may hold text
	left    int           // column of the left end of the edges
	right   int           // column behind the text, where the right border is
	edge    int           // row of the upper edge; of the row above an open box
	after   int           // first row below the box and its lower edge
	mode    *mode
	clipped bool
	more    bool
}

// refused is the mode in which nothing may be typed, if it is one.
func (f *found) refused() *mode {
	if f.mode == nil || f.mode.Takes {
		return nil
	}
	return f.mode
}

// find looks for the box on the screen. Only the lowest candidate counts: the
// composer is the last thing a CLI draws, what stands above it is conversation.
func (v *view) find(b *box) *found {
	f := &found{box: b}
	if b.Shown != "" && (b.Shown == "yes") != v.s.Cursor.Visible {
		v.miss(f, "the terminal's cursor is %s", map[bool]string{true: "shown", false: "hidden"}[v.s.Cursor.Visible])
		return nil
	}
	if b.closed() {
		if !v.between(f) {
			return nil
		}
	} else if !v.fromPrompt(f) {
		return nil
	}
	if !v.framed(f) {
		return nil
	}
	return f
}

// between finds the rows and columns of a closed box.
func (v *view) between(f *found) bool {
	bottom := v.s.Rows - 1
	for ; bottom >= 0; bottom-- {
		if from, to, ok := v.isEdge(f.box, f.Bottom, bottom); ok {
			f.left, f.right = from, to-width(f.Right)
			if f.Left != "" && to-from <= width(f.Left) {
				f.right = v.s.Cols // it ends in its border alone, which says nothing of its width
			}
			break
		}
	}
	if bottom < 0 {
		return v.miss(f, "no row is its lower edge")
	}
	if !v.upperEdge(f, bottom) {
		return v.miss(f, "row %d is its lower edge, and none above it fits as the upper one", bottom+1)
	}
	f.after = bottom + 1
	f.area = screen.Region{Left: f.left + width(f.Left), Top: f.edge + 1, Right: f.right, Bottom: bottom - len(f.Foot)}
	if f.area.Top >= f.area.Bottom || !v.footed(f) {
		return v.miss(f, "rows %d to %d are its edges, and what stands between them has no place for text and foot", f.edge+1, bottom+1)
	}
	f.clipped = f.Clipped.Set() && f.Clipped.MatchString(v.row(f.edge))
	f.more = f.More.Set() && f.More.MatchString(v.row(bottom))
	v.scrolled(f)
	f.clipped = f.clipped || f.Tall > 0 && f.area.Bottom-f.area.Top >= f.Tall
	if !v.prompted(f, f.area.Top) && !f.clipped {
		return v.miss(f, "rows %d to %d are its edges, and row %d does not begin with its prompt in its looks", f.edge+1, bottom+1, f.area.Top+1)
	}
	f.area.Left += width(f.promptText())
	return true
}

// footed checks the CLI's own rows inside the box.
func (v *view) footed(f *found) bool {
	for i, p := range f.Foot {
		inside := v.frame(f.area.Bottom+i, f.area.Left, f.right)
		if !p.MatchString(strings.TrimRight(inside, " ")) {
			return false
		}
	}
	return true
}

// upperEdge finds where a closed box begins.
func (v *view) upperEdge(f *found, bottom int) bool {
	y := bottom - 1
	if f.Left == "" {
		for ; y >= 0; y-- {
			if from, to, ok := v.isEdge(f.box, f.Top, y); ok && from == f.left && to == f.right+width(f.Right) {
				f.edge = y
				return true
			}
		}
		return false
	}
	colour := v.s.Cell(f.left, y).FG
	for ; y >= 0 && v.begins(f.left, y, f.Left, style{}); y-- {
		if v.s.Cell(f.left, y).FG != colour {
			return false
		}
	}
	if !f.Top.Set() {
		f.edge = y + 1
		return strings.Trim(v.frame(f.edge, f.left+width(f.Left), f.right), " ") == ""
	}
	from, to, ok := v.isEdge(f.box, f.Top, y)
	f.edge = y
	return ok && from == f.left && to == f.right+width(f.Right)
}

// isEdge reports whether row y is an edge of the box, and its columns.
func (v *view) isEdge(b *box, edge Pattern, y int) (from, to int, ok bool) {
	row := v.row(y)
	m := edge.FindStringIndex(row)
	if y < 0 || m == nil {
		return 0, 0, false
	}
	found := row[m[0]:m[1]]
	from = v.column(y, m[1]-len(strings.TrimLeft(found, " ")))
	to = v.column(y, m[0]+len(strings.TrimRight(found, " ")))
	if b.Full && (from > 0 || to < v.s.Cols) {
		return 0, 0, false
	}
	return from, to, b.Edge.matches(v.s.Cell(from, y))
}

// column is the column at which byte i of the text of row y stands.
func (v *view) column(y, i int) int {
	x := 0
	for n := 0; n < i && x < v.s.Cols; x++ {
		n += len(unmarked(v.s.Cell(x, y).Text))
	}
	for x < v.s.Cols && v.s.Cell(x, y).Width == 0 {
		x++
	}
	return x
}

// scrolled narrows the text's area by a scroll bar, if there is one.
func (v *view) scrolled(f *found) {
	const beside = 2 // columns that it is away from the border at most
	for x := f.right - beside; f.Bar != "" && x < f.right; x++ {
		for y := f.area.Top; y < f.area.Bottom; y++ {
			if strings.Contains(f.Bar, v.s.Cell(x, y).Text) {
				f.clipped, f.area.Right = true, x
				return
			}
		}
	}
}

// promptText is the prompt that stands before the text.
func (f *found) promptText() string {
	if f.mode != nil {
		return f.mode.Prompt
	}
	return f.Prompt
}

// fromPrompt finds the rows of an open box.
func (v *view) fromPrompt(f *found) bool {
	y := v.s.Rows - 1
	if f.Bottom.Set() {
		for ; y >= 0 && !f.Bottom.MatchString(v.row(y)); y-- {
		}
		f.after, f.area.Bottom = y, y
	}
	for ; y >= 0 && !v.prompted(f, y); y-- {
	}
	if y < 0 {
		return v.miss(f, "no row begins with its prompt in its looks, with its lower edge (if it has one) below")
	}
	if f.Gap && y > 0 && v.row(y-1) != "" {
		return v.miss(f, "row %d begins with its prompt, and the row above is not blank", y+1)
	}
	f.edge = y - 1
	f.clipped = y < f.ClipTop
	f.right = v.s.Cols
	f.area = screen.Region{Left: width(f.promptText()), Top: y, Right: v.s.Cols, Bottom: f.area.Bottom}
	if f.Bottom.Set() {
		return true
	}
	end := y
	if c := v.s.Cursor.Y; c > y {
		end = c
	}
	for end++; end < v.s.Rows; end++ {
		if v.row(end) == "" && v.known(end+1, false) {
			f.area.Bottom, f.after = end, end+1
			f.clipped = f.clipped || v.marked(f, y, f.ClipMark)
			f.more = v.marked(f, end-1, f.MoreMark)
			return true
		}
	}
	v.why = "unknown rows under the box: " + f.Name
	return v.miss(f, "row %d begins with its prompt, and no blank row with a footer that is known follows", y+1)
}

// marked reports whether the mark stands in the last column of row y.
func (v *view) marked(f *found, y int, mark string) bool {
	c := v.s.Cell(v.s.Cols-1, y)
	return mark != "" && c.Text == mark && f.Ghost.matches(c)
}

// prompted reports whether the text of row y begins with the prompt, or with
// that of a mode.
func (v *view) prompted(f *found, y int) bool {
	x := f.left + width(f.Left)
	if f.Prompt == "" || v.begins(x, y, f.Prompt, f.PromptStyle) {
		return true
	}
	for i := range f.Modes {
		if v.begins(x, y, f.Modes[i].Prompt, f.Modes[i].Style) {
			f.mode = &f.Modes[i]
			return true
		}
	}
	return false
}

// begins compares cell by cell: a prompt's no-break space is not a space.
func (v *view) begins(x, y int, prompt string, looks style) bool {
	if !looks.matches(v.s.Cell(x, y)) {
		return false
	}
	for _, r := range prompt {
		if unmarked(v.s.Cell(x, y).Text) != string(r) {
			return false
		}
		x++
	}
	return true
}

// framed checks what is left of and right of the text.
func (v *view) framed(f *found) bool {
	for y := f.area.Top; y < f.area.Bottom; y++ {
		if !v.begins(f.left, y, f.Left, style{}) || !v.begins(f.right, y, f.Right, style{}) {
			return v.miss(f, "row %d lacks a border", y+1)
		}
		if strings.Trim(v.frame(y, 0, f.left), " ") != "" {
			return v.miss(f, "on row %d something stands left of it", y+1)
		}
		if y == f.area.Top && (!f.clipped || !f.closed() || v.prompted(f, y)) {
			continue
		}
		if strings.Trim(v.frame(y, f.left+width(f.Left), f.area.Left), " ") != "" {
			return v.miss(f, "on row %d something stands where the prompt's columns go on", y+1)
		}
	}
	return true
}

func width(s string) int { return utf8.RuneCountInString(s) }
