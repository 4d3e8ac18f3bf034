package dialect

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley"
)

func draft(s string) Reading { return Reading{Composer: Draft, Draft: s, AtEnd: true} }

func TestHolds(t *testing.T) {
	d := cli(t, loaded(t), "claude")
	whole := "lead: please look at the parser, it drops the last line [#01jabcde]"
	plain := Wanted{Body: whole, Whole: whole, Tag: "[#01jabcde]"}
	lines := strings.Repeat("line\n", 39) + "line"
	folded := Wanted{Signature: "lead [#01jabcde]: ", Body: lines, Whole: "lead [#01jabcde]: " + lines, Tag: "[#01jabcde]"}
	clipped := draft("parser, it drops\nthe last line [#01jabcde]")
	clipped.Clipped = true
	notEnd := clipped
	notEnd.AtEnd = false
	for _, c := range []struct {
		name string
		r    Reading
		w    Wanted
		want Match
	}{
		{"exact", draft(whole), plain, MatchWhole},
		{"cursor moved", Reading{Composer: Draft, Draft: whole}, plain, MatchPartial},
		{"wrapped", draft(strings.ReplaceAll(whole, " the ", "\nthe ")), plain, MatchWhole},
		{"cut inside a word", draft(strings.Replace(whole, "parser", "par\nser", 1)), plain, MatchWhole},
		{"empty", Reading{Composer: Empty}, plain, MatchNone},
		{"unreadable", Reading{Composer: Unreadable, Draft: whole}, plain, MatchNone},
		{"half drawn", draft(whole[:20]), plain, MatchPartial},
		{"H11 a person's draft in front", draft("half a thought " + whole), plain, MatchMixed},
		{"H11 a person's key behind", draft(whole + "z"), plain, MatchMixed},
		{"H20 glued in the middle", draft(whole[:30] + "typed" + whole[30:]), plain, MatchMixed},
		{"only a person's draft", draft("half a thought"), plain, MatchNone},
		{"H17 head missing", draft(whole[10:]), plain, MatchMixed},
		{"clipped tail", clipped, plain, MatchPart},
		{"clipped, cursor elsewhere", notEnd, plain, MatchPartial},
		{"token", draft("lead [#01jabcde]: [Pasted text #1 +39 lines]"), folded, MatchWhole},
		{"token wrapped", draft("lead [#01jabcde]: [Pasted text\n#1 +39 lines]"), folded, MatchWhole},
		{"token not there yet", draft("lead [#01jabcde]: "), folded, MatchPartial},
		{"H37 token of another paste", draft("lead [#01jabcde]: [Pasted text #1 +12 lines]"), folded, MatchMixed},
		{"token and a key", draft("lead [#01jabcde]: [Pasted text #1 +39 lines]x"), folded, MatchMixed},
		{"two tokens", draft("lead [#01jabcde]: [Pasted text #1 +39 lines][Pasted text #2 +39 lines]"), folded, MatchMixed},
		{"a person's token", draft("[Pasted text #1 +12 lines]"), folded, MatchNone},
		{"token alone", draft("[Pasted text #7 +39 lines]"), Wanted{Body: lines}, MatchWhole},
	} {
		c.r.Tokens = d.tokensIn(c.r.Draft)
		if got := d.Holds(c.r, c.w); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Our text, wrapped or shown with its blanks cut, is whole; with anything
// added that shows, it never is.
func TestHoldsProperty(t *testing.T) {
	d := cli(t, loaded(t), "pi")
	text := rapid.StringMatching(`[a-z]{2,8}: ([a-zA-Z0-9é漢🙂.,\[\]#+-]{1,12} ?){1,30}\[#[0-9a-z]{8}\]`)
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		w := Wanted{Body: s, Whole: s, Tag: s[len(s)-11:]}
		var wrapped strings.Builder
		width := rapid.IntRange(3, 40).Draw(t, "width")
		for i, r := range []rune(s) {
			if i > 0 && i%width == 0 {
				wrapped.WriteString("\n")
			}
			wrapped.WriteRune(r)
		}
		if m := d.Holds(draft(wrapped.String()), w); m != MatchWhole {
			t.Fatalf("wrapped at %d: %v", width, m)
		}
		key := rapid.StringMatching(`[a-zA-Z0-9!/?]{1,5}`).Draw(t, "key")
		i := rapid.IntRange(0, len([]rune(s))).Draw(t, "at")
		mixed := string([]rune(s)[:i]) + key + string([]rune(s)[i:])
		if m := d.Holds(draft(mixed), w); m == MatchWhole || m == MatchPart {
			t.Fatalf("%q in it: %v", key, m)
		}
		part := string([]rune(s)[:i])
		if m := d.Holds(draft(part), w); m == MatchPart || m == MatchWhole && strings.TrimSpace(part) != s {
			t.Fatalf("half drawn: %v", m)
		}
	})
}

