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

// A token that shows how its text begins is ours only if ours begins so.
func TestHoldsTokenHead(t *testing.T) {
	d := cli(t, loaded(t), "cline")
	w := Wanted{Signature: "a [#01jabcde]: ", Body: "line 0\nline 1\nline 2\nline 3"}
	for text, want := range map[string]Match{
		"a [#01jabcde]: [line 0 line 1 li... Pasted +4 lines]":    MatchWhole,
		"a [#01jabcde]: [line 0 line 2 li... Pasted +4 lines]":    MatchMixed,
		"a [#01jabcde]: [line 0 line 1\nli... Pasted +4 lines] x": MatchMixed,
	} {
		if got := d.Holds(draft(text), w); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
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

func TestSameTextJoined(t *testing.T) {
	d := cli(t, loaded(t), "gemini")
	const typed = "lead: one\n\ntwo [#01jabcde]"
	for recorded, want := range map[string]bool{
		typed: true, "before\n\n" + typed: true, typed + "\n\nafter": true, "before\n\n" + typed + "\n\nafter": true,
		"before " + typed: false, typed + "z": false, "before\n\n" + typed + " after": false, "before\n\nlead: one [#01jabcde]": false,
	} {
		same, changes := d.SameText(recorded, typed)
		if same != want || same && slices.Contains(changes, ChangeJoined) != (recorded != typed) {
			t.Errorf("%q: %v %v", recorded, same, changes)
		}
	}
	if same, _ := cli(t, loaded(t), "codex").SameText("before\n\n"+typed, typed); same {
		t.Error("a CLI that joins nothing")
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
		{cli(t, s, "gemini"), "a\nb\nc\nd\ne", false}, {cli(t, s, "gemini"), "a\nb\nc\nd\ne\nf", true}, {cli(t, s, "gemini"), strings.Repeat("x", 501), true},
		{cli(t, s, "opencode"), "a\nb", false}, {cli(t, s, "opencode"), "a\nb\nc", true}, {cli(t, s, "opencode"), strings.Repeat("x", 151), true},
		{cli(t, s, "grok"), "a\nb\nc", false}, {cli(t, s, "grok"), "a\nb\nc\nd", true},
		{pi, strings.Repeat("a\n", 9) + "a", false}, {pi, strings.Repeat("a\n", 10) + "a", true}, {pi, strings.Repeat("x", 1001), true},
	} {
		if got := c.d.Collapses(c.text); got != c.want {
			t.Errorf("%s, %d bytes: %v", c.d.CLI, len(c.text), got)
		}
	}
}

func TestTooMuch(t *testing.T) {
	s := loaded(t)
	for _, c := range []struct {
		cli, text string
		want      bool
	}{
		{"claude", strings.Repeat("x\n", 60000), false},
		{"copilot", strings.Repeat("x", 20000), false}, {"copilot", strings.Repeat("x", 20001), true}, {"copilot", strings.Repeat("🙂", 10001), true},
		{"vibegrok", strings.Repeat("x", 400), false}, {"vibegrok", strings.Repeat("x", 401), true}, {"vibegrok", "a\nb", true},
	} {
		if got := cli(t, s, c.cli).TooMuch(c.text); got != c.want {
			t.Errorf("%s, %d bytes: %v", c.cli, len(c.text), got)
		}
	}
}

func TestTokens(t *testing.T) {
	s := loaded(t)
	for _, c := range []struct {
		cli, draft string
		want       Token
	}{
		{"claude", "a [Pasted text #1 +39 lines]", Token{"[Pasted text #1 +39 lines]", 39, -1, ""}},
		{"claude", "[Pasted text #2]", Token{"[Pasted text #2]", -1, -1, ""}},
		{"codex", "[Pasted Content 1500\nchars] #2", Token{"[Pasted Content 1500 chars] #2", -1, 1500, ""}},
		{"pi", "[paste #1 +12 lines]", Token{"[paste #1 +12 lines]", 11, -1, ""}},
		{"gemini", "a [Pasted Text: 8 lines]", Token{"[Pasted Text: 8 lines]", 7, -1, ""}},
		{"gemini", "[Pasted Text: 600 chars]", Token{"[Pasted Text: 600 chars]", -1, 600, ""}},
		{"qwen", "[Pasted Content 1200\nchars] #2", Token{"[Pasted Content 1200 chars] #2", -1, 1200, ""}},
		{"grok", "[Pasted: 4 lines]", Token{"[Pasted: 4 lines]", 3, -1, ""}},
		{"grok", "[Pasted: 10 KB]", Token{"[Pasted: 10 KB]", -1, -1, ""}},
		{"opencode", "[Pasted ~3 lines] ", Token{"[Pasted ~3 lines]", 2, -1, ""}},
		{"copilot", "[Paste #3 - 40 lines]", Token{"[Paste #3 - 40 lines]", 39, -1, ""}},
		{"cline", "[one two\nthree... Pasted +40\nlines]", Token{"[one two three... Pasted +40 lines]", 39, -1, "one two\nthree"}},
		{"droid", "[line 0 of paste li... 40 lines]", Token{"[line 0 of paste li... 40 lines]", -1, -1, "line 0 of paste li"}},
		{"pi", "[paste #1 1200 chars]", Token{"[paste #1 1200 chars]", -1, 1200, ""}},
	} {
		got := cli(t, s, c.cli).tokensIn(c.draft)
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %q: %+v", c.cli, c.draft, got)
		}
	}
}
