package dialect

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const shapeTag = "[#01jabcde]"

func wantedOf(body string) Wanted {
	whole := "lead: " + body + " " + shapeTag
	return Wanted{Body: whole, Whole: whole, Tag: shapeTag}
}

// TestShapes: what a screen cannot show, or shows in another way, is overlooked;
// a visible character that is missing, changed or added is not.
func TestShapes(t *testing.T) {
	d := cli(t, loaded(t), "claude")
	zalgo := "k" + strings.Repeat("\u0301\u0323", 12)
	for _, c := range []struct {
		name, body, shown string
		want              Match
	}{
		{"a new emoji that tmux drops", "so \U0001fae8 it", "so  it", MatchWhole},
		{"and one that it shows", "so \U0001fae8 it", "so \U0001fae8 it", MatchWhole},
		{"some of many", "\U0001fae8\U0001fae9\U0001fae8 x", "\U0001fae9 x", MatchWhole},
		{"its tone is left behind", "a\U0001fae8\U0001f3fdb", "a\U0001f3fdb", MatchWhole},
		{"one cell takes what followed", "a\u200d\U0001fae8\u0301b", "a\u0301b", MatchWhole},
		{"unassigned", "a\U000bef18\u0378b", "ab", MatchWhole},
		{"no character", "a\ufffe\U0010ffffb", "ab", MatchWhole},
		{"a family cut at 21 bytes", "👩\u200d👩\u200d👧\u200d👦 x", "👩\u200d👩\u200d👧\u200d x", MatchWhole},
		{"a skin tone is overdrawn", "👍🏽 x", "👍 x", MatchWhole},
		{"a flag of tags", "🏴\U000e0067\U000e0062\U000e007f x", "🏴\U000e0067 x", MatchWhole},
		{"marks cut at 21 bytes", zalgo, zalgo[:21], MatchWhole},
		{"Bengali with a vowel overdrawn", "বাংলা কো", "বালা ক", MatchWhole},
		{"Thai AM in two parts", "ทำ ຄຳ", "ท\u0e4d\u0e32 ຄ\u0ecd\u0eb2", MatchWhole},
		{"AM twice, one overdrawn", "น\u0e33\u0e33", "น\u0e33", MatchWhole},
		{"a half-width sound mark", "ｶ\uff9e", "ｶ", MatchWhole},
		{"Bengali with letters overdrawn", "পার্সারটি শাখায় নিয়ে", "পার্রটি শাখানিয়ে", MatchWhole},
		{"an emoji overdrawn by what is left of a tone", "👩🏽\u200d🚀👩👩", "👩👩", MatchWhole},
		{"composed", "cafe\u0301", "café", MatchWhole},
		{"decomposed", "café", "cafe\u0301", MatchWhole},
		{"Hangul in parts", "\u1112\u1161\u11ab", "한", MatchWhole},
		{"marks in another order", "a\u0301\u0323", "a\u0323\u0301", MatchWhole},
		{"a number sign takes the digit", "a \u06005 b", "a  b", MatchWhole},
		{"zero width", "a\u200bb\u00adc\u3164d\U00016fe4e", "abcde", MatchWhole},

		{"an accent of one character is missing", "café", "cafe", MatchMixed},
		{"an old emoji is missing", "so 🙂 it", "so  it", MatchMixed},
		{"the first of a cluster is missing", "ab কো", "ab \u09cb", MatchMixed},
		{"more is missing than was drawn too far", "কো নদী আর বন x", "ক ন x", MatchPartial},
		{"missing on the next line", "কো x\nনদ", "ক x\nন", MatchMixed},
		{"a Latin letter is missing", "কো xyz", "কো xz", MatchMixed},
		{"one of two alike is missing", "👍👍", "👍", MatchMixed},
		{"a key beside one that is dropped", "so \U0001fae8 it", "so x it", MatchMixed},
		{"another new emoji, added", "so \U0001fae8 it", "so \U0001fae8\U0001fae9 it", MatchMixed},
		{"a new emoji, added where none is", "so it", "so\U0001fae8 it", MatchMixed},
		{"an accent, added", "so it", "so\u0301 it", MatchMixed},
		{"a vowel, added", "ক x", "কো x", MatchMixed},
		{"a skin tone, added", "👍 x", "👍🏽 x", MatchMixed},
		{"a key behind", "so \U0001fae8 it", "so  itz", MatchMixed},
		{"another text", "so \U0001fae8 it", "so  at", MatchMixed},
	} {
		whole := "lead: " + c.shown + " " + shapeTag
		if got := d.Holds(draft(whole), wantedOf(c.body)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if c.want != MatchWhole {
			continue
		}
		behind := draft(whole + "z")
		if got := d.Holds(behind, wantedOf(c.body)); got != MatchMixed {
			t.Errorf("%s, and a key behind: %v", c.name, got)
		}
		half := draft(strings.TrimSuffix(whole, "e]"))
		if got := d.Holds(half, wantedOf(c.body)); got != MatchPartial {
			t.Errorf("%s, half drawn: %v", c.name, got)
		}
	}
}

// A box that hides its head may lack the same characters.
func TestShapesClipped(t *testing.T) {
	d := cli(t, loaded(t), "claude")
	w := wantedOf("one two three \U0001fae8\U0001f3fd four 👍🏽 five কো six")
	for shown, want := range map[string]Match{
		"three 🏽 four 👍 five ক six " + shapeTag:                           MatchPart,
		"three \U0001fae8 four 👍🏽 five কো six " + shapeTag:                MatchPart,
		"lead: one two three 🏽 four 👍 five ক six " + shapeTag:             MatchPart,
		"three 🏽 four 👍 fve ক six " + shapeTag:                            MatchMixed,
		"x three 🏽 four 👍 five ক six " + shapeTag:                         MatchMixed,
		"two three \U0001fae8 four 👍 five ক si":                           MatchPartial,
		"three 🏽 four 👍 five ক six " + shapeTag + "z":                     MatchMixed,
		"three 🏽 four 👍 \U0001fae8 five ক six and more to it " + shapeTag: MatchMixed,
	} {
		r := draft(shown)
		r.Clipped = true
		if got := d.Holds(r, w); got != want {
			t.Errorf("%q: %v, want %v", shown, got, want)
		}
	}
}

// TestShapeOfEach goes through all of Unicode: each character is itself, may be
// missing only if it is young, and one more is never overlooked but where
// nobody can see it.
func TestShapeOfEach(t *testing.T) {
	const many = 512
	var body, seen strings.Builder
	n := 0
	check := func() {
		s := shapeOf(body.String())
		if !s.is(squeeze(body.String())) || !s.is(squeeze(norm.NFC.String(body.String()))) || !s.is(squeeze(seen.String())) {
			t.Errorf("%.80q is not %.80q", body.String(), seen.String())
		}
		body.Reset()
		seen.Reset()
		n = 0
	}
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		c := string(r)
		body.WriteString("<" + c + ">")
		if young(r) {
			c = ""
		}
		seen.WriteString("<" + c + ">")
		if n++; n == many {
			check()
		}
		if squeeze(c) == "" {
			continue
		}
		if shapeOf("<>").is(squeeze("<" + c + ">")) {
			t.Errorf("%U more is overlooked", r)
		}
		if !oneGrapheme("a"+c, 1) && shapeOf("a"+c).is("a") {
			t.Errorf("%U is not missed", r)
		}
	}
	check()
}

