package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"parley"
	"parley/courier"
	"parley/internal/inbox"
)

// place is a name in a team.
type place struct {
	c    *courier.Courier
	name parley.Name
	team string // "" = the caller's own
	as   string // as the call writes it
}

// place reads NAME, @NAME, NAME@TEAM, or NAME of TEAM as it stands in what is
// typed, as seen from the caller's own team.
// "leader" is the team's leader by parley.toml, unless an agent bears the name.
func (a *app) place(ctx context.Context, own *courier.Courier, s string, notice func(courier.Waiting)) (place, error) {
	as := written(s)
	s = strings.TrimPrefix(strings.TrimSpace(s), "@")
	name, in, far := strings.Cut(strings.Replace(s, " of ", "@", 1), "@")
	n, err := parley.ParseName(name)
	if err != nil {
		return place{}, usage{err}
	}
	mine, err := a.teamName()
	if err != nil {
		return place{}, err
	}
	if !far || strings.EqualFold(in, mine) {
		n, err = a.leader(ctx, own, n, mine)
		return place{c: own, name: n, as: as}, err
	}
	t, err := parley.ParseName(in)
	if err != nil {
		return place{}, usagef("team: %w", err)
	}
	home, err := stateHome()
	if err != nil {
		return place{}, usage{err}
	}
	if _, err := os.Stat(filepath.Join(home, "teams", string(t))); err != nil {
		return place{}, usagef("no team %q: %s has %s", t, home, strings.Join(courier.Teams(home), ", "))
	}
	c, err := a.openTeam(string(t), notice)
	return place{c: c, name: n, team: string(t), as: as}, err
}

// leader gives who is meant by "leader", and every other name as it is.
func (a *app) leader(ctx context.Context, c *courier.Courier, n parley.Name, mine string) (parley.Name, error) {
	if n != "leader" {
		return n, nil
	}
	near, err := nearestTeam()
	if err != nil || near.Leader == "" || near.Name != "" && !strings.EqualFold(near.Name, mine) {
		return n, err
	}
	if is, err := c.Live(ctx, n); is || err != nil {
		return n, err
	}
	l, err := parley.ParseName(near.Leader)
	if err != nil {
		return n, usagef("parley.toml: leader: %w", err)
	}
	return l, nil
}

// find finds a message by id or tag: in the caller's team, else in any other.
func (a *app) find(own *courier.Courier, idOrTag string, notice func(courier.Waiting)) (*courier.Courier, inbox.Entry, error) {
	e, err := own.FindAnywhere(idOrTag)
	if _, refused := courier.Refused(err); !refused {
		return own, e, err
	}
	home, herr := stateHome()
	if herr != nil {
		return own, e, err
	}
	for _, t := range courier.Teams(home) {
		c, cerr := a.openTeam(t, notice)
		if cerr != nil {
			return own, e, cerr
		}
		if far, ferr := c.FindAnywhere(idOrTag); ferr == nil {
			return c, far, nil
		}
	}
	return own, e, err
}
