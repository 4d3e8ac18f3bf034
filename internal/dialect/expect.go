package dialect

import (
	"strings"
	"unicode/utf8"

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
)

// Collapses reports whether the CLI folds a paste of this text into a token.
func (d *Dialect) Collapses(text string) bool {
	p := d.Paste
	if p.Newlines > 0 && strings.Count(text, "\n") >= p.Newlines {
		return true
	}
	if p.Chars == 0 {
		return false
	}
	n := utf8.RuneCountInString(text)
	switch p.Unit {
	case "utf16":
		n = utf16Len(text)
	case "byte":
		n = len(text)
	}
	return n > p.Chars
}

// Expected is what the CLI's record should hold of a typed text once wrappers
// are taken off, and which changes the CLI made on the way. Doing it twice
// changes nothing more.
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
	for {
		// Taking one string out can bring another together.
		was := text
		for _, s := range d.Text.Strip {
			if s != "" {
				text = strings.ReplaceAll(text, s, "")
			}
		}
		if text == was {
			break
		}
		if len(changes) == 0 || changes[len(changes)-1] != ChangeInvisible {
			changes = append(changes, ChangeInvisible)
		}
	}
	if d.Text.NFC {
		apply(ChangeNFC, norm.NFC.String(text))
	}
	if d.Text.Trim {
		apply(ChangeTrimmed, strings.TrimSpace(text))
	}
	if collapsed && len(d.Text.Unwrap) > 0 {
		changes = append(changes, ChangeWrapped)
	}
	return text, changes
}

// SameText reports whether a text of the CLI's record is the one that was
// typed, but for the changes of Expected and a wrapper around a paste. Where a
// wrapper was, white space at its seams does not count: it brings its own.
func (d *Dialect) SameText(recorded, typed string) bool {
	want, _ := d.Expected(typed, false)
	if got, _ := d.Expected(recorded, false); got == want {
		return true
	}
	for _, re := range d.Text.Unwrap {
		for _, m := range re.FindAllStringSubmatchIndex(recorded, -1) {
			if len(m) < 4 || m[2] < 0 {
				continue
			}
			parts := []string{recorded[:m[0]], recorded[m[2]:m[3]], recorded[m[1]:]}
			if d.sameAtSeams(parts, want) {
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
