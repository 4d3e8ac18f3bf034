package main

import (
	"context"
	"strings"

	"parley"
	"parley/courier"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/tmux"
)

// snapshot takes one look at a pane by its id, or at that of a name: an agent,
// else the only pane of the tmux session of exactly that name. It cannot type.
func (a *app) snapshot(ctx context.Context, name string) (seen, error) {
	c, err := a.open(nil)
	if err != nil {
		return seen{}, err
	}
	target, meant, err := a.target(ctx, c, name)
	if err != nil {
		return seen{}, err
	}
	pane, err := tmux.New(target.Socket, target.Pane)
	if err != nil {
		return seen{}, usage{err}
	}
	snap, err := pane.Look(ctx)
	if err != nil {
		return seen{}, usagef("%s: %w", name, err)
	}
	agent, _, err := roster.Identify(c.Dialects(), snap.Identity)
	if err != nil {
		return seen{}, err
	}
	if meant != "" && agent.Identity != meant {
		return seen{}, usagef("another program runs where %s was: capture its pane, %s", name, target.Pane)
	}
	return seen{snap.Screen, agent.Dialect, agent.Version, snap.Identity.Command}, nil
}

// target is where a name's pane is, and the identity of the agent that is meant
// by it, "" if only the pane is.
func (a *app) target(ctx context.Context, c *courier.Courier, name string) (term.Target, string, error) {
	if strings.HasPrefix(name, "%") {
		p, err := a.paneInfo(ctx, name)
		return p.Target, "", err
	}
	p, err := a.place(ctx, c, name, nil)
	if err != nil {
		return term.Target{}, "", err
	}
	m, err := p.c.Resolve(ctx, p.name)
	if r, refused := courier.Refused(err); refused && r.Reason == parley.ReasonNoAgent {
		if only, ok := a.onlyPane(ctx, name); ok {
			return only, "", nil
		}
	}
	return m.Target, m.Identity, err
}

// onlyPane is the one pane of a tmux session.
func (a *app) onlyPane(ctx context.Context, session string) (t term.Target, ok bool) {
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return t, false
	}
	panes, _ := tmux.Server{Socket: socket}.Panes(ctx)
	n := 0
	for _, p := range panes {
		if p.Session == session {
			t, n = p.Target, n+1
		}
	}
	return t, n == 1
}
