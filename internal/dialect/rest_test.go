package dialect

import "testing"

func TestRemains(t *testing.T) {
	for _, c := range []struct {
		before, now string
		want        bool
	}{
		{"lead: a\nsecond\nthird [#0123abcd]", "lead: a\nsecond\n", true},
		{"lead: a\nsecond\n", "lead: a\nsecond", true},
		{"lead: a\nsecond", "lead: a", true},
		{"lead: a\n\n\nsecond", "lead: a\n\n\n", true},
		{"lead: a ", "lead: a", true},
		{"lead: a\nsecond", "lead: a\nsec", false}, // no key of ours takes half a row: somebody edits
		{"lead: a\nsecond", "lead: a\nsecond z", false},
		{"lead: a\nsecond", "lead: a\nz", false},
		{"lead: a\nsecond", "l", false}, // taken out, and then somebody's first letter
		{"lead: a\nsecond", "second", false},
		{"lead: a", "lead: a\nz", false},
		{"lead: a", "", false},
	} {
		if got := Remains(draft(c.before), draft(c.now)); got != c.want {
			t.Errorf("%q after %q: %v", c.now, c.before, got)
		}
	}
	whole := draft("lead: a\nsecond")
	for name, r := range map[string]Reading{
		"empty":          {Composer: Empty, AtEnd: true},
		"unreadable":     {Composer: Unreadable, Draft: "lead: a", AtEnd: true},
		"clipped":        {Composer: Draft, Draft: "lead: a", AtEnd: true, Clipped: true},
		"cursor in it":   {Composer: Draft, Draft: "lead: a"},
		"another's text": {Composer: Draft, Draft: "half a thought", AtEnd: true},
	} {
		if Remains(whole, r) {
			t.Error(name)
		}
	}
	if whole.Clipped = true; Remains(whole, draft("lead: a")) {
		t.Error("a box that hid its head")
	}
}

func TestBegins(t *testing.T) {
	w := Wanted{Whole: "lead: a\nsecond\nthird [#0123abcd]", Tag: "[#0123abcd]"}
	for text, want := range map[string]bool{
		"lead: a\nsecond\n": true, "lead: a": true, "lead: a\nsecond\nthird [#0123abcd]": true,
		"lead:": false, "lead": false, "l": false, "": false,
		"lead: a\nmine": false, "second": false, "lead: a\nsecond\nthird [#0123abcd] z": false,
	} {
		if got := Begins(draft(text), w, "lead:"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if r := draft("lead: a"); Begins(Reading{Composer: r.Composer, Draft: r.Draft}, w, "lead:") {
		t.Error("with the cursor in it")
	}
	if r := draft("lead: a"); Begins(Reading{Composer: r.Composer, Draft: r.Draft, AtEnd: true, Clipped: true}, w, "lead:") {
		t.Error("with its head out of sight")
	}
}

func TestClearKey(t *testing.T) {
	set := loaded(t)
	for _, c := range []struct{ cli, version, want string }{
		{"claude", "2.1.332", "C-u"}, {"claude", "2.1.0", "C-u"}, {"claude", "3", "C-u"},
		{"claude", "2.0.20", ""}, {"claude", "", ""},
		{"codex", "0.98.0", "C-u"}, {"codex", "", "C-u"}, {"pi", "1.6.0", "C-u"},
		{"grok", "1.0.41", ""}, {"gemini", "0.61.0", ""},
	} {
		if got := cli(t, set, c.cli).ClearKey(c.version); got != c.want {
			t.Errorf("%s %s: %q", c.cli, c.version, got)
		}
	}
}
