package courier

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley"
	"parley/internal/roster"
)

// Stray is an agent that stands there and has no name.
type Stray struct {
	CLI, Pane string
	Why       string // a clause that follows "because"
	May       string // a name that it could be given
}

// Strays lists the agents of the courier's tmux server that nobody can write
// to, but for those whose name was taken off.
func (c *Courier) Strays(ctx context.Context) ([]Stray, error) {
	seen, err := roster.Sightings(ctx, c.dialects, c.Where())
	if err != nil {
		return nil, err
	}
	lines, err := c.roster.Lines()
	if err != nil {
		return nil, err
	}
	var out []Stray
	for _, s := range seen {
		if why := c.unnamed(s, seen, lines); why != "" {
			out = append(out, Stray{CLI: s.Agent.Dialect.CLI, Pane: s.Target.Pane, Why: why, May: likeName(s.Tmux)})
		}
	}
	return out, nil
}

// unnamed says why an agent has no name; "" if it has one, or had.
func (c *Courier) unnamed(s roster.Sighting, seen []roster.Sighting, lines []roster.Member) string {
	if slices.ContainsFunc(lines, func(m roster.Member) bool { return m.Identity == s.Agent.Identity }) {
		return ""
	}
	n, err := s.Name()
	others := 0
	for _, o := range seen {
		if strings.EqualFold(o.Tmux, s.Tmux) && o.Target != s.Target {
			others++
		}
	}
	switch {
	case err != nil:
		return fmt.Sprintf("its tmux session's name, %q, is none for an agent", s.Tmux)
	case c.cfg.Person(n):
		return fmt.Sprintf("its tmux session's name, %s, is the person's", n)
	case others > 0:
		return fmt.Sprintf("it is not alone in the tmux session %s", n)
	}
	return fmt.Sprintf("%s is the name of another", n)
}

var noName = regexp.MustCompile(`[^a-z0-9._-]+`)

// likeName makes a name of a tmux session's; NAME where that one is a name
// already, and somebody's.
func likeName(session string) string {
	like := strings.Trim(noName.ReplaceAllString(strings.ToLower(session), "-"), "-._")
	if n, err := parley.ParseName(like); err == nil && like != strings.ToLower(session) {
		return string(n)
	}
	return "NAME"
}

// severalIn is the sentence for a name under which more than one agent stands.
func severalIn(socket string, n parley.Name, hits []roster.Sighting, lines []roster.Member) string {
	var who []string
	for _, h := range hits {
		is := fmt.Sprintf("%s in pane %s", h.Agent.Dialect.CLI, h.Target.Pane)
		for _, m := range lines {
			if m.Identity == h.Agent.Identity && m.Kind != roster.Left {
				is += fmt.Sprintf(" (%s)", m.Name)
			}
		}
		who = append(who, is)
	}
	return fmt.Sprintf("the tmux session %q of %s holds %d agents: %s; say which one you mean: `parley join --as %s --pane %s`, and so on",
		n, socket, len(hits), strings.Join(who, ", "), n, hits[0].Target.Pane)
}
