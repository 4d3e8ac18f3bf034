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

// snapshot takes one look at a pane by its id, or at a name: an agent, else the
// only pane of the tmux session of exactly that name. It cannot type.
func (a *app) snapshot(ctx context.Context, name string) (seen, error) {
	c, err := a.open(nil)
	if err != nil {
		return seen{}, err
	}
	if strings.HasPrefix(name, "%") {
		p, err := a.paneInfo(ctx, name)
		if err != nil {
			return seen{}, err
		}
		return looked(ctx, c, p.Target)
	}
	p, err := a.place(ctx, c, name, nil)
	if err != nil {
		return seen{}, err
	}
	l, err := p.c.Look(ctx, p.name)
	if err == nil && l.Dialect != nil {
		return seen{l.Screen, l.Dialect, l.Version, l.Command}, nil
	}
	// Nobody's name, or its agent was started anew: the session may be meant.
	if only, ok := a.onlyPane(ctx, name); ok && (err == nil || noAgent(err)) {
		return looked(ctx, c, only)
	}
	if err == nil {
		err = usagef("%s: %s; a pane can be captured by its id, such as %%3", name, l.Reason.Meaning().Means)
	}
	return seen{}, err
}

func noAgent(err error) bool {
	r, refused := courier.Refused(err)
	return refused && r.Reason == parley.ReasonNoAgent
}

// looked is one look at a pane.
func looked(ctx context.Context, c *courier.Courier, t term.Target) (seen, error) {
	pane, err := tmux.New(t.Socket, t.Pane)
	if err != nil {
		return seen{}, usage{err}
	}
	snap, err := pane.Look(ctx)
	if err != nil {
		return seen{}, usagef("%s: %w", t.Pane, err)
	}
	agent, _, err := roster.Identify(c.Dialects(), snap.Identity)
	return seen{snap.Screen, agent.Dialect, agent.Version, snap.Identity.Command}, err
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
