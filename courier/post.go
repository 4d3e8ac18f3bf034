package courier

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley"
)

// MaxBody is the largest body that is typed, in bytes after cleaning.
const MaxBody = 64 << 10

// Draft is a message before it is saved.
type Draft struct {
	From    parley.Name
	Claimed bool   // From is what the caller said
	Agent   string // identity of the agent that speaks, where that is proven
	To      parley.Name
	Body    string
	Key     string
	ReplyTo parley.ID
	Mailbox bool
	When    string // "" or "idle"
}

// Check says whether Post would refuse a draft, and saves nothing.
func (c *Courier) Check(ctx context.Context, d Draft) error {
	m, err := c.message(ctx, d)
	if err != nil || d.Key == "" {
		return err
	}
	first, known, err := c.Inbox(d.To).Keyed(d.Key)
	if err != nil || !known {
		return err
	}
	return sameKey(first, m)
}

// Post saves a message in its recipient's inbox and returns it once it is on
// disk. Nothing is typed. The same message again (same key, or same sender and
// body while it is open) gives the earlier one and again = true; a key that
// stands for a message that says something else is refused. A Refusal means
// that nothing was saved.
func (c *Courier) Post(ctx context.Context, d Draft) (m parley.Message, again bool, err error) {
	if m, err = c.message(ctx, d); err != nil {
		return m, false, err
	}
	box := c.Inbox(d.To)
	asked := m
	m, again, err = box.Post(m)
	if again && d.Key != "" {
		if err := sameKey(m, asked); err != nil {
			return parley.Message{}, false, err
		}
	}
	if err != nil || again || !d.Mailbox {
		return m, again, err
	}
	return m, false, box.Receipt(saved(m))
}

// sameKey refuses a message whose key stands for one that says something else.
// To give that one's receipt would lose the second without a word.
func sameKey(first, m parley.Message) error {
	var differs []string
	if first.From != m.From {
		differs = append(differs, fmt.Sprintf("it is from %s, not %s", first.From, m.From))
	}
	if first.Body != m.Body {
		differs = append(differs, "its text is another one")
	}
	if first.ReplyTo != m.ReplyTo {
		differs = append(differs, "it answers another message")
	}
	if len(differs) == 0 {
		return nil
	}
	return Refusal{parley.ReasonKeyTaken, fmt.Sprintf(
		"the key %q stands for message %s to %s of %s, which is not this one: %s; nothing was saved: give this one a key of its own (`parley log %s` shows the first)",
		m.Key, first.ID, m.To, first.At.Local().Format("2006-01-02 15:04"), strings.Join(differs, ", and "), first.ID.Tag())}
}

// message makes the message of a draft: cleaned, checked, and meant for the
// process that bears the name now.
func (c *Courier) message(ctx context.Context, d Draft) (parley.Message, error) {
	body, changes := clean(d.Body)
	switch {
	case strings.TrimSpace(body) == "":
		return parley.Message{}, Refusal{"", "the message is empty: give TEXT, or pipe it to `parley send NAME -`"}
	case len(body) > MaxBody && !d.Mailbox:
		return parley.Message{}, Refusal{parley.ReasonTooLong, fmt.Sprintf(
			"the message has %d bytes, at most %d are typed: put it in a file and use `parley send --file PATH %s`", len(body), MaxBody, d.To)}
	case d.From == d.To && !d.Mailbox:
		return parley.Message{}, Refusal{parley.ReasonSelf, fmt.Sprintf("%s cannot send to itself", d.From)}
	}
	m := parley.Message{From: d.From, To: d.To, Body: body, Claimed: d.Claimed, Key: d.Key,
		Changes: changes, ReplyTo: d.ReplyTo, Mailbox: d.Mailbox, When: d.When, SentBy: d.Agent}
	if d.Mailbox {
		return m, nil
	}
	member, err := c.Resolve(ctx, d.To)
	if r, refused := Refused(err); refused && r.Reason == parley.ReasonNoAgent {
		r.Say += fmt.Sprintf("; `parley send --mailbox %s …` saves it all the same", d.To)
		err = r
	}
	if err == nil && d.Agent != "" && d.Agent == member.Identity {
		return m, Refusal{parley.ReasonSelf, fmt.Sprintf("%s and %s are one agent: it cannot send to itself", d.From, d.To)}
	}
	m.Meant = member.Identity
	return m, err
}

func saved(m parley.Message) parley.Receipt {
	r := receiptFor(m)
	r.Outcome, r.Touched = parley.Saved, parley.None
	return r
}

// receiptFor is a receipt with everything that is known before the walk.
func receiptFor(m parley.Message) parley.Receipt {
	return parley.Receipt{ID: m.ID, To: m.To, From: m.From, Door: parley.Typed, Touched: parley.None,
		Evidence: []parley.Evidence{}, Changes: append([]parley.Change{}, m.Changes...),
		Altered: len(m.Changes) > 0, Claimed: m.Claimed, At: now(), TookMS: 0}
}

// now is the present as records hold it: UTC, whole milliseconds.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
