package courier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parley"
	"parley/internal/durable"
	"parley/internal/term"
)

// note is one line of residue.jsonl: what was done about a text of ours that
// was found in a box, or why it stays there.
type note struct {
	At     time.Time   `json:"at"`
	Did    string      `json:"did"` // entered, cleared, stays, gone
	Why    string      `json:"why,omitempty"`
	Tag    string      `json:"tag"`
	ID     parley.ID   `json:"id,omitempty"`
	From   parley.Name `json:"from,omitempty"`
	To     parley.Name `json:"to"`
	Target string      `json:"target"`
	Keys   int         `json:"keys,omitempty"` // that took it out
}

const (
	didEnter = "entered"
	didClear = "cleared"
	didStay  = "stays"
	didLose  = "gone" // it left the box otherwise, while it was to be taken out

	// Why a text stays.
	whyUnknown  = "unknown-tag"     // no inbox of a name that ever stood here has such a message
	whyMixed    = "not-alone"       // something else stands beside it, or not all of it is in sight
	whyTaken    = "taken"           // it went out once, or was never typed: somebody brought it there
	whyProcess  = "wrong-process"   // it was meant for another process
	whySender   = "sender-ended"    // the agent that sent it has ended
	whyClaim    = "sender-unproven" // nobody was proven to send it
	whyNoKey    = "no-key"          // the dialect knows no key that takes it out
	whyBefore   = "cleared-before"  // it was taken out once, or could not be
	whyNoEffect = "no-effect"       // the key took nothing out

	// Why a text was taken out instead of entered.
	whyPressed = "key-pressed" // its key was asked for before
	whyOld     = "too-old"
	whyRead    = "read"  // its recipient has read it in its inbox
	whyPart    = "part"  // a signature without its body
	whyTwo     = "two"   // two texts, one behind the other
	whyBegun   = "begun" // an earlier sender ended in the middle of it
)

// ledger is the file of a team's notes.
func (c *Courier) ledger() string { return filepath.Join(c.dir, "residue.jsonl") }

// note writes what was done about the text. What the newest line about it says
// already is not said again, so that a killed sender's successor may repeat it.
func (l left) note(at term.Target, n note) error {
	m := l.e.Message
	n.ID, n.From, n.To, n.Tag = m.ID, m.From, m.To, m.ID.Tag()
	return l.c.write(at, n)
}

func (c *Courier) write(at term.Target, n note) error {
	n.At, n.Target = now(), at.String()
	last, err := c.lastNote(n.Tag)
	if err != nil || last.Did == n.Did && (n.Did != didStay || last.Why == n.Why && last.To == n.To) {
		return err
	}
	line, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode note of residue: %w", err)
	}
	return durable.AppendLine(context.Background(), c.ledger(), line)
}

// lastNote is the newest line about a tag; the zero note if there is none. A
// line that a crash has cut short is passed over.
func (c *Courier) lastNote(tag string) (last note, err error) {
	all, err := os.ReadFile(c.ledger())
	if errors.Is(err, fs.ErrNotExist) {
		return last, nil
	}
	if err != nil {
		return last, fmt.Errorf("read notes of residue: %w", err)
	}
	for line := range bytes.Lines(all) {
		var n note
		if bytes.HasSuffix(line, []byte("\n")) && json.Unmarshal(line, &n) == nil && n.Tag == tag {
			last = n
		}
	}
	return last, nil
}

// stays writes down why what stands in the box was left there.
func (s *settler) stays(w *walk, found []left, why string) error {
	if len(found) == 0 {
		for _, tag := range tagsIn(w.read.Draft) {
			n := note{Did: didStay, Why: why, Tag: tag[2 : len(tag)-1], To: s.member.Name}
			if err := s.c.write(s.member.Target, n); err != nil {
				return err
			}
		}
	}
	for _, l := range found {
		if err := l.note(s.member.Target, note{Did: didStay, Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// ended records the end of a text that was settled. The receipt comes last:
// until it is there the message is open, and whoever comes next says the rest.
func (l left) ended(ctx context.Context, at term.Target, n note, r parley.Receipt) error {
	if err := l.note(at, n); err != nil {
		return err
	}
	if err := l.c.mail(ctx, l.e.Message, n.Did, l.fate(n, r)); err != nil {
		return err
	}
	return l.box.Receipt(r)
}

// fate is what its sender is told.
func (l left) fate(n note, r parley.Receipt) string {
	m := l.e.Message
	if n.Did != didEnter || r.Reason != "" {
		return l.c.outcomeOf(m, r)
	}
	_, team := l.c.sender(m)
	return fmt.Sprintf("your message %s to %s had been left in the box, and its key was pressed now: %s (touched: %s)", m.ID, l.c.asSeenFrom(team, m.To), r.Outcome, r.Touched)
}

// neighbours are the inboxes of all other names that ever stood at this target,
// in this team and in the others.
func (s *settler) neighbours() (out []left) {
	teams, _ := os.ReadDir(filepath.Join(s.c.cfg.Home, "teams"))
	for _, t := range teams {
		c := s.c.in(t.Name())
		names, _ := c.roster.EverAt(s.member.Target)
		for _, n := range names {
			if c.dir != s.c.dir || n != s.member.Name {
				out = append(out, left{c: c, box: c.Inbox(n)})
			}
		}
	}
	return out
}
