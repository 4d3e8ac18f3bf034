package tmux

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parley/internal/term"
)

// PaneInfo is what one listing tells of a pane. A window that is linked into
// several tmux sessions is listed once in each.
type PaneInfo struct {
	Target   term.Target
	Identity term.Identity
	Session  string // name of the tmux session
	Window   int    // index of the window in it
	Active   bool   // the current pane of the session's current window
	Attached bool   // a client shows the session
	Dead     bool
	Title    string
}

// The three that may hold anything stand last, the first two after their
// length in bytes.
const paneFormat = "#{pane_id}|#{pane_pid}|#{pane_tty}|#{pid}@#{start_time}|#{window_index}|" +
	"#{window_active}#{pane_active}|#{session_attached}|#{pane_dead}|" +
	"#{n:session_name}|#{n:pane_title}|#{session_name}#{pane_title}#{pane_current_command}"

// Panes lists all panes of a server in one moment. It fails with
// term.ErrNoPane if no server runs at the socket.
func (s Server) Panes(ctx context.Context) ([]PaneInfo, error) {
	out, err := s.run(ctx, call{args: []string{"list-panes", "-a", "-F", paneFormat}})
	if err != nil && strings.Contains(err.Error(), "no current target") {
		return nil, nil // a server without any tmux session (exit-empty off)
	}
	if err != nil {
		return nil, fmt.Errorf("list panes: %w", err)
	}
	var all []PaneInfo
	for line := range strings.Lines(out) {
		p, err := parsePane(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("list panes: %w", err)
		}
		p.Target = term.Target{Driver: "tmux", Socket: s.Socket, Pane: p.Identity.Pane}
		all = append(all, p)
	}
	return all, nil
}

func parsePane(line string) (PaneInfo, error) {
	f := strings.SplitN(line, "|", 11)
	if len(f) != 11 || !ValidPane(f[0]) {
		return PaneInfo{}, fmt.Errorf("%w: %q", errOutput, line)
	}
	pid, _ := strconv.Atoi(f[1]) // a dead pane has none
	window, err0 := strconv.Atoi(f[4])
	name, err1 := strconv.Atoi(f[8])
	title, err2 := strconv.Atoi(f[9])
	rest := f[10]
	if err0 != nil || err1 != nil || err2 != nil || name < 0 || title < 0 || len(rest) < name+title {
		return PaneInfo{}, fmt.Errorf("%w: %q", errOutput, line)
	}
	return PaneInfo{
		Identity: term.Identity{Server: f[3], Pane: f[0], PanePID: pid, TTY: f[2], Command: rest[name+title:]},
		Session:  rest[:name],
		Title:    rest[name : name+title],
		Window:   window,
		Active:   f[5] == "11",
		Attached: f[6] != "0" && f[6] != "",
		Dead:     f[7] != "0" && f[7] != "",
	}, nil
}
