package practice

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"pgregory.net/rapid"
)

func TestKeysAreNamed(t *testing.T) {
	for in, want := range map[string][]string{
		"a ä\r\n":             {"a", "space", "ä", "enter", "ctrl-j"},
		"\x1b[A\x1b[1~\x1bOF": {"up", "home", "end"},
		"\x1b":                {"escape"},
		"\x1b\r\x1bx":         {"alt-enter", "alt-x"},
		"\x15\x03\x7f\x08\t":  {"ctrl-u", "ctrl-c", "backspace", "backspace", "tab"},
		"\x1b[1;5Cx":          {"unknown", "x"},
		"\x1b\x1b[A":          {"escape", "up"},
		"\xff\xc3":            {"byte-ff", "byte-c3"},
	} {
		var d decoder
		var got []string
		for _, k := range append(d.feed([]byte(in), false), d.feed(nil, true)...) {
			got = append(got, k.key)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// However the stream is cut, the same keys and pastes come out, and no byte is
// lost or made up.
func FuzzDecoder(f *testing.F) {
	f.Add([]byte("a\x1b[200~p\x1b[20\x1b[201~\r\x1b[Aä"), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, cut uint8) {
		n := int(cut) % (len(b) + 1)
		var whole, parts decoder
		want := append(whole.feed(b, false), whole.feed(nil, true)...)
		got := append(parts.feed(b[:n], false), parts.feed(b[n:], false)...)
		got = append(got, parts.feed(nil, true)...)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q cut at %d: %v, want %v", b, n, got, want)
		}
		var back []byte
		for _, in := range got {
			if in.paste {
				in.raw = append(append([]byte("\x1b[200~"), in.raw...), "\x1b[201~"...)
			}
			back = append(back, in.raw...)
		}
		if !strings.HasPrefix(string(b), string(back)) {
			t.Fatalf("%q came out as %q", b, back)
		}
	})
}

func TestBoxKeepsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := clean([]byte(rapid.String().Draw(t, "text")))
		width := rapid.IntRange(1, 90).Draw(t, "width")
		var e editor
		e.insert(text)
		if e.text() != text {
			t.Fatalf("box holds %q", e.text())
		}
		l := e.wrap(width)
		for _, row := range l.rows {
			if w, n := wide(row); w > max(width, tabCells) && n > 1 {
				t.Fatalf("row %q is %d wide, limit %d", row, w, width)
			}
		}
		if w, _ := wide(l.rows[l.y]); l.y != len(l.rows)-1 || l.x != w {
			t.Fatalf("cursor %d,%d of %q", l.x, l.y, l.rows)
		}
		for !e.empty() {
			e.backspace()
		}
	})
}

// wide is how many columns a row takes, and of how many graphemes it is.
func wide(row string) (columnsOf, n int) {
	for g := graphemes.FromString(row); g.Next(); n++ {
		columnsOf += columns(g.Value())
	}
	return columnsOf, n
}

func TestWindowHoldsTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		y := rapid.IntRange(0, n-1).Draw(t, "y")
		from, to := window(n, limit, y)
		if from < 0 || to > n || y < from || y >= to || to-from != min(n, limit) {
			t.Fatalf("%d..%d", from, to)
		}
	})
}

func TestCommandNeedsASlashInFront(t *testing.T) {
	for text, want := range map[string]string{
		"/quit": "quit", "/draft a b": "draft", "lead: /quit [#abcd]": "", " /quit": "", "/usr/bin": "", "/": "-",
	} {
		name, _, ok := command(text)
		if want == "" && ok || want != "" && (!ok || name != strings.Trim(want, "-")) {
			t.Errorf("%q: %q %v", text, name, ok)
		}
	}
}

func TestCleanIsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := clean(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\x1b\r\x00\x7f") {
			t.Fatalf("%q", s)
		}
	})
}
