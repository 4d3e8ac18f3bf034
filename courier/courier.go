// Package courier is the walk of a message and the library's front door: it
// saves (Post), carries (Deliver) and finishes what a killed sender left
// (settle). It is the only package that joins reading with typing.
//
//	c, err := courier.Open(courier.Config{Home: dir, Team: "main"})
//	m, _, err := c.Post(ctx, courier.Draft{From: "lead", To: "backend", Body: "hello"})
//	r, err := c.Deliver(ctx, m.To, m.ID, courier.Patience{Wait: time.Minute})
package courier

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/durable"
	"parley/internal/inbox"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/dial"
	"parley/internal/term/host"
)

// Config says where a courier works. Home and Team are required.
type Config struct {
	Home     string // the state folder
	Team     string
	Dialects string // folder of the user's dialect files; "" = none
	Socket   string // tmux server for names that never joined; "" = $TMUX, else the default one
	// Unproven lists CLIs whose unproven dialect the user lets parley type by.
	Unproven []string
	// Person reports the names that only the person bears: no agent is found,
	// joined or written to under one. nil = none.
	Person func(parley.Name) bool
	// Dial opens the terminal of a target; nil = the real ones.
	Dial func(term.Target) (Line, error)
	// Identify proves the agent in a pane; nil = from the OS.
	Identify func(dialect.Set, term.Identity) (roster.Agent, parley.Reason, error)
	// Alive reports whether the process of an identity still runs; nil = asks the OS.
	Alive func(identity string) bool
	// Notice is told, at most a few times a second, what a wait is for.
	Notice func(Waiting)
}

// Waiting is what a delivery waits for.
type Waiting struct {
	For   parley.Name
	Why   parley.Reason
	Since time.Time
	Until time.Time
}

// Line is a connection to one target: look freely, type only while holding it.
type Line interface {
	term.Viewer
	// Hold takes the target's lock, so that one writer at a time can type.
	Hold(ctx context.Context) (term.Terminal, func(), error)
}

// Courier carries the messages of one team.
type Courier struct {
	cfg      Config
	dir      string // the team's folder
	dialects dialect.Set
	roster   roster.Roster
}

// Open reads the dialects and makes sure that the team's folder is there.
func Open(cfg Config) (*Courier, error) {
	set, err := dialect.Load(cfg.Dialects)
	if err != nil {
		return nil, err
	}
	if cfg.Dial == nil {
		cfg.Dial = func(t term.Target) (Line, error) { return dial.To(t) }
	}
	if cfg.Identify == nil {
		cfg.Identify = roster.Identify
	}
	if cfg.Alive == nil {
		cfg.Alive = roster.Lives
	}
	if cfg.Person == nil {
		cfg.Person = func(parley.Name) bool { return false }
	}
	if cfg.Notice == nil {
		cfg.Notice = func(Waiting) {}
	}
	c := &Courier{cfg: cfg, dir: filepath.Join(cfg.Home, "teams", cfg.Team), dialects: set}
	c.roster = roster.In(c.dir)
	if err := durable.MkdirAll(filepath.Join(c.dir, "inbox")); err != nil {
		return nil, fmt.Errorf("open state folder: %w", err)
	}
	return c, nil
}

// Inbox opens the inbox of a name; it need not exist yet.
func (c *Courier) Inbox(n parley.Name) *inbox.Box {
	return inbox.Open(inbox.File(filepath.Join(c.dir, "inbox"), n))
}

// in is the same courier in another team, for inboxes only.
func (c *Courier) in(team string) *Courier {
	far := *c
	far.cfg.Team = team
	far.dir = filepath.Join(c.cfg.Home, "teams", team)
	far.roster = roster.In(far.dir)
	return &far
}

// Team is the team whose messages this courier carries.
func (c *Courier) Team() string { return c.cfg.Team }

// Where is where agents are looked for that nobody has enrolled.
func (c *Courier) Where() roster.Where {
	return roster.Where{Tmux: c.cfg.Socket, Hosts: host.Dir(c.cfg.Home), Team: c.cfg.Team}
}

// near is Where, with the tmux server of a target.
func (c *Courier) near(t term.Target) roster.Where {
	w := c.Where()
	if t.Driver != host.Driver {
		w.Tmux = t.Socket
	}
	return w
}

// Dialects returns the loaded dialects.
func (c *Courier) Dialects() dialect.Set { return c.dialects }

// Roster returns the team's roster.
func (c *Courier) Roster() roster.Roster { return c.roster }
