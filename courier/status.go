package courier

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/turn"
)

// Status is what `status` prints of one agent.
type Status struct {
	Name     parley.Name      `json:"name"`
	CLI      string           `json:"cli"`
	Version  string           `json:"version"`
	Target   string           `json:"target"`
	Alive    bool             `json:"alive"`
	Turn     dialect.Turn     `json:"turn"`
	Composer dialect.Composer `json:"composer"`
	Waiting  int              `json:"waiting"` // messages that are saved and not settled
	Unread   int              `json:"unread"`
	Finished bool             `json:"finished"` // idle, and its record says that its last turn has ended
	Health   string           `json:"health"`
	Session  string           `json:"session"`
	Purpose  string           `json:"purpose"`
	Model    string           `json:"model"`
	Account  string           `json:"account"`
	SeenAt   string           `json:"seen_at"`  // RFC 3339 with milliseconds
	Evidence string           `json:"evidence"` // what each source says of the turn, and by what rule

	gone bool // another process stands there, or none: not only a look that failed
}

// Status looks at the named agents, or at every one there is. A name whose
// pane holds another agent than before is taken up again if it was found, not
// joined. Open records are settled on the way; nothing is typed.
func (c *Courier) Status(ctx context.Context, names []parley.Name) ([]Status, error) {
	if err := c.refind(ctx); err != nil {
		return nil, err
	}
	members, err := c.roster.Members()
	if err != nil {
		return nil, err
	}
	var out []Status
	for _, m := range members {
		if len(names) > 0 && !slices.Contains(names, m.Name) {
			continue
		}
		s, err := c.statusOf(ctx, m)
		if err != nil {
			return out, err
		}
		out = append(out, s)
	}
	for _, n := range names {
		if !slices.ContainsFunc(out, func(s Status) bool { return s.Name == n }) {
			return out, Refusal{parley.ReasonNoAgent, c.nobody(ctx, n)}
		}
	}
	return out, nil
}

// refind writes down every agent that stands alone in a tmux session whose
// name nobody has joined under and it has not left.
func (c *Courier) refind(ctx context.Context) error {
	seen, err := roster.Sightings(ctx, c.dialects, c.Where())
	if err != nil {
		return err
	}
	inSession := map[string]int{}
	for _, s := range seen {
		inSession[strings.ToLower(s.Tmux)]++
	}
	lines, err := c.roster.Lines()
	if err != nil {
		return err
	}
	for _, s := range seen {
		n, err := s.Name()
		if err != nil || c.cfg.Person(n) || inSession[string(n)] > 1 || roster.HasLeft(lines, n, s.Agent.Identity) || joinedElsewhere(lines, n, s) {
			continue
		}
		m := s.Member(roster.Found, n)
		m.At = now()
		if err := c.roster.Write(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// joinedElsewhere reports whether the sighting has a name already, or its tmux
// session's name is somebody's by joining, or stands unchanged.
func joinedElsewhere(all []roster.Member, n parley.Name, s roster.Sighting) bool {
	for _, m := range all {
		if m.Identity == s.Agent.Identity && m.Kind != roster.Left || m.Name == n && m.Kind == roster.Joined {
			return true
		}
	}
	return false
}

func (c *Courier) statusOf(ctx context.Context, m roster.Member) (Status, error) {
	if err := c.Settle(ctx, m.Name, ""); err != nil {
		return Status{}, err
	}
	s := Status{Name: m.Name, CLI: m.CLI, Version: m.Version, Target: m.Target.String(), Session: m.Session,
		Purpose: m.Purpose, Turn: dialect.UnknownTurn, Composer: dialect.Absent}
	box := c.Inbox(m.Name)
	var err error
	if s.Waiting, s.Unread, err = box.Counts(); err != nil {
		return s, err
	}
	c.see(ctx, m, &s)
	return s, nil
}

// see fills in what one look shows.
func (c *Courier) see(ctx context.Context, m roster.Member, s *Status) {
	v, e := c.lookAt(ctx, m)
	s.SeenAt = v.seen.At.UTC().Format("2006-01-02T15:04:05.000Z")
	s.gone = e != nil && e.outcome == parley.Gone
	if v.agent.Dialect == nil {
		s.Health = e.reason.Meaning().Means
		return
	}
	s.Alive = e == nil || e.outcome == parley.Deferred
	whose := turn.Of(v.agent.Dialect, procOf(v.agent, m.Session), v.read)
	s.Turn, s.Composer, s.Evidence = whose.Turn, cmp.Or(v.read.Composer, dialect.Absent), whose.Evidence()
	s.Finished = whose.Turn == dialect.Idle && whose.End != ""
	switch {
	case e == nil:
		s.Health = "ready"
	default:
		s.Health = string(e.reason) + ": " + e.reason.Meaning().Means
	}
}

// lookAt takes one look at a member as the walk does, with the same judgement.
func (c *Courier) lookAt(ctx context.Context, m roster.Member) (*walk, *end) {
	w := &walk{c: c, member: m, m: parley.Message{To: m.Name, Meant: m.Identity}}
	w.seen.At = time.Now()
	line, err := c.cfg.Dial(m.Target)
	if err != nil {
		return w, deferred(parley.ReasonTerminal)
	}
	w.line = viewOnly{line}
	return w, w.lookAndJudge(ctx)
}

// viewOnly is a line that can look and refuses to type.
type viewOnly struct{ term.Viewer }

func (viewOnly) Paste(context.Context, term.Snapshot, ...string) (term.Applied, error) {
	return term.Refused, errors.New("only looking")
}

func (viewOnly) Press(context.Context, term.Snapshot, term.Key, string) (term.Applied, error) {
	return term.Refused, errors.New("only looking")
}

func (viewOnly) Clear(context.Context, term.Snapshot, term.Key, string) (term.Applied, error) {
	return term.Refused, errors.New("only looking")
}

// nowhere is the terminal of an agent that is not to be found.
type nowhere struct{}

func (nowhere) Look(context.Context) (term.Snapshot, error) { return term.Snapshot{}, term.ErrNoPane }
