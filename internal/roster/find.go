package roster

import (
	"context"
	"errors"
	"slices"
	"strings"

	"parley"
	"parley/internal/dialect"
	"parley/internal/term"
	"parley/internal/term/tmux"
)

// Sighting is an agent that stands in a pane of a tmux server now.
type Sighting struct {
	Agent  Agent
	Target term.Target
	Place  term.Identity
	Tmux   string        // name of the tmux session it stands in
	Why    parley.Reason // not empty if it is suspended
}

// Sightings lists every known CLI in every pane of a server. A server that is
// not running has none.
func Sightings(ctx context.Context, set dialect.Set, socket string) ([]Sighting, error) {
	panes, err := tmux.Server{Socket: socket}.Panes(ctx)
	if errors.Is(err, term.ErrNoPane) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Sighting
	for _, p := range panes {
		s := Sighting{Target: p.Target, Place: p.Identity, Tmux: p.Session}
		again := func(o Sighting) bool { return o.Target == s.Target && o.Tmux == s.Tmux }
		if p.Dead || slices.ContainsFunc(out, again) { // its window is linked into the tmux session twice
			continue
		}
		if s.Agent, s.Why, err = Identify(set, p.Identity); err != nil {
			return nil, err
		}
		if s.Why != parley.ReasonNotAnAgent {
			out = append(out, s)
		}
	}
	return out, nil
}

// BySession returns the one agent in the tmux session of that name. With none
// the reason is no-agent, with several ambiguous.
func BySession(ctx context.Context, set dialect.Set, socket string, n parley.Name) (Sighting, parley.Reason, error) {
	all, err := Sightings(ctx, set, socket)
	if err != nil {
		return Sighting{}, "", err
	}
	var hits []Sighting
	for _, s := range all {
		if strings.EqualFold(s.Tmux, string(n)) {
			hits = append(hits, s)
		}
	}
	switch len(hits) {
	case 0:
		return Sighting{}, parley.ReasonNoAgent, nil
	case 1:
		return hits[0], "", nil
	}
	return Sighting{}, parley.ReasonAmbiguous, nil
}

// Member makes the roster line of a sighting.
func (s Sighting) Member(kind string, n parley.Name) Member {
	return Member{Kind: kind, Name: n, CLI: s.Agent.Dialect.CLI, Version: s.Agent.Version,
		Target: s.Target, Identity: s.Agent.Identity}
}
