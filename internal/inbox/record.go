package inbox

import (
	"bytes"
	"encoding/json"
	"time"

	"parley"
)

// Kind is the word of a record.
type Kind string

const (
	KindInbox   Kind = "inbox" // the first line: the format's version
	KindMessage Kind = "message"
	KindAttempt Kind = "attempt"
	KindReceipt Kind = "receipt"
	KindFact    Kind = "fact"
)

// Version is the format that this code writes. A file with a higher one is
// read as far as it can be, and not appended to.
const Version = 1

// NotLanded is the fact that a queued message was given up by its CLI: it is
// not in the box, not in the queue and not in the transcript.
const NotLanded parley.FactKind = "not-landed"

// Record is one line of an inbox. The doc of the package describes the fields.
type Record struct {
	Kind   Kind      `json:"kind"`
	V      int       `json:"v,omitempty"`
	ID     parley.ID `json:"id,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Offset int64     `json:"offset"`
	Prev   int64     `json:"prev,omitempty"`
	State  State     `json:"state,omitzero"`
	Book   *Book     `json:"book,omitempty"`
	Sum    sum       `json:"sum,omitempty"`
	Same   []int64   `json:"same,omitempty"`
	KeySum sum       `json:"key_sum,omitempty"`
	Keys   []int64   `json:"keys,omitempty"`

	Message *parley.Message `json:"message,omitempty"`
	Attempt *parley.Attempt `json:"attempt,omitempty"`
	Receipt *parley.Receipt `json:"receipt,omitempty"`
	Fact    *parley.Fact    `json:"fact,omitempty"`

	Line []byte `json:"-"` // as it stands in the file, unknown fields and all
}

// State is what became of one message so far.
type State struct {
	Tried   bool           `json:"tried,omitempty"`   // an attempt stands behind the last receipt
	Outcome parley.Outcome `json:"outcome,omitempty"` // of the last receipt; empty if there is none
	Settled bool           `json:"settled,omitempty"` // it was seen, or known not to have landed
	Read    bool           `json:"read,omitempty"`    // the recipient pulled it
}

// Open says that the message's end is not settled: someone still owes it a
// receipt, another try, or a look whether it arrived.
func (s State) Open() bool {
	switch {
	case s.Tried || s.Outcome == "":
		return true
	case s.Outcome == parley.Deferred:
		return !s.Read
	case s.Outcome == parley.Queued:
		return !s.Settled
	}
	return false
}

// Untyped says that nothing of the message was ever typed, nor is being typed.
func (s State) Untyped() bool {
	return !s.Tried && (s.Outcome == "" || s.Outcome == parley.Deferred)
}

// after is the state that r leaves behind.
func (s State) after(r *Record) State {
	switch r.Kind {
	case KindAttempt:
		s.Tried = true
	case KindReceipt:
		s.Tried, s.Outcome = false, r.Receipt.Outcome
	case KindFact:
		switch r.Fact.Kind {
		case parley.Seen, NotLanded:
			s.Settled = true
		case parley.Read:
			s.Read = true
		}
	}
	return s
}

// encode gives the record's line with its newline.
func (r *Record) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(r)
	return b.Bytes(), err
}

// parse reads a whole line that stands at offset at. It says no to whatever is
// not a record. r.Offset is what the line says of itself, which differs from at
// if the file was edited.
func parse(line []byte) (*Record, bool) {
	if len(line) < 2 || line[0] != '{' {
		return nil, false
	}
	r := new(Record)
	if err := json.Unmarshal(line, r); err != nil {
		return nil, false
	}
	r.Line = line
	return r, r.whole()
}

// whole says that a record of a known kind has what its kind must have.
func (r *Record) whole() bool {
	switch r.Kind {
	case KindMessage:
		return r.Message != nil && r.ID == r.Message.ID && r.ID != ""
	case KindAttempt:
		return r.Attempt != nil && r.ID == r.Attempt.ID
	case KindReceipt:
		return r.Receipt != nil && r.ID == r.Receipt.ID
	case KindFact:
		return r.Fact != nil && r.ID == r.Fact.ID
	}
	return r.Kind != ""
}

// known says that r is one that changes a message's state.
func (r *Record) known() bool {
	return r.Kind == KindAttempt || r.Kind == KindReceipt || r.Kind == KindFact
}

var (
	messageStart = []byte(`{"kind":"message",`)
	messageBody  = []byte(`,"message":{"id":`)
	messageEnd   = []byte(`}}`)
)

// parseHead is parse without a message's body, which can be long. What stands
// before the body in a line that we wrote holds no text of anyone's, so that
// the first `,"message":` is the member; any other line is parsed whole.
func parseHead(line []byte) (*Record, bool) {
	if !bytes.HasPrefix(line, messageStart) || !bytes.HasSuffix(line, messageEnd) {
		return parse(line)
	}
	i := bytes.Index(line, messageBody)
	if i < 0 {
		return parse(line)
	}
	head := append(bytes.Clone(line[:i]), '}')
	r := new(Record)
	if err := json.Unmarshal(head, r); err != nil || r.Kind != KindMessage || r.ID == "" {
		return parse(line)
	}
	return r, true
}
