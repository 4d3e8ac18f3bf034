package dialect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/text/unicode/norm"

	"parley"
)

// The changes that a CLI makes to a text, as they stand in a receipt.
const (
	ChangeTabs      parley.Change = "tabs"      // tabs became spaces
	ChangeNFC       parley.Change = "nfc"       // characters were composed
	ChangeInvisible parley.Change = "invisible" // zero-width characters were taken out
	ChangeTrimmed   parley.Change = "trimmed"   // white space at the ends was
	ChangeWrapped   parley.Change = "wrapped"   // the collapsed paste stands in a wrapper that calls it foreign
	ChangeJoined    parley.Change = "joined"    // it went out in one prompt with others of the CLI's queue
)

// Collapses reports whether the CLI folds a paste of this text into a token.
func (d *Dialect) Collapses(text string) bool {
	p := d.Paste
	if p.Newlines > 0 && strings.Count(text, "\n") >= p.Newlines {
		return true
	}
	return p.Chars > 0 && p.count(text) > p.Chars
}

// TooMuch reports whether a text must not be typed at all: the CLI would make
// something else of it.
func (d *Dialect) TooMuch(text string) bool {
	p := d.Paste
	return p.OneLine && strings.Contains(text, "\n") || p.Limit > 0 && p.count(text) > p.Limit
}

// count is the length of a text as the CLI counts it.
func (p Paste) count(text string) int {
	switch p.Unit {
	case "utf16":
		return utf16Len(text)
	case "byte":
		return len(text)
	}
	return utf8.RuneCountInString(text)
}

// Expected is what the CLI's record should hold of a typed text once wrappers
// are taken off, and which changes the CLI makes on the way. Doing it twice
// changes nothing more. Invisible characters stand in the text still: which of
// them a CLI takes out, only its record tells.
func (d *Dialect) Expected(typed string, collapsed bool) (string, []parley.Change) {
	var changes []parley.Change
	text := typed
	apply := func(c parley.Change, to string) {
		if to != text {
			text, changes = to, append(changes, c)
		}
	}
	if d.Text.Tabs > 0 {
		apply(ChangeTabs, strings.ReplaceAll(text, "\t", strings.Repeat(" ", d.Text.Tabs)))
	}
	if d.Text.NFC {
		apply(ChangeNFC, norm.NFC.String(text))
	}
	if d.Text.Trim {
		apply(ChangeTrimmed, strings.TrimSpace(text))
	}
	if d.Text.Invisible && strayInvisible(text) {
		changes = append(changes, ChangeInvisible)
	}
	if collapsed && len(d.Text.Unwrap) > 0 {
		changes = append(changes, ChangeWrapped)
	}
	return text, changes
}

// strayInvisible reports whether an invisible character stands outside an
// emoji, where it would be a part of it.
func strayInvisible(text string) bool {
	for g := graphemes.FromString(text); g.Next(); {
		if r, _ := utf8.DecodeRuneInString(g.Value()); !pictorial(r) && visible(g.Value()) != g.Value() {
			return true
		}
	}
	return false
}

// SameText reports whether a text of the CLI's record is the one that was
// typed, but for changes that this CLI makes, and which of them it made. Where
// a wrapper was, white space at its seams does not count: it brings its own.
func (d *Dialect) SameText(recorded, typed string) (bool, []parley.Change) {
	want, changes := d.Expected(typed, false)
	changes = slices.DeleteFunc(changes, func(c parley.Change) bool { return c == ChangeInvisible })
	got, _ := d.Expected(recorded, false)
	if got == want || d.sameInWrapper(recorded, want, &changes) || d.joined(got, want, &changes) {
		return true, changes
	}
	if !d.Text.Invisible {
		return false, nil
	}
	changes = append(changes, ChangeInvisible)
	if got, want = visible(got), visible(want); got == want || d.sameInWrapper(visible(recorded), want, &changes) || d.joined(got, want, &changes) {
		return true, changes
	}
	return false, nil
}

// joined reports whether want is one of the prompts that the CLI made one of,
// and then adds that to the changes.
func (d *Dialect) joined(got, want string, changes *[]parley.Change) bool {
	j := d.Text.Joins
	if j == "" || want == "" || !strings.Contains(j+got+j, j+want+j) {
		return false
	}
	*changes = append(*changes, ChangeJoined)
	return true
}

// sameInWrapper reports whether the recorded text is want once one wrapper is
// taken off, and then adds that to the changes.
func (d *Dialect) sameInWrapper(recorded, want string, changes *[]parley.Change) bool {
	for _, re := range d.Text.Unwrap {
		for _, m := range re.FindAllStringSubmatchIndex(recorded, -1) {
			if len(m) < 4 || m[2] < 0 {
				continue
			}
			if d.sameAtSeams([]string{recorded[:m[0]], recorded[m[2]:m[3]], recorded[m[1]:]}, want) {
				*changes = append(*changes, ChangeWrapped)
				return true
			}
		}
	}
	return false
}

// sameAtSeams reports whether want is the three parts in order, with any white
// space between them.
func (d *Dialect) sameAtSeams(parts []string, want string) bool {
	for _, p := range parts {
		p, _ = d.Expected(p, false)
		p = strings.TrimSpace(p)
		want = strings.TrimSpace(want)
		rest, ok := strings.CutPrefix(want, p)
		if !ok {
			return false
		}
		want = rest
	}
	return strings.TrimSpace(want) == ""
}
