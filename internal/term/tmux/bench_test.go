package tmux

import (
	"context"
	"testing"

	"parley/internal/term"
	"parley/internal/term/termtest"
)

func BenchmarkLook(b *testing.B) {
	s := start(b, "box")
	p := s.pane("%0")
	for b.Loop() {
		look(b, p)
	}
}

func BenchmarkHold(b *testing.B) {
	s := start(b, "box")
	for b.Loop() {
		h, err := s.pane("%0").Hold(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		h.Release()
	}
}

func BenchmarkPaste(b *testing.B) {
	for name, texts := range map[string][]string{"one": {"hello"}, "two": {"lead: ", "hello"}} {
		b.Run(name, func(b *testing.B) {
			s := start(b, "reader") // draws nothing: one look holds for all pastes
			h := s.hold("%0")
			seen := look(b, h)
			for b.Loop() {
				if got, err := h.Paste(context.Background(), seen, texts...); got != term.Done {
					b.Fatal(got, err)
				}
			}
		})
	}
}

func BenchmarkPress(b *testing.B) {
	s := start(b, "reader")
	h := s.hold("%0")
	var seen term.Snapshot
	termtest.Until(b, "drawn", func() bool { seen = look(b, h); return seen.Screen.Row(0) == "ready" })
	for b.Loop() {
		if got, err := h.Press(context.Background(), seen, "Enter", "ready"); got != term.Done {
			b.Fatal(got, err)
		}
	}
}
