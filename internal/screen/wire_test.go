package screen

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestWire(t *testing.T) {
	texts := []string{"", " ", "a", "漢", "e\u0301", "👨\u200d👩\u200d👧", strings.Repeat("x", 62), strings.Repeat("x", 63), strings.Repeat("x", 300)}
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		s := Screen{Cols: 1 + rnd.IntN(20), Rows: 1 + rnd.IntN(10)}
		var looks Cell
		for range s.Rows {
			row := make([]Cell, s.Cols)
			for x := range row {
				if rnd.IntN(4) == 0 {
					looks = Cell{Attr: Attr(rnd.IntN(1 << 9)), FG: Color{RGB, 1, 2, byte(rnd.IntN(9))}, BG: Color{Kind: Indexed, R: byte(rnd.IntN(256))}}
				}
				row[x] = looks
				row[x].Text, row[x].Width = texts[rnd.IntN(len(texts))], rnd.IntN(3)
			}
			s.Cells = append(s.Cells, row)
		}
		b := s.Append(nil)
		got, err := Cells(b, s.Cols, s.Rows)
		if err != nil || !reflect.DeepEqual(got, s.Cells) {
			t.Fatalf("%v\n%+v\n%+v", err, got, s.Cells)
		}
		for n := range b {
			if _, err := Cells(b[:n], s.Cols, s.Rows); err == nil {
				t.Fatalf("%d of %d bytes were taken for a picture", n, len(b))
			}
		}
		if _, err := Cells(append(b, 0), s.Cols, s.Rows); err == nil {
			t.Fatal("a byte too many")
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add([]byte{5, 'a', 0}, 1, 1)
	f.Fuzz(func(t *testing.T, b []byte, cols, rows int) {
		cells, err := Cells(b, cols, rows)
		if err != nil {
			return
		}
		again, err := Cells(Screen{Cols: cols, Rows: rows, Cells: cells}.Append(nil), cols, rows)
		if err != nil || !reflect.DeepEqual(again, cells) {
			t.Errorf("%v: %+v %+v", err, again, cells)
		}
	})
}
