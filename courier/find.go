package courier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley"
	"parley/internal/inbox"
	"parley/internal/term"
)

// FindAnywhere finds a message by id or tag in any inbox of the team.
func (c *Courier) FindAnywhere(idOrTag string) (inbox.Entry, error) {
	idOrTag = strings.Trim(idOrTag, "[#]")
	files, err := os.ReadDir(filepath.Join(c.dir, "inbox"))
	if err != nil {
		return inbox.Entry{}, fmt.Errorf("list inboxes: %w", err)
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), ".jsonl")
		if !ok {
			continue
		}
		e, found, err := c.findIn(parley.Name(name), idOrTag)
		if err != nil || found {
			return e, err
		}
	}
	return inbox.Entry{}, Refusal{"", fmt.Sprintf("no message %q: give the id or the eight characters of its tag", idOrTag)}
}

func (c *Courier) findIn(n parley.Name, idOrTag string) (inbox.Entry, bool, error) {
	box := c.Inbox(n)
	return box.Find(idOrTag)
}

// Settle decides open attempts and queued messages to a name from evidence,
// and looks for the proof of an unknown one if its id is given. It needs the
// target's lock and passes by if somebody holds it. It never pastes or presses.
func (c *Courier) Settle(ctx context.Context, n parley.Name, id parley.ID) error {
	m, known, err := c.roster.Member(n)
	if err != nil || !known {
		return err
	}
	box := c.Inbox(n)
	open, err := box.OpenMessages()
	if err != nil {
		return err
	}
	if !needsSettling(open) && id == "" {
		return nil
	}
	line, err := c.cfg.Dial(m.Target)
	if err != nil {
		return err
	}
	soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, release, err := line.Hold(soon)
	switch {
	case err == nil:
		defer release()
	case !errors.Is(err, term.ErrNoPane):
		return nil // busy: whoever holds it settles
	}
	s := settler{c: c, box: box, line: viewOnly{line}, member: m}
	if err := s.run(ctx); err != nil {
		return err
	}
	return s.reconsider(ctx, id)
}

func needsSettling(open []inbox.Entry) bool {
	for _, e := range open {
		if e.Tried || e.Receipt != nil && e.Receipt.Outcome == parley.Queued {
			return true
		}
	}
	return false
}

// reconsider turns an unknown message into a submitted one if the CLI's own
// record proves by now that it arrived whole.
func (s *settler) reconsider(ctx context.Context, id parley.ID) error {
	if id == "" {
		return nil
	}
	e, found, err := s.box.Find(string(id))
	if err != nil || !found || e.Receipt == nil || e.Receipt.Outcome != parley.Unknown && e.Receipt.Outcome != parley.Submitted {
		return err
	}
	w, ok := s.walkFor(ctx, e.Message)
	if e.Settled {
		return nil
	}
	f := w.recorded(e, ok)
	if !f.prompt || !f.same {
		return nil
	}
	w.tie(f)
	if e.Receipt.Outcome == parley.Submitted {
		if hasEvidence(*e.Receipt, parley.Transcript) {
			return nil
		}
		return s.box.Fact(parley.Fact{ID: id, Kind: parley.Seen, At: now()})
	}
	r := receiptFor(e.Message)
	r.Outcome, r.Touched = parley.Submitted, parley.Entered
	r.Evidence, r.Changes = append(e.Receipt.Evidence, parley.Transcript), f.changes
	r.Altered = len(r.Changes) > 0
	return s.box.Receipt(r)
}
