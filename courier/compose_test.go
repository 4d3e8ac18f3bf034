package courier

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley"
	"parley/internal/dialect"
)

// nasty are pieces that have ended pastes, opened menus, run commands or
// vanished somewhere.
var nasty = []string{
	"\x1b[201~", "\x1b[200~", "\x1b", "\r", "\r\n", "\n", "\t", "\x00", "\x03", "\x04", "\x15", "\x7f", "\u0085", "\u009b201~", "\u009c",
	"/", "!", "/quit", "!rm -rf x", "\\", "@bob", "$x", "#", ";", "[#0123abcd]", "[Pasted text #1 +39 lines]",
	"\u200b", "\u200d", "\u2028", "\u202e", "\u2066", "\ufeff", "e\u0301", "é", "👨‍👩‍👧‍👦", "日本", "שלום", "\xff", "\xc3", "\ufffd", " ", "\u00a0", "word",
}

var bodies = rapid.Custom(func(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(nasty), rapid.String(), rapid.StringN(0, 400, -1)), 0, 20).Draw(t, "parts")
	return strings.Join(parts, "")
})

// harmful is what must never be in a paste: it could end it and act as keys.
func harmful(s string) bool {
	for _, r := range s {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return true
		}
	}
	return !utf8.ValidString(s)
}

// H04, H18: no control character is ever left, the rest is, and what was
// changed is named.
func TestClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := bodies.Draw(t, "body")
		out, changes := clean(body)
		if harmful(out) {
			t.Fatalf("%q is left of %q", out, body)
		}
		if (out != body) != (len(changes) > 0) {
			t.Fatalf("%q became %q: %v", body, out, changes)
		}
		if again, more := clean(out); again != out || len(more) > 0 {
			t.Fatalf("cleaned twice: %q, %q, %v", out, again, more)
		}
		if got, want := kept(out), kept(strings.ToValidUTF8(body, "\ufffd")); got != want {
			t.Fatalf("%q of %q is left, want %q", got, body, want)
		}
	})
}

// kept is a text without what cleaning may take or fold.
func kept(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, s)
}

func TestCleanNames(t *testing.T) {
	for body, want := range map[string][]parley.Change{
		"plain\ttext\n":            nil,
		"a\r\nb\rc":                {changeNewlines},
		"a\u2028b\u2029c":          {changeNewlines},
		"a\x1b[201~b":              {changeControls},
		"a\x00\u009b\x7f":          {changeControls},
		"\xffa":                    {changeEncoding},
		"\xff\r\x00":               {changeEncoding, changeNewlines, changeControls},
		"zwj 👩‍👧 stays \u202ebidi": nil,
	} {
		_, got := clean(body)
		if len(got) != len(want) {
			t.Errorf("%q: %v, want %v", body, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%q: %v, want %v", body, got, want)
			}
		}
	}
	if out, _ := clean("a\r\nb\rc\x1b[201~d"); out != "a\nb\nc[201~d" {
		t.Errorf("%q", out)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range nasty {
		f.Add("a" + s + "b")
	}
	f.Fuzz(func(t *testing.T, body string) {
		if out, _ := clean(body); harmful(out) {
			t.Errorf("%q", out)
		}
	})
}

var (
	inOne    = regexp.MustCompile(`(?s)^([a-z0-9][a-z0-9._-]*): (.*) \[#([0-9a-z]{8})\]$`)
	inTwo    = regexp.MustCompile(`(?s)^([a-z0-9][a-z0-9._-]*) \[#([0-9a-z]{8})\]: (.*)$`)
	safeEnd  = regexp.MustCompile(` \[#[0-9a-z]{8}\]$`)
	sentence = regexp.MustCompile(`^[a-z0-9]`)
)

// TestCompose: whoever speaks, whatever is said, to whichever CLI: the typed
// text begins with a name and ends with a tag (or folds into a token behind
// both), and name, body and tag can be read from it again. H05, H07, H19, H22.
func TestCompose(t *testing.T) {
	set, err := dialect.Load("")
	must(t, err)
	names := rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,63}`)
	ids := rapid.StringMatching(`01[0-9A-HJKMNP-TV-Z]{24}`)
	for _, cli := range set.Names() {
		d, _ := set.CLI(cli)
		rapid.Check(t, func(t *rapid.T) {
			body, _ := clean(bodies.Draw(t, "body"))
			m := parley.Message{ID: parley.ID(ids.Draw(t, "id")), From: parley.Name(names.Draw(t, "from")), Body: body}
			c := compose(m, d)
			said, _ := without(body, d.Text.Strip)
			checkComposed(t, c, m, said, d)
		})
	}
}

func checkComposed(t *rapid.T, c typed, m parley.Message, said string, d *dialect.Dialect) {
	for _, p := range c.pastes {
		if p == "" || harmful(p) {
			t.Fatalf("pasted %q", p)
		}
	}
	if c.whole != strings.Join(c.pastes, "") || c.want.Whole != c.whole {
		t.Fatalf("whole %q, pasted %q, wanted %+v", c.whole, c.pastes, c.want)
	}
	if !sentence.MatchString(c.pastes[0]) {
		t.Fatalf("begins with %.10q", c.pastes[0])
	}
	last := c.pastes[len(c.pastes)-1]
	if !safeEnd.MatchString(last) && !(len(c.pastes) == 2 && d.Collapses(last)) {
		t.Fatalf("ends with %q", last[max(0, len(last)-20):])
	}
	if len(c.pastes) == 1 && d.Collapses(c.whole) {
		t.Fatalf("folds with its signature: %q", c.whole)
	}
	if len(c.pastes) == 2 && d.Collapses(c.pastes[0]) {
		t.Fatalf("the signature folds: %q", c.pastes[0])
	}
	parts := inOne.FindStringSubmatch(c.whole)
	if len(c.pastes) == 2 {
		p := inTwo.FindStringSubmatch(c.whole)
		if p == nil {
			t.Fatalf("cannot be read again: %q", c.whole)
		}
		parts = []string{p[0], p[1], strings.TrimSuffix(p[3], " [#"+p[2]+"]"), p[2]}
		said = strings.TrimSuffix(said, " [#"+p[2]+"]")
	}
	if parts == nil || parts[1] != string(m.From) || parts[2] != said || parts[3] != m.ID.Tag() {
		t.Fatalf("%q reads as %q", c.whole, parts)
	}
}

// Characters at which a CLI would stop are taken out before they are typed.
func TestStripped(t *testing.T) {
	d := &dialect.Dialect{}
	d.Text.Strip = []string{"\u200b", "\u202e"}
	c := compose(parley.Message{ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", From: "lead", Body: "a\u200bb\u202ec"}, d)
	if !strings.HasPrefix(c.whole, "lead: abc [#") || len(c.changes) != 1 || c.changes[0] != changeInvisible {
		t.Errorf("%q %v", c.whole, c.changes)
	}
}
