package host

import (
	"time"

	"parley/internal/screen"
	"parley/internal/term"
)

// Role is what a connection is for.
type Role string

const (
	RoleLook   Role = "look"
	RoleType   Role = "type"   // looks too; brings the target's lock
	RoleView   Role = "view"   // a terminal that shows the agent
	RoleManage Role = "manage" // ends it or starts it anew
)

// Hello begins a connection.
type Hello struct {
	Version  int  `json:"version"`
	Role     Role `json:"role"`
	ReadOnly bool `json:"read_only,omitempty"` // view: its keys are dropped
	History  bool `json:"history,omitempty"`   // view: what was scrolled off comes first
	// Fresh is said by the viewer whose terminal the agent was started on: it
	// gets every byte from the first one, and no picture.
	Fresh bool `json:"fresh,omitempty"`
	Size
}

// Size is that of a terminal in columns and rows; zero is none.
type Size struct {
	Cols int `json:"cols,omitempty"`
	Rows int `json:"rows,omitempty"`
}

// About is a host's answer to Hello.
type About struct {
	Version int       `json:"version"`
	Refused string    `json:"refused,omitempty"` // why nothing follows
	ID      string    `json:"id"`                // of this host alone
	Name    string    `json:"name"`
	Team    string    `json:"team"`
	Command []string  `json:"command"`
	Dir     string    `json:"dir"`
	TTY     string    `json:"tty"`
	Child   int       `json:"child"` // pid of the command
	Viewers int       `json:"viewers"`
	Stopped bool      `json:"stopped,omitempty"`
	Since   time.Time `json:"since"` // when the command was started
}

// Picture is a snapshot without its cells, which follow behind a newline.
type Picture struct {
	Child    int           `json:"child"`
	Command  string        `json:"command"`
	PersonAt time.Time     `json:"person_at,omitzero"`
	Broken   bool          `json:"broken,omitempty"`
	Seen     string        `json:"seen"`
	Cols     int           `json:"cols"`
	Rows     int           `json:"rows"`
	Cursor   screen.Cursor `json:"cursor"`
	Alt      bool          `json:"alternate,omitempty"`
	Title    string        `json:"title,omitempty"`
}

// Guard is what must still hold when something is typed.
type Guard struct {
	Seen string `json:"seen"` // Picture.Seen
	// Row is the text of the row that the cursor was in: a dialog that leaves
	// the cursor where it was changes that.
	Row   string    `json:"row"`
	Until time.Time `json:"until"` // after that nobody waits for it any more
}

// Paste asks for bracketed pastes.
type Paste struct {
	Guard
	Texts []string `json:"texts"`
}

// Press asks for one key, if the anchor still stands on its row alone.
type Press struct {
	Guard
	Key    term.Key `json:"key"`
	Clears bool     `json:"clears,omitempty"` // it takes text out, and submits nothing
	Anchor string   `json:"anchor"`
	At     int      `json:"at"` // the anchor's row, from 0
}

// Answer says what became of what was asked for.
type Answer struct {
	Applied bool   `json:"applied"`
	Error   string `json:"error,omitempty"`
}

// Ended says how the command ended.
type Ended struct {
	Code   int `json:"code"`
	Signal int `json:"signal,omitempty"` // not 0 if one ended it
	// Error says why it was never started.
	Error string `json:"error,omitempty"`
}

// End asks for the command's end: SIGHUP, as when a terminal is closed, and
// SIGKILL if it stays.
type End struct {
	Anew bool `json:"anew,omitempty"` // and start it again
}
