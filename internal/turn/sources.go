package turn

import (
	"encoding/json"
	"os"
	"strings"

	"parley/internal/dialect"
	"parley/internal/transcript"
)

// Of looks at every source that an agent has besides its screen, and judges
// them together with what its screen says.
func Of(d *dialect.Dialect, p transcript.Proc, r dialect.Reading) State {
	var signals []Signal
	if g, ok := ofFile(d.State, p); ok {
		signals = append(signals, g)
	}
	mark := ofRecord(d.Transcript, p)
	switch {
	case mark.Begun:
		signals = append(signals, Signal{Record, dialect.Working, "begun"})
	case mark.End != "":
		signals = append(signals, Signal{Record, dialect.Idle, string(mark.End)})
	}
	s := Judge(append(signals, OfScreen(r))...)
	s.End = mark.End
	return s
}

// ofFile reads what the CLI writes of its own state. A file of a process that
// has ended, or of an earlier one with its number, is none.
func ofFile(f dialect.StateFile, p transcript.Proc) (Signal, bool) {
	if f.File == "" {
		return Signal{}, false
	}
	text, err := os.ReadFile(transcript.Fill(f.File, p))
	if err != nil {
		return Signal{}, false
	}
	var v any
	if json.Unmarshal(text, &v) != nil || !startedAt(transcript.Member(v, f.Start), p.Start) {
		return Signal{}, false
	}
	for _, t := range f.Turns {
		if transcript.Matches(v, t.Where) {
			return Signal{File, t.Is, string(t.Is)}, true
		}
	}
	return Signal{}, false
}

// startedAt compares a start time as CLIs write it, in the system's own count
// and perhaps behind the boot's id, with that of the process.
func startedAt(written, start string) bool {
	count := written[strings.LastIndexByte(written, ':')+1:]
	return count != "" && strings.HasSuffix(start, "-"+count)
}

// ofRecord reads the last mark of the agent's record, where it is known which
// that is: one that is only the newest in its folder can be another session's.
func ofRecord(t dialect.Transcript, p transcript.Proc) transcript.Mark {
	for _, f := range transcript.Certain(t, p) {
		if m, err := transcript.LastMark(f.Path, t); err == nil {
			return m
		}
	}
	return transcript.Mark{}
}
