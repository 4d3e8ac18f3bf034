package dialect

import (
	"strings"
	"testing"

	"parley/internal/screen"
)

// TestBlank blanks every frame: it reads as before, nothing moves, and the
// words of the conversation are gone.
func TestBlank(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	before, after := 0, 0
	for i, f := range all {
		if i%11 != 0 { // an eleventh of them: each takes some hundred readings
			continue
		}
		d := cli(t, s, f.cli)
		blank, kept := d.Blank(f.Screen, f.Version)
		want, got := d.Read(f.Screen, f.Version), d.Read(blank, f.Version)
		want.Draft, want.Ghost, got.Draft, got.Ghost = "", "", "", ""
		if a, b := short(want), short(got); a != b || want.Rule != got.Rule {
			t.Errorf("%s reads %s by %s, want %s by %s", f, b, got.Rule, a, want.Rule)
		}
		if err := onlyWords(f.Screen, blank, kept); err != "" {
			t.Errorf("%s: %s", f, err)
		}
		before, after = before+letters(f.Screen), after+letters(blank)
	}
	t.Logf("letters: %d of %d are left", after, before)
	if after*12 > before {
		t.Errorf("too much is left: %d letters of %d", after, before)
	}
}

// onlyWords says what else was changed than letters and digits, or where one
// was kept that kept does not name.
func onlyWords(a, b screen.Screen, kept []int) string {
	was := a.Blanked(func(int, int) bool { return false })
	named := map[int]bool{}
	for _, y := range kept {
		named[y] = true
	}
	for y := range a.Rows {
		for x := range a.Cols {
			c := b.Cell(x, y)
			if c != a.Cell(x, y) && c != was.Cell(x, y) {
				return "a cell was changed"
			}
			if c != was.Cell(x, y) && !named[y] {
				return "a row with words is not named"
			}
		}
	}
	return ""
}

// letters counts those that tell something.
func letters(s screen.Screen) (n int) {
	for y := range s.Rows {
		for _, r := range s.Row(y) {
			if strings.ContainsRune("abcdefghijklmnopqrstuvwyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r) {
				n++
			}
		}
	}
	return n
}

// TestBlankKeepsEveryRule: where two rules say the same, the words of both stay.
func TestBlankKeepsEveryRule(t *testing.T) {
	for _, m := range handmade {
		d := cli(t, loaded(t), m.cli)
		blank, _ := d.Blank(m.screen(), m.version)
		if a, b := d.trace(m.screen(), m.version), d.trace(blank, m.version); a != b {
			t.Errorf("%s: %s\nwant %s", m.name, b, a)
		}
	}
}
