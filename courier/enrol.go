package courier

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"parley"
	"parley/internal/proc"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/tmux"
)

// Enrolment is what `join` says about an agent.
type Enrolment struct {
	Name    parley.Name // "" = the name of the pane's tmux session
	Target  term.Target
	CLI     string // "" = as recognised
	Purpose string
}

// Join writes the agent that runs in a pane into the roster. A name that
// belongs to another live agent is refused.
func (c *Courier) Join(ctx context.Context, e Enrolment) (roster.Member, error) {
	s, err := c.sighting(ctx, e.Target)
	if err != nil {
		return roster.Member{}, err
	}
	if e.CLI != "" && e.CLI != s.Agent.Dialect.CLI {
		return roster.Member{}, Refusal{parley.ReasonNotAnAgent, fmt.Sprintf("pane %s runs %s, not %s", e.Target.Pane, s.Agent.Dialect.CLI, e.CLI)}
	}
	if e.Name == "" {
		if e.Name, err = s.Name(); err != nil {
			return roster.Member{}, Refusal{"", fmt.Sprintf("the tmux session %q gives no name: say one with --as NAME", s.Tmux)}
		}
	}
	if c.cfg.Person(e.Name) {
		return roster.Member{}, Refusal{parley.ReasonNameTaken, fmt.Sprintf("%s is the person: give the agent another name with --as NAME", e.Name)}
	}
	old, known, err := c.roster.Member(e.Name)
	if err != nil {
		return old, err
	}
	if known && old.Identity != s.Agent.Identity && c.stands(ctx, old) {
		return old, Refusal{parley.ReasonNameTaken, fmt.Sprintf("%s is a live agent in pane %s: choose another name, or `parley leave %s`", e.Name, old.Target.Pane, e.Name)}
	}
	m := s.Member(roster.Joined, e.Name)
	m.Purpose, m.At = e.Purpose, now()
	return m, c.roster.Write(ctx, m)
}

func (c *Courier) sighting(ctx context.Context, t term.Target) (roster.Sighting, error) {
	all, err := roster.Sightings(ctx, c.dialects, c.near(t))
	if err != nil {
		return roster.Sighting{}, err
	}
	for _, s := range all {
		if s.Target == t {
			return s, nil
		}
	}
	return roster.Sighting{}, Refusal{parley.ReasonNotAnAgent, fmt.Sprintf("no known agent runs in pane %s of %s (known: %v)", t.Pane, t.Socket, c.dialects.Names())}
}

// Leave takes a name off the roster and returns the line that says so. Its
// process stays without that name until it joins, also where the name was found.
func (c *Courier) Leave(ctx context.Context, n parley.Name) (roster.Member, error) {
	m, err := c.Resolve(ctx, n)
	if err != nil {
		return m, err
	}
	m.Kind, m.At = roster.Left, now()
	return m, c.roster.Write(ctx, m)
}

// Live reports whether a name belongs to an agent that runs now.
func (c *Courier) Live(ctx context.Context, n parley.Name) (bool, error) {
	if c.cfg.Person(n) {
		return false, nil
	}
	m, known, err := c.roster.Member(n)
	if err != nil {
		return false, err
	}
	if known {
		return c.stands(ctx, m), nil
	}
	hits, err := roster.InSession(ctx, c.dialects, c.Where(), n)
	if err != nil {
		return false, err
	}
	lines, err := c.roster.Lines()
	left := func(s roster.Sighting) bool { return roster.HasLeft(lines, n, s.Agent.Identity) }
	return len(slices.DeleteFunc(hits, left)) > 0, err
}

// stands reports whether the process that a line was written about still
// stands where it stood.
func (c *Courier) stands(ctx context.Context, m roster.Member) bool {
	line, err := c.cfg.Dial(m.Target)
	if err != nil {
		return false
	}
	seen, err := line.Look(ctx)
	if err != nil {
		return !errors.Is(err, term.ErrNoPane)
	}
	agent, _, err := c.cfg.Identify(c.dialects, seen.Identity)
	return err == nil && agent.Identity == m.Identity
}

// PaneAbove is the host or pane from which this process descends, panes of the
// given server only.
// Below a shared daemon there is none: it was started from whichever pane came
// first.
func (c *Courier) PaneAbove(ctx context.Context, socket string) (term.Target, bool, error) {
	up := proc.Ancestors(proc.Self())
	if roster.InDaemon(c.dialects, up) {
		return term.Target{}, false, nil
	}
	places, err := c.places(ctx, socket)
	if err != nil {
		return term.Target{}, false, err
	}
	for _, above := range append(up, proc.Process{PID: proc.Self()}) {
		if t, ok := places[above.PID]; ok {
			return t, true, nil
		}
	}
	return term.Target{}, false, nil
}

// places are all panes of a server and all hosts, by the process that runs
// there.
func (c *Courier) places(ctx context.Context, socket string) (map[int]term.Target, error) {
	panes, err := tmux.Server{Socket: socket}.Panes(ctx)
	if err != nil && !errors.Is(err, term.ErrNoPane) && !errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	all := map[int]term.Target{}
	for _, p := range panes {
		all[p.Identity.PanePID] = p.Target
	}
	hosts, err := host.List(ctx, c.Where().Hosts)
	for _, h := range hosts {
		all[h.Identity.PanePID] = h.Target
	}
	return all, err
}
