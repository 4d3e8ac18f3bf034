//go:build real

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"parley/e2e/rig"
)

// aStart is how many messages go to one start of a CLI: the conversation, which
// is sent whole with each request, must stay short.
const aStart = 50

// TestPersonReal is TestPerson at the real CLIs. What arrived is what the model
// was given.
func TestPersonReal(t *testing.T) {
	for _, c := range []struct {
		cli               rig.CLI
		short, long, full int // sends in each of the two ways
	}{
		{rig.CLI{Name: "claude", Version: "2.1.332"}, 2, 8, 300},
		{rig.CLI{Name: "codex", Version: "0.171.0"}, 1, 4, 50},
		{rig.CLI{Name: "pi", Version: "1.6.0"}, 1, 4, 50},
	} {
		for _, how := range []string{"attached", "bare"} {
			where := c.cli.String() + " " + how
			t.Run(where, func(t *testing.T) {
				var sum tally
				for n, seed := times(c.short, c.long, c.full), uint64(1); n > 0; n, seed = n-aStart, seed+1 {
					t.Run(fmt.Sprint("start ", seed), func(t *testing.T) {
						s := newStage(t)
						a := s.rig.Start(c.cli, rig.Opts{Session: "agent"})
						d := &desk{stage: s, name: "agent", pane: a.Pane, see: a.See, arrived: func() []string { return prompts(a) }}
						sum = sum.plus(d.share(how, seed, min(n, aStart)))
					})
				}
				sum.report(t, where)
			})
		}
	}
}

// prompts are the texts of the user in the longest conversation that reached
// the model, but for those that CLIs add by themselves.
func prompts(a *rig.Agent) (texts []string) {
	for _, p := range a.Stub.Prompts() {
		if p.Side || len(p.Users) < len(texts) {
			continue
		}
		texts = p.Users
	}
	var own []string
	for _, text := range texts {
		if !strings.HasPrefix(text, "<") && !strings.HasPrefix(text, "# AGENTS.md") {
			own = append(own, text)
		}
	}
	return own
}
