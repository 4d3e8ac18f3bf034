package tmux

import (
	"context"

	"parley/internal/term"
)

// keysFor is how many seconds a person's keys are kept waiting when something
// is pasted: from there to Enter takes 30 to 120 ms. It ends by itself,
// whatever becomes of this process, so it must be too short to be felt. A test
// that must not come too late makes it longer.
var keysFor = "0.4"

// holdKeys keeps what a person types now out of the pane until keysFor is
// over: tmux takes a client's keys in turn with the commands of that client's
// own queue, where one now waits. No key is lost, none changes its place, and
// nothing has to be undone.
//
// The queue is reached by "run-shell -b -C", which acts for the current
// client: that is the one which was last used at the pane that TMUX_PANE
// names. If it shows another pane, or tmux (before 3.2) knows no such command,
// nothing is held, and the guard alone must do.
func (h *Held) holdKeys(ctx context.Context, seen term.Snapshot) {
	if seen.State.PersonAt.IsZero() {
		return // nobody's keys go there
	}
	h.server.run(ctx, call{lock: h.lock, at: h.id, args: []string{"if-shell", "-F", "-t", h.id,
		"#{==:#{client_session}|#{window_active}#{pane_active},#{session_name}|11}",
		"run-shell -b -C 'run-shell -d " + keysFor + "'"}})
}
