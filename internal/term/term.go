// Package term is what a terminal must offer so that a message can be typed
// into the right program, and nothing else. Drivers stand below it, the
// courier above; a Viewer only looks, a Terminal also types.
package term

import (
	"context"
	"time"

	"parley/internal/screen"
)

// Target is where an agent is now: which driver, which server, which pane.
// It is an address and proves nothing.
type Target struct {
	Driver string `json:"driver"` // "tmux" or "host"
	Socket string `json:"socket"` // path of the server's or host's socket
	Pane   string `json:"pane"`   // "%3": never a name, never a window; a host's id
}

func (t Target) String() string { return t.Driver + ":" + t.Socket + ":" + t.Pane }

// Identity is the terminal's own proof of which program stands in a pane, as
// far as the terminal can know it. Two looks at the same program have equal
// identities; a restarted server, a respawned pane or another foreground
// command do not.
type Identity struct {
	Server  string // pid and start time of the server, or of the host
	Pane    string
	PanePID int
	TTY     string
	Command string // the terminal's name for the foreground command
}

// State is what else the terminal knows that forbids typing.
type State struct {
	Dead         bool // the pane's program has ended
	InMode       bool // copy mode or another mode holds the keys
	InputOff     bool
	Synchronized bool
	// PersonAt is when a person's client that shows this pane last sent a key;
	// zero if none is attached or the terminal cannot tell.
	PersonAt time.Time
	// PersonExact says that PersonAt is no whole second, but the very moment in
	// which the key reached the program.
	PersonExact bool
	// Broken: a person's keys waited for our text to be entered, could not wait
	// any longer, and have reached the program.
	Broken bool
}

// Snapshot is identity, state and screen, taken in one moment of the terminal.
type Snapshot struct {
	Identity Identity
	State    State
	Screen   screen.Screen
	At       time.Time
	// Seen is the driver's own text of everything that must still hold when a
	// paste or a press is applied. Only the driver that made it reads it.
	Seen string
}

// Applied says what became of a paste or a press. An error comes with Unsure
// unless the driver knows that nothing was asked for.
type Applied int

const (
	Refused Applied = iota // the guard disagreed: nothing reached the program
	Done                   // applied in the moment in which the guard held
	Unsure                 // the call failed after it was asked for: perhaps applied
)

// Key is a key by its terminal-independent name: "Enter", "Tab", "M-Enter".
type Key string

// Viewer only looks.
type Viewer interface {
	// Look takes one snapshot. It fails with ErrNoPane if there is no such
	// pane or no such server.
	Look(ctx context.Context) (Snapshot, error)
}

// Terminal types too. Each call compares what was seen and acts in one moment
// of the terminal, so that no time passes between check and keystroke.
type Terminal interface {
	Viewer
	// Paste gives each text as a bracketed paste of its own, one after the
	// other with nothing between. It is refused as a whole or asked for whole.
	Paste(ctx context.Context, seen Snapshot, texts ...string) (Applied, error)
	// Press gives one key that submits, if what was seen still holds and text
	// `anchor` (one short run of ASCII on one row) still stands on the row it
	// stood on.
	Press(ctx context.Context, seen Snapshot, key Key, anchor string) (Applied, error)
	// Clear gives one key that takes text out of the box, guarded likewise. It
	// is for a box that was seen to hold nothing but our own.
	Clear(ctx context.Context, seen Snapshot, key Key, anchor string) (Applied, error)
}

// Gate is a terminal that can keep a person's keys waiting. It does so by
// itself from a paste until Ease, one second at most; then they go to the
// program in their order. None is lost.
type Gate interface {
	// Quiet keeps them waiting from now on, within the same second.
	Quiet() error
	// Ease lets them go.
	Ease() error
}