// Marks without a character of their own stick to what stands before them, or
// overflow into the next row: they change nothing of the box, and no draft is
// overlooked beside them.
var madeStray = []made{
	{"codex: at the prompt", "codex", "0.171.0", 60, "", true, "text\n" + strayCodex, "empty idle yes"},
	{"codex: on the row above", "codex", "0.171.0", 60, "", true, "text\n\u1b3b" + strayCodex, "empty idle yes"},
	{"codex: on the row above, after a letter", "codex", "0.171.0", 60, "", true, "text\nk\u1b3b" + strayCodex, "unreadable unknown no unreadable"},
	{"codex: in the indent of a draft", "codex", "0.171.0", 60, "", true,
		"text\n\n{1}›{0} one\n \u0301 two\n\u09bf three@\n\n" + footerCodex, "draft idle no draft"},
	{"codex: a letter in the indent", "codex", "0.171.0", 60, "", true,
		"text\n\n{1}›{0} one\n k\u0301two@\n\n" + footerCodex, "unreadable unknown no unreadable"},
	{"codex: a mark as a draft", "codex", "0.171.0", 60, "", true, "text\n\n{1}›{0}  \u0301@\n\n" + footerCodex, "draft idle no draft"},
	{"claude: at the prompt", "claude", "2.1.332", 60, "✳ x", false,
		"text\n{38;5;244}===\n{39}❯~\u0301@{7} {0}\n{38;5;244}===\n{39}  ? for shortcuts", "empty idle yes"},
	{"claude: in the rule", "claude", "2.1.332", 60, "✳ x", false,
		"text\n{38;5;244}===\u0301\n{39}❯~@{7} {0}\n{38;5;244}===\n{39}  ? for shortcuts", "empty idle yes"},
	{"claude: in the indent of a draft", "claude", "2.1.332", 60, "✳ x", false,
		"text\n{38;5;244}===\n{39}❯~some\n  \u0301draft@{7} {0}\n{38;5;244}===\n{39}  ? for shortcuts", "draft idle no draft"},
}

const strayCodex = "\n{1}›{0} \u0301@{2}Ask Codex to do anything{0}\n\n" + footerCodex
