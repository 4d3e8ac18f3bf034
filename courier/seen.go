package courier

import (
	"context"

	"parley"
	"parley/internal/dialect"
	"parley/internal/screen"
)

// Looked is what one look at an agent shows, for people.
type Looked struct {
	CLI, Version string
	Dialect      *dialect.Dialect // nil if the agent does not have the keys
	Command      string           // the terminal's name for what runs there
	Screen       screen.Screen
	Reading      dialect.Reading
	May          bool          // send would type now
	Reason       parley.Reason // why not
}

// Look reads an agent's screen now, with the judgement of the walk.
func (c *Courier) Look(ctx context.Context, n parley.Name) (Looked, error) {
	m, err := c.Resolve(ctx, n)
	if err != nil {
		return Looked{}, err
	}
	w, e := c.lookAt(ctx, m)
	l := Looked{CLI: m.CLI, Version: w.agent.Version, Command: w.seen.Identity.Command, Screen: w.seen.Screen, Reading: w.read, May: e == nil}
	if e != nil {
		l.Reason = e.reason
	}
	if l.Dialect = w.agent.Dialect; l.Dialect == nil { // another process, or a suspended one
		l.Reading = dialect.Reading{Composer: dialect.Unreadable, Turn: dialect.UnknownTurn}
	}
	return l, nil
}
