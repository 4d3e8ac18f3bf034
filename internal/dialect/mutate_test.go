package dialect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/internal/screen"
)

// mutants per frame that must not be typed into.
const mutants = 25

// TestMutants changes frames that are labelled may_type=no in small ways and
// expects that none of them ever reads may_type. A change that makes an honest
// idle box of a frame (its whole draft erased) is none of these.
func TestMutants(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	n := 0
	for _, f := range all {
		d := cli(t, s, f.cli)
		base := d.Read(f.Screen, f.Version)
		if base.MayType || f.MayType == "yes" {
			continue
		}
		rnd := rand.New(rand.NewPCG(20261130, uint64(len(f.String()))))
		for i := range mutants {
			m, what := mutate(f.Screen, rnd)
			if f.MayType != "no" && strings.Contains(what, "footer") {
				continue // not labelled: some of these differ from idle by their footer alone
			}
			for _, version := range []string{f.Version, ""} {
				if r := d.Read(m, version); r.MayType {
					t.Errorf("%s mutant %d (%s), version %q: may type by %s", f, i, what, version, r.Rule)
				}
			}
			n++
		}
	}
	t.Logf("%d mutants", n)
	if n < 3000 {
		t.Errorf("only %d mutants", n)
	}
}

// TestMutantsOfIdle changes idle frames and expects no draft where there is
// none, and nothing but a refusal or an empty box.
func TestMutantsOfIdle(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, f := range all {
		if f.MayType != "yes" {
			continue
		}
		d := cli(t, s, f.cli)
		rnd := rand.New(rand.NewPCG(7, uint64(len(f.String()))))
		for range 20 {
			m, what := mutate(f.Screen, rnd)
			r := d.Read(m, f.Version)
			if r.MayType && r.Composer != Empty {
				t.Errorf("%s (%s): %+v", f, what, r)
			}
		}
	}
}

func mutate(s screen.Screen, rnd *rand.Rand) (screen.Screen, string) {
	cells := make([][]screen.Cell, len(s.Cells))
	for y := range cells {
		cells[y] = slices.Clone(s.Cells[y])
	}
	s.Cells = cells
	kinds := []func(*screen.Screen, *rand.Rand) string{insertRow, deleteRow, glyph, colour, widen, footer, title}
	what := kinds[rnd.IntN(len(kinds))](&s, rnd)
	if rnd.IntN(3) == 0 {
		what += ", " + kinds[rnd.IntN(len(kinds))](&s, rnd)
	}
	return s, what
}

func text(s *screen.Screen, str string) []screen.Cell {
	row := make([]screen.Cell, s.Cols)
	for x := range row {
		row[x] = screen.Cell{Text: " ", Width: 1}
	}
	for x, r := range []rune(str) {
		if x < s.Cols {
			row[x].Text = string(r)
		}
	}
	return row
}

// low prefers the lower rows, where the live region is.
func low(s *screen.Screen, rnd *rand.Rand) int {
	if rnd.IntN(2) == 0 {
		return rnd.IntN(s.Rows)
	}
	return s.Rows - 1 - rnd.IntN(min(s.Rows, 10))
}

func insertRow(s *screen.Screen, rnd *rand.Rand) string {
	y := low(s, rnd)
	words := []string{"", "  some text", "────────", "❯ \u00a0", "  ⏸ manual mode on · ? for shortcuts", "› ", "$ "}
	w := words[rnd.IntN(len(words))]
	s.Cells = slices.Insert(s.Cells, y, text(s, w))[:s.Rows]
	return fmt.Sprintf("row %d %q inserted", y, w)
}

func deleteRow(s *screen.Screen, rnd *rand.Rand) string {
	// The rows of a draft are the person's text: without them the frame is idle.
	y := low(s, rnd)
	if y == s.Cursor.Y {
		return "nothing"
	}
	s.Cells = append(slices.Delete(s.Cells, y, y+1), text(s, ""))
	return fmt.Sprintf("row %d deleted", y)
}

func glyph(s *screen.Screen, rnd *rand.Rand) string {
	glyphs := []string{"❯", ">", "›", "\u00a0", "─", "x", "│", "!", "…", "●"}
	for range 50 {
		x, y := rnd.IntN(s.Cols), low(s, rnd)
		if rnd.IntN(2) == 0 {
			x = rnd.IntN(min(s.Cols, 6))
		}
		if s.Cells[y][x].Text != " " && s.Cells[y][x].Width == 1 {
			g := glyphs[rnd.IntN(len(glyphs))]
			s.Cells[y][x].Text = g
			return fmt.Sprintf("glyph %d,%d is %q", x, y, g)
		}
	}
	return "nothing"
}

func colour(s *screen.Screen, rnd *rand.Rand) string {
	y, n := low(s, rnd), uint8(rnd.IntN(256))
	bg := rnd.IntN(4) == 0
	for x := range s.Cells[y] {
		c := screen.Color{Kind: screen.Indexed, R: n}
		if bg {
			s.Cells[y][x].BG = c
		} else {
			s.Cells[y][x].FG = c
		}
	}
	return fmt.Sprintf("row %d in colour %d", y, n)
}

func widen(s *screen.Screen, rnd *rand.Rand) string {
	cols := max(20, s.Cols+rnd.IntN(21)-10)
	for y := range s.Cells {
		for len(s.Cells[y]) < cols {
			s.Cells[y] = append(s.Cells[y], screen.Cell{Text: " ", Width: 1})
		}
		s.Cells[y] = s.Cells[y][:cols]
	}
	s.Cols = cols
	return fmt.Sprintf("%d columns", cols)
}

func footer(s *screen.Screen, rnd *rand.Rand) string {
	words := []string{"  ⏸ manual mode on · ? for shortcuts", "  ? for shortcuts", "", "  Esc to cancel", "↑1 0.0%/128k (auto)   stub-model"}
	w := words[rnd.IntN(len(words))]
	for y := s.Rows - 1; y > 0; y-- {
		if s.Row(y) != "" {
			if y != s.Cursor.Y {
				s.Cells[y] = text(s, w)
			}
			return fmt.Sprintf("footer row %d is %q", y, w)
		}
	}
	return "nothing"
}

func title(s *screen.Screen, rnd *rand.Rand) string {
	titles := []string{"", "✳ Claude Code", "⠋ busy", "project", "π - work"}
	s.Title = titles[rnd.IntN(len(titles))]
	return fmt.Sprintf("title %q", s.Title)
}
