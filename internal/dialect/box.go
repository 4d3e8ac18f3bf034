package dialect

import (
	"strings"
	"unicode/utf8"

	"parley/internal/screen"
)

// box is one way in which a CLI draws its composer. A closed box stands
// between the last row that Bottom matches and the nearest Top above it; an
// open one (no Bottom) begins at the last row with the prompt and ends at the
// first blank row below the cursor that is followed by a known footer.
type box struct {
	Name  string `toml:"name"`
	Seen  string `toml:"seen"`  // CLI version and date
	Since string `toml:"since"` // first version that draws it so; no limit if empty
	Until string `toml:"until"` // first version that does not any more

	Top    Pattern `toml:"top"`
	Bottom Pattern `toml:"bottom"`
	Full   bool    `toml:"full"` // these two rows reach the right edge of the screen
	Edge   style   `toml:"edge"` // looks of their first cell
	Left   string  `toml:"left"` // border of each row of text
	Right  string  `toml:"right"`
	Gap    bool    `toml:"gap"` // open box: a blank row stands above it

	Prompt      string `toml:"prompt"` // what stands before the text of the first row
	PromptStyle style  `toml:"prompt_style"`
	Modes       []mode `toml:"mode"` // other prompts, each of which is another mode

	Clipped Pattern `toml:"clipped"`  // a Top that says that the head is out of sight; no prompt then
	More    Pattern `toml:"more"`     // a Bottom that says that the tail is
	ClipTop int     `toml:"clip_top"` // open box: one that begins above this row may hide its head
	// Open box: these stand, looking like ghost text, in the last column of the
	// first and of the last row while head or tail are out of sight.
	ClipMark string `toml:"clip_mark"`
	MoreMark string `toml:"more_mark"`

	Ghost     style    `toml:"ghost"`      // text with these looks is not text
	GhostText []string `toml:"ghost_text"` // nor is exactly this
	Cursor    string   `toml:"cursor"`     // "terminal", or "drawn": the one reverse cell
	Shown     string   `toml:"shown"`      // the terminal's cursor must be "yes" or "no"
}

type mode struct {
	Name   string `toml:"name"`
	Prompt string `toml:"prompt"`
	Style  style  `toml:"style"`
}

func (b *box) check() error {
	switch {
	case b.Name == "" || b.Seen == "":
		return ruleError{b.Name, "a box has a name and says where it was seen"}
	case b.Bottom.Set() != b.Top.Set():
		return ruleError{b.Name, "a closed box has top and bottom, an open one neither"}
	case !b.Bottom.Set() && b.Prompt == "":
		return ruleError{b.Name, "an open box needs a prompt"}
	}
	if err := oneOf(b.Name, "shown", b.Shown, "yes", "no"); err != nil {
		return err
	}
	if b.Cursor == "" {
		b.Cursor = "terminal"
	}
	return oneOf(b.Name, "cursor", b.Cursor, "terminal", "drawn")
}

func (b *box) draws(version string) bool {
	return version == "" ||
		(b.Since == "" || compareVersions(version, b.Since) >= 0) &&
			(b.Until == "" || compareVersions(version, b.Until) < 0)
}

// found is a box on a screen.
type found struct {
	*box
	area    screen.Region // the cells that may hold text
	edge    int           // row of Top; of the row above an open box
	after   int           // first row below the box and its lower edge
	mode    *mode
	clipped bool
	more    bool
}

// find looks for the box on the screen. Only the lowest candidate counts: the
// composer is the last thing a CLI draws, what stands above it is conversation.
func (v *view) find(b *box) *found {
	if b.Shown != "" && (b.Shown == "yes") != v.s.Cursor.Visible {
		return nil
	}
	f := &found{box: b}
	if b.Bottom.Set() {
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

// between finds the rows of a closed box.
func (v *view) between(f *found) bool {
	bottom := v.lastRow(v.s.Rows-1, f.Bottom, f.box)
	top := v.lastRow(bottom-1, f.Top, f.box)
	if top < 0 || bottom-top < 2 {
		return false
	}
	f.clipped = f.Clipped.Set() && f.Clipped.MatchString(v.row(top))
	f.more = f.More.Set() && f.More.MatchString(v.row(bottom))
	f.edge, f.after = top, bottom+1
	f.area = screen.Region{Top: top + 1, Bottom: bottom, Right: v.s.Cols - width(f.Right)}
	if !f.clipped && !v.prompted(f, top+1) {
		return false
	}
	f.area.Left = width(f.Left) + width(f.Prompt)
	return true
}

// lastRow is the lowest row, from y upward, that is an edge of the box.
func (v *view) lastRow(y int, edge Pattern, b *box) int {
	for ; y >= 0; y-- {
		if edge.MatchString(v.row(y)) && (!b.Full || v.s.Cell(v.s.Cols-1, y).Text != " ") && b.Edge.matches(v.s.Cell(0, y)) {
			return y
		}
	}
	return -1
}

// fromPrompt finds the rows of an open box.
func (v *view) fromPrompt(f *found) bool {
	y := v.s.Rows - 1
	for ; y >= 0 && !v.prompted(f, y); y-- {
	}
	if y < 0 || f.Gap && y > 0 && v.row(y-1) != "" {
		return false
	}
	f.edge = y - 1
	f.clipped = y < f.ClipTop
	f.area = screen.Region{Left: width(f.Prompt), Top: y, Right: v.s.Cols}
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
	return false
}

// marked reports whether the mark stands in the last column of row y.
func (v *view) marked(f *found, y int, mark string) bool {
	c := v.s.Cell(v.s.Cols-1, y)
	return mark != "" && c.Text == mark && f.Ghost.matches(c)
}

// prompted reports whether the text of row y begins with the prompt, or with
// that of a mode.
func (v *view) prompted(f *found, y int) bool {
	x := width(f.Left)
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
		if v.s.Cell(x, y).Text != string(r) {
			return false
		}
		x++
	}
	return true
}

// framed checks what is left of and right of the text.
func (v *view) framed(f *found) bool {
	for y := f.area.Top; y < f.area.Bottom; y++ {
		if !v.begins(0, y, f.Left, style{}) || !v.begins(f.area.Right, y, f.Right, style{}) {
			return false
		}
		if y == f.area.Top && !f.clipped || f.Left == "" && f.Bottom.Set() == false && y == f.area.Top {
			continue
		}
		if strings.Trim(v.s.Span(y, width(f.Left), f.area.Left), " ") != "" {
			return false
		}
	}
	return true
}

func width(s string) int { return utf8.RuneCountInString(s) }
