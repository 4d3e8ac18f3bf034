package vt

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/screen"
)

func TestCaptureKeepsTheCellBehindTrailingSGR(t *testing.T) {
	s := Capture([]byte("\x1b[39m❯\u00a0\x1b[7m\n\x1b[0mx\n\ny\x1b[1m\n"), 10, 4, screen.Cursor{X: 2}, false, "t")
	if got := s.Cell(2, 0); got.Attr != screen.Reverse || got.Text != " " {
		t.Errorf("cursor cell %+v", got)
	}
	if got := s.Cell(3, 0); got != blank {
		t.Errorf("cell behind the cursor %+v", got)
	}
	if s.Row(1) != "x" || s.Cell(0, 1).Attr != 0 || s.Row(2) != "" || s.Cell(0, 2) != blank || s.Row(3) != "y" {
		t.Errorf("rows %q %q %q", s.Row(1), s.Row(2), s.Row(3))
	}
}

func TestCaptureColumns(t *testing.T) {
	for in, want := range map[string]int{ // columns before the bar, as tmux 3.3a counts
		"abc|": 3, "漢字|": 4, "e\u0301|": 1, "👨\u200d👩\u200d👧|": 2, "👍\U0001f3fd|": 4, "❤\ufe0f|": 1,
		"1\ufe0f\u20e3|": 1, "🇩🇪|": 2, "a\u200bb|": 2, "\u200bb|": 1, "a\tb|": 9, "\x0elq\x0f|": 2,
		"\x1b]8;;http://x\x1b\\lin\x1b]8;;\x07k|": 4, "\u202eabc|": 3,
	} {
		s := Capture([]byte(in), 20, 1, screen.Cursor{}, false, "")
		if s.Cell(want, 0).Text != "|" {
			t.Errorf("%q: row %q, bar not at %d", in, s.Row(0), want)
		}
	}
}

func TestCaptureColours(t *testing.T) {
	s := Capture([]byte("\x1b[1;38;5;244;48;2;1;2;3ma\x1b[38:2::9:8:7mb\x1b[22;39;49mc\x1b[93md\x1b[4:0;21me"), 5, 1, screen.Cursor{}, false, "")
	want := []screen.Cell{
		{Text: "a", Width: 1, Attr: screen.Bold, FG: indexed(244), BG: screen.Color{Kind: screen.RGB, R: 1, G: 2, B: 3}},
		{Text: "b", Width: 1, Attr: screen.Bold, FG: screen.Color{Kind: screen.RGB, R: 9, G: 8, B: 7}, BG: screen.Color{Kind: screen.RGB, R: 1, G: 2, B: 3}},
		{Text: "c", Width: 1}, {Text: "d", Width: 1, FG: indexed(11)}, {Text: "e", Width: 1, FG: indexed(11), Attr: screen.Underline},
	}
	for x, w := range want {
		if got := s.Cell(x, 0); got != w {
			t.Errorf("column %d: %+v, want %+v", x, got, w)
		}
	}
}

func TestScreenDoesNotChangeLater(t *testing.T) {
	e := New(10, 2)
	defer e.Close()
	_, _ = e.Write([]byte("before"))
	s := e.Screen()
	_, _ = e.Write([]byte("\rAFTER\x1b[1;1H"))
	if s.Row(0) != "before" || s.Cursor.X != 6 {
		t.Errorf("%q %+v", s.Row(0), s.Cursor)
	}
}

func TestEmulatorAnswers(t *testing.T) {
	e := New(10, 2)
	var got bytes.Buffer
	e.ReplyTo(&got)
	_, _ = e.Write([]byte("abc\x1b[6n"))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if got.String() != "\x1b[1;4R" {
		t.Errorf("answer %q", got.String())
	}
	silent := New(10, 2)
	_, _ = silent.Write([]byte("\x1b[6n\x1b[c"))
	_ = silent.Close()
}

func FuzzCapture(f *testing.F) {
	f.Add([]byte("\x1b[7m \x1b]8;;x\x07漢\u200d\n\x0eq"), 10, 3)
	f.Fuzz(func(t *testing.T, in []byte, cols, rows int) {
		cols, rows = cols&0xff, rows&0x3f
		s := Capture(in, cols, rows, screen.Cursor{}, false, "")
		if len(s.Cells) != rows {
			t.Fatal(len(s.Cells))
		}
		for y := range s.Cells {
			for x, c := range s.Cells[y] {
				if c.Width == 2 && (x+1 >= cols || s.Cells[y][x+1].Width != 0) {
					t.Fatalf("wide cell %d,%d without its second half", x, y)
				}
			}
		}
	})
}

func BenchmarkCapture(b *testing.B) {
	frame := []byte(strings.Repeat("\x1b[38;5;244m"+strings.Repeat("─", 60)+"\x1b[1mtext and more of it, up to the right edge of the screen!!!\x1b[0m\n", 40))
	if files, _ := filepath.Glob("../dialect/testdata/frames/*/*/*.ansi"); len(files) > 0 {
		frame, _ = os.ReadFile(files[0])
	}
	for b.Loop() {
		Capture(frame, 120, 40, screen.Cursor{}, false, "")
	}
}
