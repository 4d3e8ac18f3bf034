package courier

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"parley"
	"parley/internal/roster"
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
	s, why, err := roster.BySession(ctx, c.dialects, c.cfg.Socket, n)
	if err != nil {
		return roster.Member{}, err
	}
	switch why {
	case parley.ReasonNoAgent:
		return m, Refusal{why, c.nobody(ctx, n)}
	case parley.ReasonAmbiguous:
		return m, Refusal{why, fmt.Sprintf("the tmux session %q holds more than one agent: run `parley join --as NAME --pane %%N` for the one you mean", n)}
	}
	m = s.Member(roster.Found, n)
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
	s, why, err := roster.BySession(ctx, c.dialects, c.cfg.Socket, m.Name)
	return err == nil && (why == parley.ReasonAmbiguous || why == "" && s.Agent.Identity != m.Identity)
}

// nameless reports whether a found agent stands in no tmux session of its name
// any more.
func (c *Courier) nameless(ctx context.Context, m roster.Member) bool {
	if m.Kind != roster.Found {
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

// nobody is the sentence for a name that was never seen, with the nearest
// names that were.
func (c *Courier) nobody(ctx context.Context, n parley.Name) string {
	say := fmt.Sprintf("no agent named %q was ever seen", n)
	if near := nearest(n, c.Names(ctx)); len(near) > 0 {
		return say + fmt.Sprintf(" (did you mean %s?)", strings.Join(near, ", "))
	}
	return say + "; `parley status` lists who is there"
}

// Names lists every name that can be written to now: members first, then tmux
// sessions with one agent in them.
func (c *Courier) Names(ctx context.Context) []parley.Name {
	var out []parley.Name
	seen := map[parley.Name]bool{}
	add := func(n parley.Name) {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	members, _ := c.roster.Members()
	for _, m := range members {
		add(m.Name)
	}
	sightings, _ := roster.Sightings(ctx, c.dialects, c.cfg.Socket)
	for _, s := range sightings {
		if n, err := parley.ParseName(s.Tmux); err == nil && !c.cfg.Person(n) {
			add(n)
		}
	}
	return out
}

// nearest returns up to three names within an edit distance of two.
func nearest(n parley.Name, all []parley.Name) []string {
	var out []string
	for _, a := range all {
		if len(out) < 3 && levenshtein.ComputeDistance(string(n), string(a)) <= 2 {
			out = append(out, string(a))
		}
	}
	return out
}