func TestExpected(t *testing.T) {
	s := loaded(t)
	claude, codex, pi := cli(t, s, "claude"), cli(t, s, "codex"), cli(t, s, "pi")
	for _, c := range []struct {
		d         *Dialect
		typed     string
		collapsed bool
		want      string
		changes   []parley.Change
	}{
		{claude, "a: b\tc", false, "a: b    c", []parley.Change{ChangeTabs}},
		{claude, "a: e\u0301 \u200bx", false, "a: \u00e9 \u200bx", []parley.Change{ChangeNFC, ChangeInvisible}},
		{claude, "a: x\n", true, "a: x", []parley.Change{ChangeTrimmed, ChangeWrapped}},
		{codex, "a: b\tc e\u0301\u200b", false, "a: b\tc e\u0301\u200b", nil},
		{pi, "a: b\tc", false, "a: b    c", []parley.Change{ChangeTabs}},
	} {
		got, changes := c.d.Expected(c.typed, c.collapsed)
		if got != c.want || len(changes) != len(c.changes) {
			t.Errorf("%s %q: %q %v", c.d.CLI, c.typed, got, changes)
		}
		for i := range changes {
			if changes[i] != c.changes[i] {
				t.Errorf("%s %q: %v", c.d.CLI, c.typed, changes)
			}
		}
	}
}

func TestSameText(t *testing.T) {
	d := cli(t, loaded(t), "claude")
	typed := "lead [#01jabcde]: one\ntwo\n\nthree\nfour"
	wrap := func(before, in, after string) string {
		return before + "\n\n<pasted_content id=\"e1df\">\n" + in + "\n</pasted_content id=\"e1df\">\n" + after
	}
	for _, c := range []struct {
		recorded string
		want     bool
	}{
		{typed, true},
		{typed + "\n", true},
		{wrap("lead [#01jabcde]:", "one\ntwo\n\nthree\nfour", ""), true},
		{wrap("lead [#01jabcde]: ", "one\ntwo\n\nthree\nfour", ""), true},
		{wrap("lead [#01jabcde]:", "one\ntwo\nthree\nfour", ""), false},
		{wrap("lead [#01jabcde]:", "one\ntwo\n\nthree\nfour", " z"), false},
		{wrap("", "one\ntwo\n\nthree\nfour", ""), false},
		{typed + "z", false},
		{strings.TrimPrefix(typed, "lead"), false},
		{"", false},
	} {
		if got, _ := d.SameText(c.recorded, typed); got != c.want {
			t.Errorf("%q: %v", c.recorded, got)
		}
	}
}

func TestExpectedTwiceIsOnce(t *testing.T) {
	s := loaded(t)
	rapid.Check(t, func(t *rapid.T) {
		for _, name := range s.Names() {
			d, _ := s.CLI(name)
			typed := rapid.String().Draw(t, "typed")
			once, _ := d.Expected(typed, false)
			twice, changes := d.Expected(once, false)
			changes = slices.DeleteFunc(changes, func(c parley.Change) bool { return c == ChangeInvisible })
			if once != twice || len(changes) > 0 {
				t.Fatalf("%s: %q, then %q %v", name, once, twice, changes)
			}
			for _, recorded := range []string{typed, once} {
				if same, _ := d.SameText(recorded, typed); !same {
					t.Fatalf("%s: %q is not itself", name, typed)
				}
			}
		}
	})
}

func TestCollapses(t *testing.T) {
	s := loaded(t)
	claude, codex, pi := cli(t, s, "claude"), cli(t, s, "codex"), cli(t, s, "pi")
	for _, c := range []struct {
		d    *Dialect
		text string
		want bool
	}{
		{claude, "a\nb\nc", false}, {claude, "a\nb\nc\nd", true},
		{claude, strings.Repeat("x", 800), false}, {claude, strings.Repeat("x", 801), true},
		{claude, strings.Repeat("🙂", 400), false}, {claude, strings.Repeat("🙂", 401), true},
		{codex, strings.Repeat("🙂", 1000), false}, {codex, strings.Repeat("é", 1001), true}, {codex, strings.Repeat("a\n", 400), false},
		{pi, strings.Repeat("a\n", 9) + "a", false}, {pi, strings.Repeat("a\n", 10) + "a", true}, {pi, strings.Repeat("x", 1001), true},
	} {
		if got := c.d.Collapses(c.text); got != c.want {
			t.Errorf("%s, %d bytes: %v", c.d.CLI, len(c.text), got)
		}
	}
}

func TestTokens(t *testing.T) {
	s := loaded(t)
	for _, c := range []struct {
		cli, draft string
		want       Token
	}{
		{"claude", "a [Pasted text #1 +39 lines]", Token{"[Pasted text #1 +39 lines]", 39, -1}},
		{"claude", "[Pasted text #2]", Token{"[Pasted text #2]", -1, -1}},
		{"codex", "[Pasted Content 1500\nchars] #2", Token{"[Pasted Content 1500 chars] #2", -1, 1500}},
		{"pi", "[paste #1 +12 lines]", Token{"[paste #1 +12 lines]", 11, -1}},
		{"pi", "[paste #1 1200 chars]", Token{"[paste #1 1200 chars]", -1, 1200}},
	} {
		got := cli(t, s, c.cli).tokensIn(c.draft)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %q: %+v", c.cli, c.draft, got)
		}
	}
}
