//go:build real

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"parley/e2e/rig"
)

// lines470 is as much as Gemini CLI shows as it is.
var lines470 = strings.TrimSpace(strings.Repeat("word ", 88))

// TestRealGeminiSubmits: an Enter within 40 ms of a paste is a newline to
// Gemini CLI, and its box is drawn late. No message is left in the box. H03, H06.
func TestRealGeminiSubmits(t *testing.T) {
	s := newStage(t)
	n := times(0, 20, 100)
	if n == 0 {
		t.Log("the long run installs this CLI")
		return
	}
	a := s.rig.Start(rig.CLI{Name: "gemini", Version: "0.61.0"}, rig.Opts{Session: "agent"})
	bodies := []string{"please rebase onto main", lines(3), lines(40), lines470}
	again := 0
	for i := range n {
		r := s.sendReal(a, text{fmt.Sprint("send ", i), fmt.Sprintf("%s (%d)", bodies[i%len(bodies)], i)})
		again += strings.Count(s.parley("log", string(r.ID), "--json").out, `"step":"again"`)
	}
	a.Ready()
	s.onceEach(a)
	t.Logf("RESULT gemini: %d of %d submitted once and whole, %d by a second Enter", n, n, again)
}

// TestRealQwenWhole: an Enter before Qwen Code has drawn its box anew sends the
// token that stands for a long paste instead of the paste. None is sent. H10.
func TestRealQwenWhole(t *testing.T) {
	s := newStage(t)
	n := times(0, 20, 100)
	if n == 0 {
		t.Log("the long run installs this CLI")
		return
	}
	a := s.rig.Start(rig.CLI{Name: "qwen", Version: "0.24.4"}, rig.Opts{Session: "agent"})
	bodies := []string{lines(40), strings.Repeat("0123456789 ", 460), strings.Repeat("All work and no play. ", 1860)}
	for i := range n {
		s.sendReal(a, text{fmt.Sprint("send ", i), fmt.Sprintf("%s (%d)", bodies[i%len(bodies)], i)})
	}
	for _, p := range a.Stub.Prompts() {
		if strings.Contains(p.Text, "[Pasted Content ") {
			t.Errorf("a token was sent for its text: %.200q", p.Text)
		}
	}
	s.onceEach(a)
	t.Logf("RESULT qwen: %d of %d long texts whole and once, no token in the place of one", n, n)
}
