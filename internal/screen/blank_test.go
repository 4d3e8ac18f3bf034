package screen

import (
	"strings"
	"testing"
)

func TestBlanked(t *testing.T) {
	row := []Cell{{"A", 1, Bold, Color{}, Color{}}, {"é", 1, 0, Color{}, Color{}}, {"e\u0301", 1, Dim, Color{}, Color{}}, {"7", 1, 0, Color{}, Color{}},
		{"漢", 2, 0, Color{}, Color{}}, {"", 0, 0, Color{}, Color{}}, {"❯", 1, Reverse, Color{}, Color{}}, {"\u00a0", 1, 0, Color{}, Color{}},
		{"/", 1, 0, Color{}, Color{}}, {"⠋", 1, 0, Color{}, Color{}}, {"👍", 2, 0, Color{}, Color{}}, {"", 0, 0, Color{}, Color{}}, {"ｱ", 1, 0, Color{}, Color{}}}
	s := Screen{Cols: len(row), Rows: 2, Cells: [][]Cell{row, row}}
	got := s.Blanked(func(x, y int) bool { return y == 1 && x < 2 })
	if want := "xxx0字❯\u00a0/⠋👍x"; got.Row(0) != want {
		t.Errorf("%q, want %q", got.Row(0), want)
	}
	if want := "Aéx0字❯\u00a0/⠋👍x"; got.Row(1) != want {
		t.Errorf("%q, want %q", got.Row(1), want)
	}
	for x, c := range got.Cells[0] {
		if c.Attr != row[x].Attr || c.Width != row[x].Width {
			t.Errorf("column %d: %+v of %+v", x, c, row[x])
		}
	}
	if !strings.HasPrefix(s.Row(0), "Aé") {
		t.Error("the screen itself was changed")
	}
	if got := BlankText("✳ Café e\u0301 v2.1 漢"); got != "✳ xxxx x x0.0 x" {
		t.Errorf("%q", got)
	}
}
