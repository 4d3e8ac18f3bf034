package courier

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/roster"
)

// A found agent bears the name of the tmux session that it was found in, and
// keeps it whatever else is started in that session. Who joined has a name that
// nobody else can bear.

// bearers lists the agents in the tmux sessions and hosts of a found agent's
// name, where it is asked for and where the agent stands, and its own place
// among them; -1 if it stands in none of that name any more.
func (c *Courier) bearers(ctx context.Context, m roster.Member) (all []roster.Sighting, own int, err error) {
	own = -1
	here, there := c.Where(), c.near(m.Target)
	for _, where := range slices.Compact([]roster.Where{here, there}) {
		hits, err := roster.InSession(ctx, c.dialects, where, m.Name)
		if err != nil {
			return nil, own, err
		}
		for _, h := range hits {
			again := func(o roster.Sighting) bool { return o.Agent.Identity == h.Agent.Identity && o.Tmux == h.Tmux }
			if slices.ContainsFunc(all, again) { // the same server by another path, a host
				continue
			}
			if h.Agent.Identity == m.Identity && own < 0 {
				own = len(all)
			}
			all = append(all, h)
		}
	}
	return all, own, nil
}

// only refuses the name of a found agent that others bear too: in another tmux
// session whose name differs in case only, on another server, or in a host.
// Those that stand in its own tmux session bear no name.
func (c *Courier) only(ctx context.Context, m roster.Member) error {
	if m.Kind != roster.Found {
		return nil
	}
	all, own, err := c.bearers(ctx, m)
	if err != nil || own < 0 {
		return err
	}
	place := func(s roster.Sighting) string { return s.Target.Driver + ":" + s.Target.Socket + ":" + s.Tmux }
	twins := slices.DeleteFunc(slices.Clone(all), func(s roster.Sighting) bool {
		return s.Agent.Identity == m.Identity || place(s) == place(all[own])
	})
	if len(twins) == 0 {
		return nil
	}
	lines, err := c.roster.Lines()
	if err != nil {
		return err
	}
	return Refusal{parley.ReasonAmbiguous, c.several(m.Name, append([]roster.Sighting{all[own]}, twins...), lines)}
}

// usurped reports whether the name of a found agent is another agent's by now:
// it stands in no tmux session of that name any more, and another does.
func (c *Courier) usurped(ctx context.Context, m roster.Member) bool {
	if m.Kind != roster.Found {
		return false
	}
	all, own, err := c.bearers(ctx, m)
	return err == nil && own < 0 && len(all) > 0 && c.stands(ctx, m)
}

// rightful reports whether a found agent still stands in a tmux session of its
// name.
func (c *Courier) rightful(ctx context.Context, m roster.Member) bool {
	_, own, err := c.bearers(ctx, m)
	return err == nil && own >= 0
}

// several is the sentence for a name that more than one agent bears.
func (c *Courier) several(n parley.Name, hits []roster.Sighting, lines []roster.Member) string {
	apart := slices.ContainsFunc(hits, func(h roster.Sighting) bool {
		return h.Tmux != hits[0].Tmux || h.Target.Socket != hits[0].Target.Socket
	})
	var who []string
	for _, h := range hits {
		is := fmt.Sprintf("%s in pane %s", h.Agent.Dialect.CLI, h.Target.Pane)
		if apart {
			is += fmt.Sprintf(" of %q at %s", h.Tmux, h.Target.Socket)
		}
		for _, m := range lines {
			if m.Identity == h.Agent.Identity && m.Kind != roster.Left {
				is += fmt.Sprintf(" (%s)", m.Name)
			}
		}
		who = append(who, is)
	}
	head := fmt.Sprintf("the tmux session %q of %s holds %d agents", n, hits[0].Target.Socket, len(hits))
	if apart {
		head = fmt.Sprintf("%d agents stand in tmux sessions that are named %q", len(hits), n)
	}
	join := fmt.Sprintf("parley join --as %s --pane %s", n, hits[0].Target.Pane)
	if s := hits[0].Target.Socket; s != c.cfg.Socket {
		join += " --tmux-socket " + s
	}
	return fmt.Sprintf("%s: %s; say which one you mean: `%s`, and so on", head, strings.Join(who, ", "), join)
}
