package vt

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestPaint: a terminal to which a picture is painted shows the same, and goes
// on as the first one would. In origin mode the cursor can stand where no
// sequence takes it: left out.
func TestPaint(t *testing.T) {
	pieces := slices.DeleteFunc(slices.Clone(pieces), func(p string) bool { return p == "\x1b[?6h" })
	for seed := range 3000 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 9))
		out := randomOutput(rnd, pieces)
		one, two := New(testCols, testRows), New(testCols, testRows)
		one.Write([]byte(out))
		two.Write([]byte("left over\x1b[5;5H\x1b[31m"))
		two.Write(one.Paint(seed%2 == 0))
		if diff := difference(one.Screen(), two.Screen()); diff != "" || one.Modes() != two.Modes() {
			t.Fatalf("seed %d: %q\npainted %q\n%s", seed, out, one.Paint(false), diff)
		}
		next := randomOutput(rnd, whole)
		one.Write([]byte(next))
		two.Write([]byte(next))
		if diff := difference(one.Screen(), two.Screen()); diff != "" {
			t.Fatalf("seed %d: %q, then %q\npainted %q\n%s", seed, out, next, one.Paint(false), diff)
		}
	}
}

// TestUndo: no mode of the program is left on the terminal.
func TestUndo(t *testing.T) {
	e := New(testCols, testRows)
	start := e.modes
	e.Write([]byte("\x1b[?1049h\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b[?1h\x1b[>7u\x1b[>1u\x1b[>4;2m\x1b=\x1b[4 q\x1b[4h\x1b[?7l\x1b[?25l\x1b[2;4r\x1b[31m\x1b(0\x0e"))
	e.Write(e.Undo())
	e.private, e.kitty = nil, nil // empty by now, as TestUndo's end shows
	if !reflect.DeepEqual(e.modes, start) || e.pen != (pen{}) || e.page != e.main || e.top != 0 || e.bottom != testRows-1 || e.sets[0] || e.shift != 0 {
		t.Errorf("%+v %+v, region %d to %d, %v %d", e.modes, e.pen, e.top, e.bottom, e.sets, e.shift)
	}
}

// TestSplitWrites: where the bytes are cut makes no difference.
func TestSplitWrites(t *testing.T) {
	for seed := range 500 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 11))
		out := randomOutput(rnd, pieces) + randomOutput(rnd, whole)
		one, two := New(testCols, testRows), New(testCols, testRows)
		one.Write([]byte(out))
		for b := []byte(out); len(b) > 0; {
			n := 1 + rnd.IntN(min(len(b), 7))
			two.Write(b[:n])
			b = b[n:]
		}
		if diff := difference(one.Screen(), two.Screen()); diff != "" {
			t.Fatalf("seed %d: %q: %s", seed, out, diff)
		}
	}
}

// TestPaintHistory: what was scrolled off stands in the other terminal's own
// history, in order, and there is an end to how much.
func TestPaintHistory(t *testing.T) {
	for _, lines := range []int{3, testRows, testRows + 3, 50, 3 * History} {
		one, two := New(testCols, testRows), New(testCols, testRows)
		for i := range lines {
			fmt.Fprintf(one, "line %d\r\n", i)
		}
		two.Write(one.Paint(true))
		a, b := texts(one), texts(two)
		if !slices.Equal(a, b) || len(a) != min(lines-testRows+1, History) && lines >= testRows {
			t.Errorf("%d lines: %d rows of history became %d: %.200q %.200q", lines, len(a), len(b), a, b)
		}
	}
}

func texts(e *Emulator) (all []string) {
	for _, r := range e.main.past() {
		var b strings.Builder
		for _, c := range r.cells {
			b.WriteString(e.textOf(c))
		}
		all = append(all, strings.TrimRight(b.String(), " "))
	}
	return all
}

// BenchmarkWrite is what `cat` of a long text costs.
func BenchmarkWrite(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "line %d: the quick brown fox jumps over the lazy dog\r\n", i)
	}
	e := New(120, 40)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		e.Write([]byte(text.String()))
	}
}

// BenchmarkScreen is one picture of a usual size.
func BenchmarkScreen(b *testing.B) {
	e := New(120, 40)
	for range 40 {
		fmt.Fprint(e, "the quick brown fox jumps over the lazy dog\r\n")
	}
	for b.Loop() {
		e.Screen()
	}
}
