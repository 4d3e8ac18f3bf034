// Package dial opens the terminal of a target, whichever driver it is on.
package dial

import (
	"context"
	"fmt"

	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/term/tmux"
)

// Line is a connection to one target. It looks freely; what types comes from
// Hold alone, with the target's lock in hand.
type Line struct {
	term.Viewer
	hold func(context.Context) (term.Terminal, func(), error)
}

// Hold waits for the target's lock until ctx ends, and tries at least once. It
// fails with term.ErrLocked if another writer keeps it, and with term.ErrNoPane
// if nothing is there. The function releases the lock; the Terminal is not
// used after that.
func (l *Line) Hold(ctx context.Context) (term.Terminal, func(), error) { return l.hold(ctx) }

// To opens a line to t. It asks nothing of the terminal yet.
func To(t term.Target) (*Line, error) {
	switch t.Driver {
	case "tmux":
		return toTmux(t)
	case host.Driver:
		return toHost(t)
	}
	return nil, fmt.Errorf("dial %s: no driver %q", t, t.Driver)
}

func toTmux(t term.Target) (*Line, error) {
	pane, err := tmux.New(t.Socket, t.Pane)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", t, err)
	}
	return &Line{pane, func(ctx context.Context) (term.Terminal, func(), error) {
		held, err := pane.Hold(ctx)
		if err != nil {
			return nil, nil, err
		}
		return held, held.Release, nil
	}}, nil
}

func toHost(t term.Target) (*Line, error) {
	h, err := host.New(t.Socket, t.Pane)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", t, err)
	}
	return &Line{h, func(ctx context.Context) (term.Terminal, func(), error) {
		held, err := h.Hold(ctx)
		if err != nil {
			return nil, nil, err
		}
		return held, held.Release, nil
	}}, nil
}
