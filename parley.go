package parley

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Name is an agent's or a person's name: 1 to 64 of letters, digits, '.', '_'
// and '-', beginning with a letter or digit, held in lower case.
type Name string

var nameShape = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ParseName accepts a name as people write it: case is folded and one leading
// '@' is dropped. The error says what a name may hold.
func ParseName(s string) (Name, error) {
	n := strings.ToLower(strings.TrimPrefix(s, "@"))
	if !nameShape.MatchString(n) {
		return "", fmt.Errorf("%q is not a name: begin with a letter or digit, then letters, digits, '.', '_' or '-', at most 64 in all", s)
	}
	return Name(n), nil
}

// ID names one message for ever: a ULID, 26 characters of Crockford base 32.
type ID string

// Tag is the last eight characters of the id in lower case: what stands in the
// typed text as [#tag], and is accepted wherever an id is.
func (id ID) Tag() string {
	if len(id) < 8 {
		return strings.ToLower(string(id))
	}
	return strings.ToLower(string(id[len(id)-8:]))
}

// Outcome is the end of one delivery, never rounded up.
type Outcome string

const (
	Submitted Outcome = "submitted" // seen in the box, key pressed, the box let it go
	Queued    Outcome = "queued"    // the same while the agent worked: its CLI holds it
	Saved     Outcome = "saved"     // mailbox only, as asked
	Deferred  Outcome = "deferred"  // nothing typed; may be tried again
	Gone      Outcome = "gone"      // the process that was meant is not there
	Unknown   Outcome = "unknown"   // something was typed, the end is not proven
)

// ExitCode is the process exit code of an outcome.
func (o Outcome) ExitCode() int {
	switch o {
	case Submitted, Queued, Saved:
		return 0
	case Deferred:
		return 3
	case Gone:
		return 4
	case Unknown:
		return 5
	}
	return 1
}

// Touched says how far a delivery reached into the terminal.
type Touched string

const (
	None    Touched = "none"
	Pasted  Touched = "pasted"
	Entered Touched = "entered"
)

// Reason is one word of REASONS.md; empty on success.
type Reason string

// Evidence is one thing a look has shown that was false before we acted.
type Evidence string

const (
	InBox      Evidence = "in-box"      // exactly our text, alone, stood in the box
	InBoxPart  Evidence = "in-box-part" // the box was too tall: our exact tail stood in it
	LeftBox    Evidence = "left-box"    // and then it did not
	QueuedMark Evidence = "queued-mark" // the CLI drew that it holds our text
	Hook       Evidence = "hook"        // the CLI's hook reported our prompt
	Transcript Evidence = "transcript"  // the CLI's own record holds the whole text
)

// Strength orders evidence: a stronger kind has a higher number.
func (e Evidence) Strength() int {
	return slices.Index([]Evidence{InBoxPart, InBox, LeftBox, QueuedMark, Hook, Transcript}, e)
}

// Change names something that parley or the CLI does to a text on its way.
type Change string

// Door is the way in by which a message was carried.
type Door string

// Typed is the only door so far: bracketed paste and one key.
const Typed Door = "typed"

// Message is what is said: saved whole before anything is done about it.
type Message struct {
	ID      ID        `json:"id"`
	From    Name      `json:"from"`
	To      Name      `json:"to"`
	Body    string    `json:"body"` // as it will be typed: already cleaned, see Changes
	At      time.Time `json:"at"`
	Claimed bool      `json:"claimed"`           // From is what the caller said, not proven
	Key     string    `json:"key,omitempty"`     // same key, same recipient: same message
	Meant   string    `json:"meant,omitempty"`   // identity it was meant for; empty = nobody yet
	Changes []Change  `json:"changes,omitempty"` // what parley changed in the body
	ReplyTo ID        `json:"reply_to,omitempty"`
	Mailbox bool      `json:"mailbox,omitempty"` // never typed, only kept
	When    string    `json:"when,omitempty"`    // "idle": do not type while the agent works
	SentBy  string    `json:"sent_by,omitempty"` // identity of the agent that was proven to speak; empty for a person or a claim
}

// Step is how far an attempt is about to go; logged before it goes there.
type Step string

const (
	StepPaste Step = "paste" // the paste is about to be asked for
	StepPress Step = "press" // the key is about to be asked for
	StepAgain Step = "again" // the one further press, on proof that our text still stands
	StepClear Step = "clear" // a key that takes our text out of the box again is about to be asked for
)

// Attempt is an intent to type, fsynced before the first byte: an attempt with
// no receipt is unknown for ever, unless evidence settles it.
type Attempt struct {
	ID     ID        `json:"id"`
	Step   Step      `json:"step"`
	At     time.Time `json:"at"`
	Target string    `json:"target"` // the identity that was looked at
	CLI    string    `json:"cli,omitempty"`
	// Records are the files in which the agent kept its conversation when this
	// was written, best first: there the text will stand, also if the agent is
	// gone or has begun another conversation by then. With the step "paste" only.
	Records []string `json:"records,omitempty"`
	// Residue: the text was found in the box, left there by an attempt that had
	// ended.
	Residue bool `json:"residue,omitempty"`
}

// Receipt is what can be proven of one delivery.
type Receipt struct {
	ID       ID         `json:"id"`
	To       Name       `json:"to"`
	From     Name       `json:"from"`
	Outcome  Outcome    `json:"outcome"`
	Door     Door       `json:"door"`
	Touched  Touched    `json:"touched"`
	Reason   Reason     `json:"reason"`
	Evidence []Evidence `json:"evidence"`
	Altered  bool       `json:"altered"`
	Changes  []Change   `json:"changes"`
	Claimed  bool       `json:"claimed"`
	TookMS   int64      `json:"took_ms"`
	At       time.Time  `json:"at"`
}

// Fact is something learned about a message after its receipt.
type Fact struct {
	ID   ID        `json:"id"`
	Kind FactKind  `json:"kind"`
	At   time.Time `json:"at"`
	By   Name      `json:"by,omitempty"`   // who read or answered
	Note string    `json:"note,omitempty"` // a sentence for people
}

// FactKind is the word of a later fact.
type FactKind string

const (
	Seen     FactKind = "seen"     // the CLI's transcript holds the exact text
	Read     FactKind = "read"     // the recipient pulled it
	Answered FactKind = "answered" // a reply refers to it
)
