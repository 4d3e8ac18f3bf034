package dialect

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"
)

// shape is a text as a screen should show it: without white space (a wrap looks
// like a newline, captures cut trailing blanks) and invisible characters, and
// decomposed. What is seen may lack some characters, and only these:
//
//   - those younger than the terminal's own tables. tmux asks the C library for
//     a character's width and drops what has none: 3.3a on glibc 2.36 all that
//     Unicode 14 does not know (measured: all of Unicode), such as U+1FAE8;
//   - those behind the first of a grapheme cluster. tmux 3.3a cuts a cell at 21
//     bytes (a family of four has 25), and a CLI that takes a cluster for
//     narrower than tmux does draws over its end (skin tones; vowels in Codex);
//   - behind such an end, on the same line, as many more that are not ASCII.
//     Codex 0.171.0 goes on to draw where tmux is, and now and then jumps back to
//     where it believes to be (Bengali: two of 100 letters).
//
// Nothing that is not of the text is ever overlooked, and the record, not the
// screen, is compared to the letter.
type shape struct {
	text  string
	signs []sign // nil where each must be seen: then text says it all
	lack  int    // how many of them may be missing
}

type sign struct {
	r   rune
	may bool // it may be missing
}

// squeeze makes what a screen shows comparable with a shape.
func squeeze(s string) string {
	if isASCII(s) {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		b.WriteString(drawn(r))
	}
	return norm.NFD.String(b.String())
}

// drawn is how one character of a decomposed text stands on screens: nothing of
// white space and invisible ones. Pi 1.6.0 draws the vowels AM in two parts.
func drawn(r rune) string {
	switch {
	case unicode.IsSpace(r) || invisible(r):
		return ""
	case r == 0xe33:
		return "\u0e4d\u0e32"
	case r == 0xeb3:
		return "\u0ecd\u0eb2"
	}
	return string(r)
}

func shapeOf(text string) shape {
	s := shape{text: squeeze(text)}
	if isASCII(text) {
		return s
	}
	if text = norm.NFC.String(text); !mayLack(text) {
		return s
	}
	loose := false // behind a cluster whose width is in doubt, on this line
	for g := graphemes.FromString(text); g.Next(); {
		first, n := utf8.DecodeRuneInString(g.Value())
		head := []rune(squeeze(g.Value()[:n]))
		for _, r := range squeeze(g.Value()) {
			i := slices.Index(head, r)
			if i >= 0 {
				head = slices.Delete(head, i, i+1)
			}
			tail := i < 0
			s.signs = append(s.signs, sign{r, tail || young(first) || loose && r >= utf8.RuneSelf})
			switch {
			case tail && !unicode.In(r, unicode.Mn, unicode.Me):
				s.lack, loose = s.lack+2, true
			case tail || young(first):
				s.lack++
			}
		}
		loose = loose && first != '\n'
	}
	return s
}

// mayLack reports whether any character of a text may be missing: a young one,
// or one behind the first of its cluster.
func mayLack(text string) bool {
	for g := graphemes.FromString(text); g.Next(); {
		if first, n := utf8.DecodeRuneInString(g.Value()); n < len(g.Value()) || young(first) {
			return true
		}
	}
	return false
}

// is reports whether got shows the whole text.
func (s shape) is(got string) bool {
	return got == s.text || len(s.signs)-utf8.RuneCountInString(got) <= s.lack &&
		s.follow(got, 0, func(at int) bool { return !slices.ContainsFunc(s.signs[at:], must) })
}

// begins reports whether got shows a beginning of it.
func (s shape) begins(got string) bool {
	return strings.HasPrefix(s.text, got) || s.follow(got, 0, func(int) bool { return true })
}

// ends reports whether got shows an end of it, and not all.
func (s shape) ends(got string) bool {
	if len(got) < len(s.text) && strings.HasSuffix(s.text, got) {
		return true
	}
	back := shape{signs: slices.Clone(s.signs)}
	slices.Reverse(back.signs)
	runes := []rune(got)
	slices.Reverse(runes)
	return back.follow(string(runes), 0, func(at int) bool {
		return at-len(runes) <= s.lack && slices.ContainsFunc(back.signs[at:], must)
	})
}

// holds reports whether got shows a piece of it.
func (s shape) holds(got string) bool {
	return strings.Contains(s.text, got) || s.follow(got, len(s.signs), func(int) bool { return true })
}

func must(s sign) bool { return !s.may }

// follow walks along the signs by what was seen, from any of the first ones up
// to latest, and reports whether it can end where good says.
func (s shape) follow(got string, latest int, good func(at int) bool) bool {
	if s.signs == nil {
		return false
	}
	var here []int // how many signs are behind us, on each way that is still open; ascending
	for at := range latest + 1 {
		here = append(here, at)
	}
	for _, r := range got {
		var next []int
		for _, at := range here {
			for ; at < len(s.signs); at++ {
				if s.signs[at].r == r && (next == nil || next[len(next)-1] <= at) {
					next = append(next, at+1)
				}
				if !s.signs[at].may {
					break
				}
			}
		}
		if here = next; here == nil {
			return false
		}
	}
	return slices.ContainsFunc(here, good)
}

// young reports whether a terminal of today may not know a character. Unicode 10
// is what glibc 2.27 (2018) knows.
func young(r rune) bool { return r >= 0x80 && !unicode.Is(known(), r) }

var known = sync.OnceValue(func() *unicode.RangeTable { return rangetable.Assigned("10.0.0") })

// pictorial reports whether a character can be the first of an emoji sequence.
func pictorial(r rune) bool { return r >= 0x1f000 || r >= 0x2190 && unicode.Is(unicode.So, r) }

// invisible reports whether a character shows nothing by itself: joiners,
// selectors, marks of direction, fillers.
func invisible(r rune) bool {
	return r >= 0x80 && (unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		r == 0x1107f || r == 0x16fe4) // a joiner and a filler that Claude Code 2.1.332 takes for such, as Unicode 16 does the latter
}

// visible is a text without its invisible characters.
func visible(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
