package vt

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"parley/internal/screen"
)

// TestANSIReadsBack writes every captured frame and reads the same cells back.
func TestANSIReadsBack(t *testing.T) {
	files, err := filepath.Glob("../dialect/testdata/frames/*/*/*.ansi")
	if err != nil || len(files) < 500 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, cols := range []int{120, 40} {
			checkBack(t, f, Capture(text, cols, 50, screen.Cursor{}, false, ""))
		}
	}
}

func TestANSIOfOddCells(t *testing.T) {
	for _, in := range []string{
		"", "a", "\x1b[7m \x1b[0m", "\x1b[31mfull", "漢字漢", "a漢", "e\u0301\x1b[1mx", "👨\u200d👩\u200d👧 x", "\x1b[1;2;3;4;5;7;8;9mx",
		"\x1b[38;2;1;2;3;48;5;200mx\n\ny", "x\x1b[41m\n\x1b[0m", "a\tb",
	} {
		checkBack(t, in, Capture([]byte(in), 5, 3, screen.Cursor{X: 1}, true, "t"))
	}
}

func checkBack(t *testing.T, what string, s screen.Screen) {
	t.Helper()
	got := Capture(ANSI(s), s.Cols, s.Rows, s.Cursor, s.Alternate, s.Title)
	if !reflect.DeepEqual(got, s) {
		for y := range s.Rows {
			for x := range s.Cols {
				if got.Cell(x, y) != s.Cell(x, y) {
					t.Fatalf("%s: column %d, row %d: %+v, want %+v", what, x, y, got.Cell(x, y), s.Cell(x, y))
				}
			}
		}
	}
}
