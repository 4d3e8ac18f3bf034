package tmux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"parley/internal/term"
)

// Held is a pane with its target lock in hand: the only thing that types.
type Held struct {
	Pane
	lock *os.File
	tty  string
}

var _ term.Terminal = (*Held)(nil)

// Hold waits for the pane's lock until ctx ends, and tries at least once. It
// fails with term.ErrLocked if another writer keeps it, term.ErrNoPane if
// there is no pane or its program has ended.
func (p *Pane) Hold(ctx context.Context) (*Held, error) {
	const tries = 3
	var err error
	for range tries {
		var tty string
		var lock *os.File
		if tty, err = p.tty(ctx); err == nil {
			lock, err = term.Lock(ctx, tty)
		}
		if err == nil {
			return &Held{*p, lock, tty}, nil
		}
		// A pane that was respawned since it said its terminal has another now.
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return nil, fmt.Errorf("hold %s: %w", p.id, err)
}

// tty asks for the terminal of a pane whose program runs.
func (p *Pane) tty(ctx context.Context) (string, error) {
	mark := nonce()
	out, err := p.server.run(context.WithoutCancel(ctx), call{args: []string{
		"display-message", "-p", "-t", p.id, mark + "|#{pane_id}|#{pane_dead}|#{pane_tty}"}})
	if err != nil {
		return "", err
	}
	said, ok := strings.CutPrefix(strings.TrimSuffix(out, "\n"), mark+"|")
	id, rest, _ := strings.Cut(said, "|")
	dead, tty, _ := strings.Cut(rest, "|")
	switch {
	case !ok:
		return "", fmt.Errorf("%w: %q", errOutput, out)
	case id != p.id:
		// display-message prints empty fields for a pane that is not there.
		return "", term.ErrNoPane
	case dead == "1": // its terminal is gone, or somebody else's by now
		return "", fmt.Errorf("its program has ended: %w", term.ErrNoPane)
	}
	return tty, nil
}

// Release gives the lock back. A tmux call of a killed process can outlive it
// and then releases the lock by ending.
func (h *Held) Release() { h.lock.Close() }
