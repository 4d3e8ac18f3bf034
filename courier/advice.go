package courier

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/tmux"
)

// Advice is what to do about a receipt: the table's word for its reason, with
// the id, the name and the commands of this very case, for a reader in a team.
func (c *Courier) Advice(ctx context.Context, r parley.Receipt, team string) string {
	m, known, _ := c.roster.Member(r.To)
	do := advised(r)
	if known && strings.Contains(do, parley.TakeUp) {
		do = strings.Replace(do, parley.TakeUp, c.takeUp(ctx, m), 1)
	}
	return c.filled(do, r, m, team)
}

// advised is the table's word for a receipt. Where something was typed and its
// end is not known, nothing that would have it typed again is advised.
func advised(r parley.Receipt) string {
	do := r.Reason.Meaning().Do
	if r.Outcome == parley.Unknown && (strings.Contains(do, "deliver ID") || strings.Contains(do, parley.TakeUp)) {
		return parley.ReasonInterrupted.Meaning().Do
	}
	return do
}

// filled puts a receipt's id and name, and its agent's pane, into an advice.
func (c *Courier) filled(do string, r parley.Receipt, m roster.Member, team string) string {
	if m.Target.Pane != "" {
		do = strings.ReplaceAll(do, "%N", m.Target.Pane)
	}
	if team != c.cfg.Team {
		do = strings.NewReplacer("`parley status", "`parley --team "+c.cfg.Team+" status", "`parley join", "`parley --team "+c.cfg.Team+" join").Replace(do)
	}
	name := c.asSeenFrom(team, r.To)
	return strings.NewReplacer("deliver ID", "deliver "+r.ID.Tag(), "log ID", "log "+r.ID.Tag(), "wait NAME", "wait "+name,
		"explain NAME", "explain "+name, "join --as NAME", "join --as "+string(r.To), "start --as NAME", "start --as "+string(r.To), "PATH NAME", "PATH "+name).Replace(do)
}

// asSeenFrom is a name of this team as it is written in another.
func (c *Courier) asSeenFrom(team string, n parley.Name) string {
	if team == c.cfg.Team {
		return string(n)
	}
	return string(n) + "@" + c.cfg.Team
}

// takeUp is the command that makes a name mean the agent that stands there
// now, or will once it is started again.
func (c *Courier) takeUp(ctx context.Context, m roster.Member) string {
	at, _ := roster.Sightings(ctx, c.dialects, c.near(m.Target))
	inPane := slices.ContainsFunc(at, func(s roster.Sighting) bool { return s.Target == m.Target })
	hits, _ := roster.InSession(ctx, c.dialects, c.Where(), m.Name)
	switch {
	case m.Kind == roster.Found && (len(hits) == 1 && c.unclaimed(hits[0], m.Name) || len(hits) == 0 && !inPane):
		return "`parley status`"
	case inPane:
		return c.joining(m.Target)
	case len(hits) > 0:
		return c.joining(hits[0].Target)
	}
	if m.Target.Driver == host.Driver {
		return "`parley start --as NAME -- COMMAND`"
	}
	panes, _ := tmux.Server{Socket: m.Target.Socket}.Panes(ctx)
	if !slices.ContainsFunc(panes, func(p tmux.PaneInfo) bool { return p.Target == m.Target }) {
		return "`parley join --as NAME --pane` with the number of its new pane"
	}
	return c.joining(m.Target)
}

// unclaimed reports whether an agent has no name but the one given.
func (c *Courier) unclaimed(s roster.Sighting, n parley.Name) bool {
	members, err := c.roster.Members()
	return err == nil && !slices.ContainsFunc(members, func(m roster.Member) bool {
		return m.Identity == s.Agent.Identity && m.Name != n
	})
}

// joining is the command that gives the agent in a pane the name of an advice.
func (c *Courier) joining(t term.Target) string {
	server := ""
	if t.Socket != c.cfg.Socket {
		server = " --tmux-socket " + t.Socket
	}
	return fmt.Sprintf("`parley join --as NAME --pane %s%s`", t.Pane, server)
}
