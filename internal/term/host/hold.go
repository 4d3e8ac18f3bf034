package host

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"parley/internal/proc"
	"parley/internal/term"
)

// Held is a host with its target lock in hand: the only thing that types.
type Held struct {
	Host
	lock   *os.File
	conn   *Conn
	about  About
	server string
}

var (
	_ term.Terminal = (*Held)(nil)
	_ term.Gate     = (*Held)(nil)
)

// Hold waits for the lock of the agent's terminal until ctx ends, and tries at
// least once. It fails with term.ErrLocked if another writer keeps it,
// term.ErrNoPane if the host has ended.
func (h *Host) Hold(ctx context.Context) (*Held, error) {
	asked, err := h.ask(context.WithoutCancel(ctx))
	if err != nil {
		return nil, fmt.Errorf("hold: %w", err)
	}
	lock, err := term.Lock(ctx, asked.TTY)
	if err != nil {
		return nil, fmt.Errorf("hold host %s: %w", h.id, err)
	}
	conn, about, server, err := h.open(context.WithoutCancel(ctx), Hello{Role: RoleType}, lock)
	if err == nil && about.TTY != asked.TTY {
		conn.Close()
		err = fmt.Errorf("it has changed its terminal: %w", term.ErrNoPane)
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("hold host %s: %w", h.id, err)
	}
	return &Held{Host: *h, lock: lock, conn: conn, about: about, server: server}, nil
}

// Release gives the lock back, for the host's copy of it too.
func (h *Held) Release() {
	unix.Flock(int(h.lock.Fd()), unix.LOCK_UN)
	h.conn.Close()
	h.lock.Close()
}

// Look is Host.Look through the connection that types.
func (h *Held) Look(ctx context.Context) (term.Snapshot, error) {
	return h.lookBy(ctx, h.conn, h.about, h.server)
}

// mayAsk says why nothing may be asked for at all.
func (h *Held) mayAsk(ctx context.Context, seen term.Snapshot) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case seen.Identity.Server != h.server || seen.Identity.Pane != h.id || seen.Identity.TTY != h.about.TTY:
		return errors.New("the snapshot is not of this host")
	}
	line, err := proc.Canonical(h.about.TTY)
	if err != nil {
		return err
	}
	if line {
		return errors.New("the terminal is in line mode: no input box reads there")
	}
	return nil
}
