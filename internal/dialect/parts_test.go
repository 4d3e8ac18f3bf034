package dialect

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/internal/screen"
)

// TestParts holds the parts of every frame's reading against the reading.
func TestParts(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, f := range all {
		r := cli(t, s, f.cli).Read(f.Screen, f.Version)
		if err := fits(r, f.Screen); err != nil {
			t.Errorf("%s: %v\n%+v", f, err, r)
		}
	}
}

// fits reports what in the parts does not go with the rest of a reading.
func fits(r Reading, s screen.Screen) error {
	has := map[PartKind]int{}
	for _, p := range r.Parts {
		has[p.Is]++
		g := p.Region
		if !g.Empty() && (g.Left < 0 || g.Top < 0 || g.Right > s.Cols || g.Bottom > s.Rows) {
			return fmt.Errorf("%s lies off the screen: %+v", p.Is, g)
		}
		if p.Is == PartComposer && !r.Box.Empty() && (g.Top > r.Box.Top || g.Bottom < r.Box.Bottom || g.Left > r.Box.Left || g.Right < r.Box.Right) {
			return fmt.Errorf("the composer %+v does not hold the box %+v", g, r.Box)
		}
		if p.Is == PartDraft && r.Composer == Draft && !strings.Contains(strings.ReplaceAll(r.Draft, "\n", ""), strings.TrimSpace(s.Span(g.Top, g.Left, g.Left+1))) {
			return fmt.Errorf("row %d is no draft", g.Top)
		}
	}
	class, _, _ := strings.Cut(r.Rule, ":")
	switch {
	case r.Composer == Empty && (has[PartComposer] != 1 || has[PartDraft] > 0):
		return fmt.Errorf("an empty box")
	case r.Composer == Draft && (has[PartComposer] != 1 || (has[PartDraft] > 0) != (strings.TrimSpace(r.Draft) != "")):
		return fmt.Errorf("a draft")
	case (r.Ghost != "") != (has[PartGhost] > 0) && r.Composer != Unreadable && r.Composer != Absent:
		return fmt.Errorf("ghost %q", r.Ghost)
	case r.Turn == Working && has[PartStatus] == 0 && !strings.Contains(r.Rule, "hint in the box"):
		return fmt.Errorf("working, and nothing says so")
	case class == "asking" && has[PartDialog] == 0:
		return fmt.Errorf("asking, and nothing says so")
	case strings.HasPrefix(r.Rule, "unreadable: unknown rows") && has[PartUnknown] != 1 && has[PartComposer] > 0 && !strings.Contains(fmt.Sprint(r.Missed), "says nothing of bare"):
		return fmt.Errorf("no unknown row")
	case r.Composer == Unreadable && class == "unreadable" && len(r.Missed) == 0:
		return fmt.Errorf("no word of why there is no box")
	}
	return nil
}

// TestWhere finds the line of every rule that decides a frame.
func TestWhere(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, f := range all {
		d := cli(t, s, f.cli)
		r := d.Read(f.Screen, f.Version)
		at := d.Where(r.Rule)
		class, name, _ := strings.Cut(r.Rule, ": ")
		if at == "" && class == "unreadable" {
			continue
		}
		var line int
		if _, err := fmt.Sscanf(strings.TrimPrefix(at, d.File), ":%d", &line); err != nil {
			t.Fatalf("%s: rule %q stands at %q", f, r.Rule, at)
		}
		if got := strings.Split(string(d.Source()), "\n")[line-1]; !strings.Contains(got, `name = "`+name+`"`) {
			t.Errorf("%s: rule %q: line %d is %q", f, r.Rule, line, got)
		}
	}
}

func TestWhereInUsersFile(t *testing.T) {
	path := t.TempDir() + "/mine.toml"
	text := strings.Replace(least, `name = "b"`, "name = 'b' # the box", 1) +
		"[[box.mode]]\nname = \"shell\"\nprompt = \"! \"\n[[rule]]\nclass = \"mode\"\nseen = \"1\"\nname = \"b\"\ntitle = 'x'\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Check(path)
	if err != nil {
		t.Fatal(err)
	}
	for rule, line := range map[string]int{"idle: b": 6, "composer: b": 6, "mode: shell": 10, "mode: b": 15} {
		if got, want := d.Where(rule), fmt.Sprintf("%s:%d", path, line); got != want {
			t.Errorf("%s stands at %s, want %s", rule, got, want)
		}
	}
	for _, rule := range []string{"", "idle", "idle: c", "working: b"} {
		if got := d.Where(rule); got != "" {
			t.Errorf("%q stands at %s", rule, got)
		}
	}
}

// TestLeftBorderAlone: a box that has a border at the left and nothing else goes
// to the right end of the screen, and ends where the border does.
func TestLeftBorderAlone(t *testing.T) {
	const head = "cli = \"bar\"\nname = \"Bar\"\nstatus = \"unproven\"\nsubmit.key = \"Enter\"\n[below]\nrows = ['^ready$']\n"
	const rest = "left = \"┃ \"\nbottom = '^┃$'\ncursor = \"reverse\"\nshown = \"no\"\n"
	d := checkText(t, []byte(head+
		"[[box]]\nname = \"hint\"\nseen = \"1\"\nprompt = \"> \"\nprompt_style = \"fg:8\"\nghost = \"fg:8\"\n"+rest+
		"[[box]]\nname = \"text\"\nseen = \"1\"\n"+rest))
	quote := "┃\n┃ you said this\n┃\n\n"
	for rows, want := range map[string]string{
		quote + "┃\n┃ {38;5;8}> {0;7}s{0;38;5;8}ay it{0}\n┃\n\nready":     "empty true \"\"",
		quote + "┃\n┃ hello{7} {0}\n┃\n\nready":                           "draft false \"hello\"",
		quote + "┃\n┃ > {7} {0}\n┃\n\nready":                              "draft false \"> \"",
		quote + "┃\n┃ one\n┃\n┃ three{7} {0}\n┃\n\nready":                 "draft false \"one\\n\\nthree\"",
		quote + "┃\n┃ " + strings.Repeat("x", 37) + "{7} {0}\n┃\n\nready": "draft false \"" + strings.Repeat("x", 37) + "\"",
		quote + "┃\n┃ hello{7} {0}\n┃\n\nwhat is this":                    "unreadable false \"\"",
		quote + "ready": "unreadable false \"\"",
		quote + "┃ no blank row above{7} {0}\n┃\n\nready": "unreadable false \"\"",
	} {
		r := d.Read(made{cols: 40, rows: rows}.screen(), "")
		if got := fmt.Sprintf("%s %v %q", r.Composer, r.MayType, r.Draft); got != want {
			t.Errorf("%s\nreads %s, want %s (%s)", rows, got, want, r.Rule)
		}
	}
}
