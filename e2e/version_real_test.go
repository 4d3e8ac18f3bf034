//go:build real

package e2e

import (
	"encoding/json"
	"testing"

	"parley/e2e/rig"
)

// TestVersionIsKnown: which boxes and which key are a CLI's depends on its
// version, which is read from its files without asking it.
func TestVersionIsKnown(t *testing.T) {
	for _, cli := range rig.All[times(5, 0, 0):] { // the last two run under an interpreter
		t.Run(cli.String(), func(t *testing.T) {
			s := newStage(t)
			s.rig.Start(cli, rig.Opts{Session: "agent"})
			var st struct{ Version string }
			if out := s.parley("status", "agent", "--json").out; json.Unmarshal([]byte(out), &st) != nil || st.Version != cli.Version {
				t.Errorf("version %q, want %s: %s", st.Version, cli.Version, out)
			}
		})
	}
}
