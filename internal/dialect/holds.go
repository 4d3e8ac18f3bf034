package dialect

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Wanted is the text that must stand in the box, alone.
type Wanted struct {
	Signature string // typed apart, in front; "" if all went in as one paste
	Body      string // what a collapse token would stand for
	Whole     string // all of it, in order
	Tag       string // the part that only our text can hold; "" takes the end of Whole
}

// Match says how a box stands to the text that was typed into it.
type Match int

const (
	MatchNone    Match = iota // nothing of ours, for example still empty
	MatchPartial              // the beginning of ours, still being drawn
	MatchMixed                // ours and something else
	MatchPart                 // the box hides its head; what it shows is our exact tail
	MatchWhole                // exactly ours, alone
)

func (m Match) String() string {
	return [...]string{"none", "partial", "mixed", "part", "whole"}[m]
}

// Holds decides whether exactly our text stands in the box, alone, as far as a
// screen can show it (shape). A collapse token must have the counts of our
// paste; that it is new follows from the box that was seen empty before.
func (d *Dialect) Holds(r Reading, w Wanted) Match {
	if r.Composer != Draft {
		return MatchNone
	}
	if w.Whole == "" {
		w.Whole = w.Signature + w.Body
	}
	got, full := squeeze(r.Draft), shapeOf(w.Whole)
	if full.text == "" {
		return MatchNone
	}
	if r.Clipped {
		return clippedMatch(got, full, r.AtEnd, w)
	}
	if full.is(got) {
		return wholeIf(r.AtEnd)
	}
	if m, ok := d.tokenMatch(r, w); ok {
		return m
	}
	switch {
	case got != "" && full.begins(got):
		return MatchPartial
	case oursIn(got, full.text, w):
		return MatchMixed
	}
	return MatchNone
}

// wholeIf: the cursor stands behind our last character once all of it is
// taken; elsewhere the text is still being drawn, or a person moves in it.
func wholeIf(atEnd bool) Match {
	if atEnd {
		return MatchWhole
	}
	return MatchPartial
}

// shortest is how much of our tail a box that hides its head must show.
const shortest = 24

func clippedMatch(got string, full shape, atEnd bool, w Wanted) Match {
	switch {
	case atEnd && len(got) >= shortest && full.ends(got):
		return MatchPart
	case full.is(got) && atEnd:
		// A box that may hide its head shows all of ours: more may stand above.
		return MatchPart
	case got != "" && full.holds(got):
		return MatchPartial
	case oursIn(got, full.text, w):
		return MatchMixed
	}
	return MatchNone
}

// tokenMatch compares a box in which one token stands for the body. ok is
// false if no token of these counts is there.
func (d *Dialect) tokenMatch(r Reading, w Wanted) (m Match, ok bool) {
	before, after, has := strings.Cut(w.Whole, w.Body)
	if !has || w.Body == "" {
		return MatchNone, false
	}
	const mark = "\ufffc" // stands for the token; squeeze keeps it
	var b strings.Builder
	n, last := 0, 0
	d.eachToken(r.Draft, func(t Token, from, to int) {
		if n > 0 || !t.standsFor(w.Body) {
			return
		}
		n++
		b.WriteString(r.Draft[last:from])
		b.WriteString(mark)
		last = to
	})
	if n == 0 {
		return MatchNone, false
	}
	b.WriteString(r.Draft[last:])
	got, full := squeeze(b.String()), shapeOf(before+mark+after)
	switch {
	case full.is(got):
		return wholeIf(r.AtEnd), true
	case full.begins(got):
		return MatchPartial, true
	}
	return MatchMixed, true
}

// standsFor reports whether a token's counts and beginning are those of the
// text. CLIs count characters as runes or as UTF-16 units.
func (t Token) standsFor(text string) bool {
	if !shapeOf(text).begins(squeeze(t.Head)) {
		return false
	}
	if t.Newlines >= 0 && t.Newlines != strings.Count(text, "\n") {
		return false
	}
	return t.Chars < 0 || t.Chars == utf8.RuneCountInString(text) || t.Chars == utf16Len(text)
}

func utf16Len(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// oursIn reports whether a piece that only our text has stands in the box.
func oursIn(got, full string, w Wanted) bool {
	tag := squeeze(w.Tag)
	if tag == "" {
		tag = full[max(0, len(full)-16):]
		for len(tag) > 0 && !utf8.RuneStart(tag[0]) {
			tag = tag[1:]
		}
	}
	if strings.Contains(got, tag) || strings.Contains(got, full) {
		return true
	}
	if sign := squeeze(w.Signature); sign != "" && strings.Contains(got, sign) {
		return true
	}
	// The head of ours behind or in front of other text: still being drawn.
	head := full[:min(len(full), 16)]
	return len(head) == 16 && strings.Contains(got, head)
}
