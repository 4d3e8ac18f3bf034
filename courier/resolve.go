package courier

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parley"
	"parley/internal/roster"
	"parley/internal/term/host"
	"parley/internal/term/tmux"
)

// Refusal is a send that was refused before anything was saved (exit 2).
type Refusal struct {
	Reason parley.Reason
	Say    string // a sentence that says what to do
}

func (r Refusal) Error() string { return r.Say }

// Refused tells a refusal from an error.
func Refused(err error) (Refusal, bool) {
	var r Refusal
	ok := errors.As(err, &r)
	return r, ok
}

// Resolve says where a name stands: the roster's word, else the one agent in
// the tmux session of that name, which is then written down as found.
func (c *Courier) Resolve(ctx context.Context, n parley.Name) (roster.Member, error) {
	if c.cfg.Person(n) {
		return roster.Member{}, Refusal{parley.ReasonNoAgent, fmt.Sprintf("%s is the person, no agent", n)}
	}
	m, known, err := c.roster.Member(n)
	if known || err != nil {
		return m, err
	}
	hits, err := roster.InSession(ctx, c.dialects, c.Where(), n)
	if err != nil {
		return roster.Member{}, err
	}
	lines, err := c.roster.Lines()
	switch {
	case err != nil:
		return m, err
	case len(hits) == 0:
		return m, Refusal{parley.ReasonNoAgent, c.nobody(ctx, n)}
	case len(hits) > 1:
		return m, Refusal{parley.ReasonAmbiguous, severalIn(c.cfg.Socket, n, hits, lines)}
	case roster.HasLeft(lines, n, hits[0].Agent.Identity):
		return m, Refusal{parley.ReasonNoAgent, fmt.Sprintf("%s has left: `parley join --as %s --pane %s` brings it back", n, n, hits[0].Target.Pane)}
	}
	m = hits[0].Member(roster.Found, n)
	m.At = now()
	return m, c.roster.Write(ctx, m)
}

// usurped reports whether the name of a found agent is another agent's by now:
// its tmux session was renamed, or another server is meant, and the session
// that bears the name today holds somebody else.
func (c *Courier) usurped(ctx context.Context, m roster.Member) bool {
	if !c.nameless(ctx, m) {
		return false
	}
	s, why, err := roster.BySession(ctx, c.dialects, c.Where(), m.Name)
	return err == nil && (why == parley.ReasonAmbiguous || why == "" && s.Agent.Identity != m.Identity)
}

// nameless reports whether a found agent stands in no tmux session of its name
// any more.
func (c *Courier) nameless(ctx context.Context, m roster.Member) bool {
	if m.Kind != roster.Found || m.Target.Driver == host.Driver { // a host's name is its own
		return false
	}
	panes, err := tmux.Server{Socket: c.cfg.Socket}.Panes(ctx)
	if err != nil {
		return false
	}
	elsewhere := m.Target.Socket != c.cfg.Socket
	for _, p := range panes {
		if p.Target != m.Target {
			continue
		}
		if strings.EqualFold(p.Session, string(m.Name)) {
			return false
		}
		elsewhere = true
	}
	return elsewhere
}
