package dialect

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parley/internal/screen"
)

var update = flag.Bool("update", false, "write testdata/frames/readings.tsv anew")

// short is all of a reading that a program acts on.
func short(r Reading) string {
	return fmt.Sprintf("%s\t%s\t%v\t%s\tqueued=%v\tend=%v\tclipped=%v\ttokens=%d\t%q", r.Composer, r.Turn, r.MayType, r.Reason, r.Queued, r.AtEnd, r.Clipped, len(r.Tokens), r.Draft)
}

const readingsFile = "testdata/frames/readings.tsv"

// TestReadings holds the whole reading of every frame, judged or not, against
// the file in which each was looked at once.
func TestReadings(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	var got []string
	for _, f := range all {
		got = append(got, f.String()+"\t"+short(cli(t, s, f.cli).Read(f.Screen, f.Version)))
	}
	if *update {
		if err := os.WriteFile(readingsFile, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(readingsFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("line %d:\n got %q\nwant %q", i+1, at(got, i), at(want, i))
		}
	}
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(none)"
}

// TestEveryRuleIsNeeded takes each box, mode, rule, token and footer pattern of
// each file out in turn and expects some screen to read differently.
func TestEveryRuleIsNeeded(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, name := range s.Names() {
		d := cli(t, s, name)
		// each calls f with the reading of every screen of the CLI until it says no.
		each := func(d *Dialect, f func(i int, reading string) bool) {
			i := 0
			next := func(s screen.Screen, version string) bool {
				i++
				return f(i-1, short(d.Read(s, version)))
			}
			for _, m := range handmade {
				if m.cli == name && !next(m.screen(), m.version) {
					return
				}
			}
			for _, f := range all {
				if f.cli == name && !(next(f.Screen, f.Version) && next(f.Screen, "")) {
					return
				}
			}
		}
		var want []string
		each(d, func(_ int, r string) bool { want = append(want, r); return true })
		if len(want) == 0 {
			continue // no frames of this CLI here
		}
		for what, without := range withouts(d) {
			needed := false
			each(without, func(i int, r string) bool {
				needed = r != want[i]
				return !needed
			})
			if !needed {
				t.Errorf("%s: no frame needs %s", name, what)
			}
		}
	}
}

// withouts returns a copy of d for each thing that can be taken out.
func withouts(d *Dialect) map[string]*Dialect {
	out := map[string]*Dialect{}
	add := func(what string, change func(*Dialect)) {
		c := *d
		c.boxes = slices.Clone(d.boxes)
		change(&c)
		out[what] = &c
	}
	for i, b := range d.boxes {
		if len(d.boxes) > 1 {
			add("box "+b.Name, func(c *Dialect) { c.boxes = slices.Delete(c.boxes, i, i+1) })
		}
		for j, m := range b.Modes {
			add("mode "+m.Name+" of "+b.Name, func(c *Dialect) { c.boxes[i].Modes = slices.Delete(slices.Clone(b.Modes), j, j+1) })
		}
		for what, change := range map[string]func(*box){
			"tall": func(b *box) { b.Tall = 0 }, "clipped": func(b *box) { b.Clipped = Pattern{} }, "clip_mark": func(b *box) { b.ClipMark = "" }, "more_mark": func(b *box) { b.MoreMark = "" },
			"full": func(b *box) { b.Full = false },
			"more": func(b *box) { b.More = Pattern{} }, "edge": func(b *box) { b.Edge = style{} },
			"prompt_style": func(b *box) { b.PromptStyle = style{} }, "ghost": func(b *box) { b.Ghost = style{} },
			"foot": func(b *box) { b.Foot = nil }, "bar": func(b *box) { b.Bar = "" }, "ghost_text": func(b *box) { b.GhostText = nil },
			"gap": func(b *box) { b.Gap = false }, "clip_top": func(b *box) { b.ClipTop = 0 },
			"cursor drawn": func(b *box) { b.Cursor = caret{} }, "shown": func(b *box) { b.Shown = "" },
		} {
			c := b
			change(&c)
			if fmt.Sprint(c) != fmt.Sprint(b) {
				add(what+" of "+b.Name, func(c *Dialect) { change(&c.boxes[i]) })
			}
		}
	}
	for i, r := range d.rules {
		add(r.Class+" rule "+r.Name, func(c *Dialect) { c.rules = slices.Delete(slices.Clone(d.rules), i, i+1) })
	}
	for i, k := range d.tokens {
		add("token "+k.Pattern, func(c *Dialect) { c.tokens = slices.Delete(slices.Clone(d.tokens), i, i+1) })
	}
	lists(d, add)
	return out
}

func lists(d *Dialect, add func(string, func(*Dialect))) {
	for i, p := range d.below.Items {
		add("item "+p.String(), func(c *Dialect) { c.below.Items = slices.Delete(slices.Clone(d.below.Items), i, i+1) })
	}
	for i, p := range d.below.Extra {
		add("extra "+p.String(), func(c *Dialect) { c.below.Extra = slices.Delete(slices.Clone(d.below.Extra), i, i+1) })
	}
	for i, p := range d.below.Rows {
		add("footer row "+p.String(), func(c *Dialect) { c.below.Rows = slices.Delete(slices.Clone(d.below.Rows), i, i+1) })
	}
	if d.below.Free.Set() {
		add("free rows", func(c *Dialect) { c.below.Free = Pattern{} })
	}
	if d.below.Right {
		add("right", func(c *Dialect) { c.below.Right = false })
	}
	if d.below.Bare != "" {
		add("bare", func(c *Dialect) { c.below.Bare = "" })
	}
}
