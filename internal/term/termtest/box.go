// Package termtest holds the suite that every terminal driver passes, and a
// true small fake terminal that passes it too.
//
// Both are about one program, Box: a conversation above an input box. Program
// runs it on a real terminal, Fake in memory.
package termtest

import (
	"strings"
	"unicode/utf8"

	"parley/internal/screen"
	"parley/internal/term"
)

// Event is one thing that the program received.
type Event struct {
	Kind string // "paste", "key" or "typed"
	Text string // the pasted text, the key's name, the typed characters
}

// Box is a program with an input box: what is pasted or typed goes in at the
// end, Enter moves it to the conversation, C-u takes out the last line.
type Box struct {
	Said   []string // the conversation, oldest first
	Draft  string
	Events []Event

	// OnPaste and OnKey stand in for what the program does; nil = as above.
	OnPaste func(*Box, string)
	OnKey   func(*Box, term.Key)
}

// Paste receives one bracketed paste.
func (b *Box) Paste(text string) {
	b.Events = append(b.Events, Event{"paste", text})
	if b.OnPaste != nil {
		b.OnPaste(b, text)
		return
	}
	b.Draft += text
}

// Key receives one key that is no character.
func (b *Box) Key(k term.Key) {
	b.Events = append(b.Events, Event{"key", string(k)})
	if b.OnKey != nil {
		b.OnKey(b, k)
		return
	}
	switch {
	case k == "C-u":
		b.TakeLine()
	case k == "Enter" && b.Draft != "":
		b.Said = append(b.Said, b.Draft)
		b.Draft = ""
	}
}

// TakeLine takes out the last line of the draft; where that is empty, the
// newline before it.
func (b *Box) TakeLine() {
	if i := strings.LastIndexByte(b.Draft, '\n'); i < len(b.Draft)-1 {
		b.Draft = b.Draft[:i+1]
		return
	}
	b.Draft = strings.TrimSuffix(b.Draft, "\n")
}

// Type receives characters one by one.
func (b *Box) Type(text string) {
	for _, r := range text {
		b.Events = append(b.Events, Event{"typed", string(r)})
		b.Draft += string(r)
	}
}

// Rows draws the box at the foot of cols by rows and as much of the
// conversation as fits above; x, y is the cursor, behind the draft.
func (b *Box) Rows(cols, rows int) (out []string, x, y int) {
	var all []string
	for _, s := range b.Said {
		all = append(all, fold("* ", s, cols)...)
	}
	rule := strings.Repeat("-", cols)
	box := fold("> ", b.Draft, cols)
	all = append(all, rule)
	all = append(all, box...)
	all = append(all, rule)
	all = all[max(0, len(all)-rows):]
	out = make([]string, rows-len(all), rows)
	out = append(out, all...)
	return out, utf8.RuneCountInString(box[len(box)-1]), max(rows-2, 0)
}

// fold breaks a text at newlines and at the width; one rune is one column.
func fold(mark, text string, cols int) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		row := []rune(mark + strings.ReplaceAll(line, "\t", " "))
		for len(row) >= cols {
			out = append(out, string(row[:cols-1]))
			row = append([]rune("  "), row[cols-1:]...)
		}
		out = append(out, string(row))
		mark = "  "
	}
	return out
}

// Screen draws the box as a terminal would show it.
func (b *Box) Screen(cols, rows int) screen.Screen {
	text, x, y := b.Rows(cols, rows)
	cells := make([][]screen.Cell, rows)
	for i := range cells {
		cells[i] = make([]screen.Cell, cols)
		runes := []rune(text[i])
		for j := range cells[i] {
			cells[i][j] = screen.Cell{Text: " ", Width: 1}
			if j < len(runes) {
				cells[i][j].Text = string(runes[j])
			}
		}
	}
	return screen.Screen{Cols: cols, Rows: rows, Cells: cells, Cursor: screen.Cursor{X: x, Y: y, Visible: true}}
}
