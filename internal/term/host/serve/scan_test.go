package serve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestReports: what a terminal says by itself is told from a person's keys.
func TestReports(t *testing.T) {
	for in, report := range map[string]bool{
		"a": false, "é": false, "\r": false, "\x1bOA": false, "\x1b[A": false, "\x1b[1;5C": false, "\x1b[3~": false, "\x1bx": false, "\x1b\r": false,
		"\x1b[I": true, "\x1b[O": true, "\x1b[?62;22c": true, "\x1b[>1;10;0c": true, "\x1b[?1u": true, "\x1b[97;5u": false, "\x1b[13;2u": false,
		"\x1b[24;80R": true, "\x1b[1;2R": false, "\x1b[?1;2R": true, "\x1b[0n": true, "\x1b[?997;1n": true, "\x1b[?2026;2$y": true, "\x1b[8;40;120t": true,
		"\x1b]11;rgb:0000/0000/0000\x1b\\": true, "\x1b]11;rgb:0000/0000/0000\x07": true, "\x1bP>|xterm\x1b\\": true, "\x1b_Gi=1;OK\x1b\\": true,
		"\x1b[<35;10;10M": true, "\x1b[<0;10;10M": false, "\x1b[<64;10;10M": false, "\x1b[<0;10;10m": false,
	} {
		var s scanner
		got := s.split([]byte(in), true)
		if len(got) != 1 || got[0].report != report || string(got[0].bytes) != in || s.midway() {
			t.Errorf("%q: %+v, midway %v, want report %v", in, got, s.midway(), report)
		}
	}
}

// TestSplit: wherever the bytes are cut, all of them come, in order, and a
// report that was not cut is known as one.
func TestSplit(t *testing.T) {
	pieces := []string{"abc", "\r", "\x1b[A", "\x1b[24;80R", "\x1b]11;rgb:0/0/0\x07", "\x1b[200~pasted \x1b[A \x1b[20 text\x1b[201~", "\x1b", "\x1b\x1b[B", "\x1bOP", "é漢"}
	for seed := range 2000 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		var in strings.Builder
		for range 1 + rnd.IntN(6) {
			in.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		for _, pass := range []bool{true, false} {
			var s scanner
			var out strings.Builder
			for b := []byte(in.String()); len(b) > 0; {
				n := 1 + rnd.IntN(len(b))
				for _, tk := range s.split(slices.Clone(b[:n]), pass) {
					out.Write(tk.bytes)
				}
				b = b[n:]
			}
			out.Write(s.release())
			if out.String() != in.String() {
				t.Fatalf("pass %v: %q became %q", pass, in.String(), out.String())
			}
		}
	}
}

// TestMidway: a key, a report or a paste of which the agent has a part.
func TestMidway(t *testing.T) {
	for in, want := range map[string]bool{"a": false, "\x1b": true, "\x1b[1;": true, "\x1b[200~text": true, "\x1b[200~text\x1b[20": true, "\x1b[200~x\x1b[201~": false, "\x1b]11;": true} {
		var passed, held scanner
		passed.split([]byte(in), true)
		held.split([]byte(in), false)
		if passed.midway() != want || held.midway() {
			t.Errorf("%q: passed %v, held %v", in, passed.midway(), held.midway())
		}
		held.release()
		if held.midway() != want {
			t.Errorf("%q: released %v", in, held.midway())
		}
	}
}
