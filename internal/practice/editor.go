package practice

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// atom is what the cursor steps over: one grapheme, a newline, or a folded
// paste, which is one unit however long it is.
type atom struct {
	text string // what is submitted
	fold string // what is drawn instead; "" for all but a folded paste
}

// editor is the input box: atoms and a cursor between them. The zero value is
// an empty box.
type editor struct {
	atoms []atom
	at    int
}

func (e *editor) empty() bool { return len(e.atoms) == 0 }

func (e *editor) clone() *editor { return &editor{atoms: slices.Clone(e.atoms), at: e.at} }

// text is what a submit would send.
func (e *editor) text() string {
	var b strings.Builder
	for _, a := range e.atoms {
		b.WriteString(a.text)
	}
	return b.String()
}

// face is what the box shows, folded pastes as their tokens.
func (e *editor) face() string {
	var b strings.Builder
	for _, a := range e.atoms {
		if a.fold != "" {
			b.WriteString(a.fold)
			continue
		}
		b.WriteString(a.text)
	}
	return b.String()
}

func (e *editor) put(as ...atom) {
	e.atoms = slices.Insert(e.atoms, e.at, as...)
	e.at += len(as)
}

// insert puts s in at the cursor. A combining mark joins the grapheme that
// stands before the cursor.
func (e *editor) insert(s string) {
	if e.at > 0 {
		if prev := e.atoms[e.at-1]; prev.fold == "" && prev.text != "\n" {
			e.at--
			e.atoms = slices.Delete(e.atoms, e.at, e.at+1)
			s = prev.text + s
		}
	}
	var as []atom
	for len(s) > 0 {
		g, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if g == "" {
			_, n := utf8.DecodeRuneInString(s)
			g = s[:n]
		}
		as = append(as, atom{text: g})
		s = s[len(g):]
	}
	e.put(as...)
}

// fold puts s in as the token of the nth folded paste.
func (e *editor) fold(s string, nth int) {
	token := fmt.Sprintf("[Pasted #%d %d chars]", nth, utf8.RuneCountInString(s))
	if n := strings.Count(s, "\n"); n > 0 {
		token = fmt.Sprintf("[Pasted #%d +%d lines]", nth, n+1)
	}
	e.put(atom{text: s, fold: token})
}

func (e *editor) clear() { *e = editor{} }

func (e *editor) backspace() {
	if e.at > 0 {
		e.at--
		e.atoms = slices.Delete(e.atoms, e.at, e.at+1)
	}
}

func (e *editor) delete() {
	if e.at < len(e.atoms) {
		e.atoms = slices.Delete(e.atoms, e.at, e.at+1)
	}
}

// killLine removes from the cursor back to the line's start; at a line's start
// it joins the line to the one before, as real CLIs do.
func (e *editor) killLine() {
	from := e.lineStart()
	if from == e.at {
		e.backspace()
		return
	}
	e.atoms = slices.Delete(e.atoms, from, e.at)
	e.at = from
}

func (e *editor) lineStart() int {
	i := e.at
	for i > 0 && e.atoms[i-1].text != "\n" {
		i--
	}
	return i
}

func (e *editor) home() { e.at = e.lineStart() }

func (e *editor) end() {
	for e.at < len(e.atoms) && e.atoms[e.at].text != "\n" {
		e.at++
	}
}

func (e *editor) move(by int) { e.at = min(max(e.at+by, 0), len(e.atoms)) }

// clean is what the agent makes of pasted bytes: line ends become newlines,
// control characters but newline and tab vanish, and so does what is no UTF-8.
func clean(b []byte) string {
	s := strings.ToValidUTF8(string(b), "")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}
