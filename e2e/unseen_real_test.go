//go:build real

package e2e

import (
	"testing"

	"parley/e2e/rig"
)

// TestRealUnseen: a text that the screen cannot show whole arrives at the model
// once, and the receipt is as sure as any other. Narrow boxes wrap it at other
// places.
func TestRealUnseen(t *testing.T) {
	for _, cli := range []rig.CLI{
		{Name: "claude", Version: "2.1.332"}, {Name: "codex", Version: "0.171.0"}, {Name: "pi", Version: "1.6.0"},
	} {
		for _, cols := range []int{120, 81, 60}[:times(1, 2, 3)] {
			t.Run(cli.String()+", columns "+itoa(cols), func(t *testing.T) {
				s := newStage(t)
				a := s.rig.Start(cli, rig.Opts{Session: "agent", Cols: cols})
				for _, one := range unseen("u") {
					s.sendReal(a, one)
				}
				s.onceEach(a)
			})
		}
	}
}
