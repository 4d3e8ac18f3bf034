package tmux

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/screen"
	"parley/internal/term"
	"parley/internal/vt"
)

// Pane is one pane to look at; Hold gives one to type into.
type Pane struct {
	server Server
	id     string
}

// New names a pane by its server's socket (see Socket) and its id, "%3". It
// asks tmux nothing yet.
func New(socket, pane string) (*Pane, error) {
	if socket == "" {
		return nil, fmt.Errorf("tmux pane %q: no socket", pane)
	}
	if !ValidPane(pane) {
		return nil, fmt.Errorf("%q is no tmux pane id such as %%3", pane)
	}
	return &Pane{Server{socket}, pane}, nil
}

// Look takes one snapshot by one tmux command line. It fails with
// term.ErrNoPane if there is no such pane or server.
func (p *Pane) Look(ctx context.Context) (term.Snapshot, error) {
	mark := nonce()
	out, err := p.server.run(ctx, call{args: []string{
		"display-message", "-p", "-t", p.id, mark + "|" + guardFormat, ";",
		"display-message", "-p", "-t", p.id, mark + "|#{pane_title}", ";",
		// pane_id here is the pane in which that client's keys arrive.
		"list-clients", "-F", mark + "|#{pane_id}|#{client_activity}", ";",
		"display-message", "-p", mark + "|end", ";",
		"capture-pane", "-e", "-p", "-t", p.id,
	}})
	if err != nil {
		return term.Snapshot{}, fmt.Errorf("look at %s: %w", p.id, err)
	}
	snap, err := parseLook(out, mark, p.id)
	if err != nil {
		return term.Snapshot{}, fmt.Errorf("look at %s: %w", p.id, err)
	}
	snap.At = time.Now()
	return snap, nil
}

// parseLook reads the marked lines and then the screen. The order is fixed and
// each line must bear the mark, so that no screen is taken for an identity.
func parseLook(out, mark, pane string) (term.Snapshot, error) {
	next := func() (string, error) {
		line, rest, ok := strings.Cut(out, "\n")
		said, marked := strings.CutPrefix(line, mark+"|")
		if !ok || !marked {
			return "", fmt.Errorf("%w: %q", errOutput, line)
		}
		out = rest
		return said, nil
	}
	seen, err := next()
	if err != nil {
		return term.Snapshot{}, err
	}
	f, err := parseFields(seen)
	if err != nil {
		return term.Snapshot{}, err
	}
	if f["pane_id"] != pane {
		return term.Snapshot{}, fmt.Errorf("%w: pane %q", errOutput, f["pane_id"])
	}
	title, err := next()
	if err != nil {
		return term.Snapshot{}, err
	}
	snap := term.Snapshot{Identity: f.identity(), State: f.state(), Seen: seen}
	for {
		line, err := next()
		if err != nil {
			return term.Snapshot{}, err
		}
		if line == "end" {
			break
		}
		if at := clientAt(line, pane); at.After(snap.State.PersonAt) {
			snap.State.PersonAt = at
		}
	}
	cols, rows := f.number("pane_width"), f.number("pane_height")
	if n := strings.Count(out, "\n"); n != rows || cols < 1 || rows < 1 {
		return term.Snapshot{}, fmt.Errorf("%w: %d rows of a pane of %d by %d", errOutput, n, cols, rows)
	}
	cursor := screen.Cursor{X: f.number("cursor_x"), Y: f.number("cursor_y"), Visible: f.on("cursor_flag")}
	snap.Screen = vt.Capture([]byte(out), cols, rows, cursor, f.on("alternate_on"), title)
	return snap, nil
}

// clientAt is when a client whose keys go to the pane last sent one.
func clientAt(line, pane string) time.Time {
	id, at, _ := strings.Cut(line, "|")
	sec, err := strconv.ParseInt(at, 10, 64)
	if id != pane || err != nil || sec <= 0 {
		return time.Time{}
	}
	return time.Unix(sec, 0)
}
