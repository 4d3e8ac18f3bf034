package roster

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"parley"
	"parley/internal/dialect"
	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/tmux"
)

// Where says where agents are looked for.
type Where struct {
	Tmux  string // socket of a tmux server
	Hosts string // folder of parley's own hosts: see host.Dir
	Team  string // whose hosts they are
}

// Sighting is an agent that stands in a pane of a tmux server, or in a host,
// now.
type Sighting struct {
	Agent  Agent
	Target term.Target
	Place  term.Identity
	Tmux   string        // name of the tmux session it stands in, or of the host
	Why    parley.Reason // not empty if it is suspended
}

// Sightings lists every known CLI in every pane of the tmux server and in every
// host of the team. A server that is not running has none, nor has a machine
// without tmux.
func Sightings(ctx context.Context, set dialect.Set, w Where) ([]Sighting, error) {
	panes, err := tmux.Server{Socket: w.Tmux}.Panes(ctx)
	if err != nil && !errors.Is(err, term.ErrNoPane) && !errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	out, err := inPanes(set, panes)
	if err != nil {
		return nil, err
	}
	hosts, err := host.List(ctx, w.Hosts)
	if err != nil {
		return nil, err
	}
	for _, h := range hosts {
		s := Sighting{Target: h.Target, Place: h.Identity, Tmux: h.Name}
		if h.Team != w.Team {
			continue
		}
		if s.Agent, s.Why, err = Identify(set, h.Identity); err != nil {
			return nil, err
		}
		if s.Why != parley.ReasonNotAnAgent {
			out = append(out, s)
		}
	}
	return out, nil
}

func inPanes(set dialect.Set, panes []tmux.PaneInfo) (out []Sighting, err error) {
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

// InSession returns every agent in the tmux sessions and hosts of that name,
// whose case does not count.
func InSession(ctx context.Context, set dialect.Set, w Where, n parley.Name) (hits []Sighting, err error) {
	all, err := Sightings(ctx, set, w)
	for _, s := range all {
		if strings.EqualFold(s.Tmux, string(n)) {
			hits = append(hits, s)
		}
	}
	return hits, err
}

// BySession returns the one agent in the tmux session or host of that name.
// With none the reason is no-agent, with several ambiguous.
func BySession(ctx context.Context, set dialect.Set, w Where, n parley.Name) (Sighting, parley.Reason, error) {
	hits, err := InSession(ctx, set, w, n)
	switch {
	case err != nil:
		return Sighting{}, "", err
	case len(hits) == 0:
		return Sighting{}, parley.ReasonNoAgent, nil
	case len(hits) > 1:
		return Sighting{}, parley.ReasonAmbiguous, nil
	}
	return hits[0], "", nil
}

// Name is the name that its tmux session gives an agent that is alone in it, or
// its host.
func (s Sighting) Name() (parley.Name, error) {
	if strings.HasPrefix(s.Tmux, "@") { // where a person names an agent that is no part of the name
		return "", fmt.Errorf("%q is not a name: it begins with @", s.Tmux)
	}
	return parley.ParseName(s.Tmux)
}

// Member makes the roster line of a sighting.
func (s Sighting) Member(kind string, n parley.Name) Member {
	return Member{Kind: kind, Name: n, CLI: s.Agent.Dialect.CLI, Version: s.Agent.Version,
		Target: s.Target, Identity: s.Agent.Identity}
}
