package courier

import (
	"context"
	"errors"
	"fmt"

	"parley"
	"parley/internal/roster"
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
	if err != nil {
		return m, err
	}
	if known {
		return m, c.only(ctx, m)
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
		return m, Refusal{parley.ReasonAmbiguous, c.several(n, hits, lines)}
	case roster.HasLeft(lines, n, hits[0].Agent.Identity):
		return m, Refusal{parley.ReasonNoAgent, fmt.Sprintf("%s has left: `parley join --as %s --pane %s` brings it back", n, n, hits[0].Target.Pane)}
	}
	m = hits[0].Member(roster.Found, n)
	m.At = now()
	return m, c.roster.Write(ctx, m)
}
