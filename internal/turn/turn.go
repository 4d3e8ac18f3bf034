// Package turn says whose move it is: the agent's, a person's, or nobody's. It
// lays what several sources say over each other, and names each as evidence.
//
// The sources, the most trusted first: a file in which the CLI says it, the
// marks in its own record, its window's title, its screen. A question on screen
// outranks everything. That the agent works, any of them may say; that it is
// idle, only all together, the screen among them: no CLI reports how its own
// permission dialog was answered, an Escape, or a Ctrl+C.
package turn

import (
	"strings"

	"parley/internal/dialect"
)

// Source is where a signal comes from.
type Source string

const (
	File   Source = "state-file"
	Record Source = "record"
	Title  Source = "title"
	Screen Source = "screen"
)

// Signal is what one source says.
type Signal struct {
	From Source
	Turn dialect.Turn
	Says string // its own words for it
}

// State is what all sources together say.
type State struct {
	Turn    dialect.Turn
	End     dialect.End // how the last turn ended, where the record says so
	Signals []Signal
}

// Evidence lists the signals, most trusted first.
func (s State) Evidence() string {
	var out []string
	for _, g := range s.Signals {
		out = append(out, string(g.From)+": "+g.Says)
	}
	return strings.Join(out, "; ")
}

// Judge lays signals, most trusted first, over each other. Without a screen
// among them nothing is idle.
func Judge(signals ...Signal) State {
	s := State{Turn: dialect.UnknownTurn, Signals: signals}
	by := map[Source]dialect.Turn{}
	for _, g := range signals {
		by[g.From] = g.Turn
	}
	if t, ok := by[Title]; ok && by[Screen] == "" {
		by[Screen] = t // the screen was read, and its title decided
	}
	seen := by[Screen]
	switch {
	case seen == dialect.Asking:
		s.Turn = dialect.Asking
	case by[File] == dialect.Asking && (seen == dialect.UnknownTurn || seen == ""):
		s.Turn = dialect.Asking // in a dialog that no rule knows
	case by[File] == dialect.Asking, by[File] == dialect.Working, seen == dialect.Working:
		s.Turn = dialect.Working
	case by[Record] == dialect.Working && by[File] != dialect.Idle:
		s.Turn = dialect.Working
	case seen == dialect.Idle:
		s.Turn = dialect.Idle
	}
	return s
}

// OfScreen is the signal of a screen that was read.
func OfScreen(r dialect.Reading) Signal {
	from := Screen
	if r.ByTitle {
		from = Title
	}
	return Signal{from, r.Turn, r.Rule}
}
