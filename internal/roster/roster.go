// Package roster knows which name means which agent: who joined, who was
// found, and whether the process that stands there now is still the one that
// was meant. What it holds is a snapshot; every use checks the process again.
package roster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley"
	"parley/internal/durable"
	"parley/internal/term"
)

// Member is one line of roster.jsonl. For each name the last line stands.
type Member struct {
	Kind     string      `json:"kind"` // "join", "found", "leave" or "session"
	Name     parley.Name `json:"name"`
	CLI      string      `json:"cli,omitempty"`
	Version  string      `json:"version,omitempty"`
	Target   term.Target `json:"target,omitzero"`
	Identity string      `json:"identity,omitempty"` // Agent.Identity at that time
	Purpose  string      `json:"purpose,omitempty"`
	Session  string      `json:"session,omitempty"` // the agent's conversation, as last proven
	At       time.Time   `json:"at"`
}

// The kinds of a line.
const (
	Joined = "join"
	Found  = "found"
	Left   = "leave"
	// Proven only adds the session to a name that still means the same
	// identity. It never brings a name back.
	Proven = "session"
)

// Roster is one team's file.
type Roster struct{ path string }

// In returns the roster of the team whose folder is given.
func In(teamDir string) Roster { return Roster{filepath.Join(teamDir, "roster.jsonl")} }

// Members returns the last line of every name that has not left, in the order
// in which the names first appeared.
func (r Roster) Members() ([]Member, error) {
	all, err := r.Lines()
	return slices.DeleteFunc(all, func(m Member) bool { return m.Kind == Left }), err
}

// HasLeft reports whether a name was taken off while this very process bore it:
// the process stays without it until somebody gives it one.
func HasLeft(lines []Member, n parley.Name, identity string) bool {
	return slices.ContainsFunc(lines, func(m Member) bool {
		return m.Kind == Left && m.Name == n && m.Identity == identity
	})
}

// Lines is Members with the names that have left. A line that was torn is
// passed over.
func (r Roster) Lines() ([]Member, error) {
	b, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read roster: %w", err)
	}
	last := map[parley.Name]Member{}
	var order []parley.Name
	for line := range bytes.Lines(b) {
		var m Member
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &m) != nil || m.Name == "" {
			continue
		}
		old, known := last[m.Name]
		if m.Kind == Proven {
			if known && old.Kind != Left && old.Identity == m.Identity {
				old.Session = m.Session
				last[m.Name] = old
			}
			continue
		}
		if !known {
			order = append(order, m.Name)
		}
		last[m.Name] = m.keeping(old)
	}
	var out []Member
	for _, n := range order {
		out = append(out, last[n])
	}
	return out, nil
}

// Member returns the line that stands for a name.
func (r Roster) Member(n parley.Name) (Member, bool, error) {
	all, err := r.Members()
	for _, m := range all {
		if m.Name == n {
			return m, true, err
		}
	}
	return Member{}, false, err
}

// Write appends one line, synced. A line that would repeat what stands is not
// written.
func (r Roster) Write(ctx context.Context, m Member) error {
	old, known, err := r.Member(m.Name)
	if err != nil {
		return err
	}
	m = m.keeping(old)
	if same := old; known {
		same.At = m.At
		if same == m {
			return nil
		}
	}
	return r.append(ctx, m)
}

// keeping carries over the session that was proven of the same process.
func (m Member) keeping(old Member) Member {
	if m.Session == "" && m.Kind != Left && m.Identity == old.Identity {
		m.Session = old.Session
	}
	return m
}

// Prove writes down the conversation of the agent that a name means. It writes
// nothing if the name means another process by now.
func (r Roster) Prove(ctx context.Context, n parley.Name, identity, session string) error {
	m, known, err := r.Member(n)
	if err != nil || !known || m.Identity != identity || session == "" || m.Session == session {
		return err
	}
	return r.append(ctx, Member{Kind: Proven, Name: n, Identity: identity, Session: session, At: time.Now().UTC().Truncate(time.Millisecond)})
}

func (r Roster) append(ctx context.Context, m Member) error {
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode roster line: %w", err)
	}
	if err := durable.AppendLine(ctx, r.path, b); err != nil {
		return fmt.Errorf("write roster: %w", err)
	}
	return nil
}

// EverAt lists the names that stood at a target once, or stand there now.
func (r Roster) EverAt(t term.Target) (names []parley.Name, err error) {
	b, err := os.ReadFile(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read roster: %w", err)
	}
	for line := range bytes.Lines(b) {
		var m Member
		if json.Unmarshal(line, &m) == nil && m.Target == t && m.Name != "" && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names, nil
}
