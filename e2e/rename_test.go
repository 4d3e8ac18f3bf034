package e2e

import (
	"testing"

	"parley"
)

// TestRenamedSession: a tmux session's name belongs to whoever bears it now. An
// agent that was found under it keeps it only while nobody else does. H28.
func TestRenamedSession(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	old := s.practice("web", "")
	s.wants(s.send("web", "first"), parley.Submitted, "")
	s.rig.Tmux("rename-session", "-t", "=web", "oldweb")
	s.wants(s.send("web", "nobody else bears the name"), parley.Submitted, "")
	anew := s.practice("web2", "")
	s.rig.Tmux("rename-session", "-t", "=web2", "web")
	old.mark()
	anew.mark()
	r := s.send("web", "for whom?")
	s.wants(r, parley.Gone, parley.ReasonWrongProcess)
	old.agrees(r)
	anew.agrees(r)
	s.parley("status") // takes up the one that bears the name now
	r = s.send("web", "for the new one")
	s.wants(r, parley.Submitted, "")
	anew.agrees(r)
	if n := old.count("paste", nil); n != 0 {
		t.Errorf("%d pastes went to the agent that bore the name before", n)
	}
}
