package courier

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/inbox"
	"parley/internal/proc"
	"parley/internal/roster"
	"parley/internal/transcript"
)

// recorded is what an agent's own record says of one message.
type recorded struct {
	prompt  bool // a prompt with our tag has reached the conversation
	queue   bool // the CLI wrote down that it holds it for later
	same    bool // and it is the whole text, but for changes
	changes []parley.Change
	session string
}

// ends are the sizes of records before anything was typed, by path: what is
// searched for can only stand behind them.
type ends map[string]int64

// recordsNoted is how many of an agent's records an attempt names at most. Where
// the process does not tell which is its own, it is the newest of its folder or
// one of the next.
const recordsNoted = 4

// recordsNow lists the agent's records, and notes how long they are now.
func recordsNow(a roster.Agent) (paths []string, sizes ends) {
	sizes = ends{}
	for _, f := range recordsOf(a, time.Now().Add(-time.Hour)) {
		if info, err := os.Stat(f.Path); err == nil {
			paths, sizes[f.Path] = append(paths, f.Path), info.Size()
		}
	}
	return paths, sizes
}

func recordsOf(a roster.Agent, since time.Time) []transcript.File {
	return transcript.Find(a.Dialect.Transcript, procOf(a, ""), since)
}

// procOf is the agent's process as its records are sought by. session is its
// conversation, where that is proven.
func procOf(a roster.Agent, session string) transcript.Proc {
	return transcript.Proc{PID: a.Proc.PID, Start: a.Proc.Start, Config: a.Config, Cwd: a.Cwd, Session: session,
		OpenFiles: func() []string { f, _ := proc.OpenFiles(a.Proc.PID); return f }}
}

// recordedIn searches the agent's record, from its end back to where it ended
// before, for our tag.
func recordedIn(a roster.Agent, t typed, since time.Time, before ends) recorded {
	return search(recordsOf(a, since.Add(-time.Second)), a, t, before)
}

// recordedEver searches for the text of an earlier attempt wherever the agent can
// have recorded it: in its record, in those that it had when the text was typed
// (it may have begun another conversation since), and if it is gone, in all that
// its CLI has written to since.
func recordedEver(a roster.Agent, t typed, e inbox.Entry, gone bool) recorded {
	since := e.Message.At.Add(-time.Second)
	files := recordsOf(a, since)
	for _, step := range e.Attempts {
		for _, path := range step.Records {
			files = append(files, transcript.At(path))
		}
	}
	if gone {
		files = append(files, transcript.Left(a.Dialect.Transcript, procOf(a, ""), since)...)
	}
	return search(files, a, t, nil)
}

// search looks for our tag in files, each once.
func search(files []transcript.File, a roster.Agent, t typed, before ends) recorded {
	var out recorded
	done := map[string]bool{}
	for _, f := range files {
		if done[f.Path] {
			continue
		}
		done[f.Path] = true
		hits, err := transcript.SearchAfter(f.Path, t.tag, a.Dialect.Transcript, before[f.Path])
		if err != nil {
			continue // a record that cannot be read proves nothing
		}
		for _, h := range hits {
			if !strings.Contains(h.Text, t.tag) {
				continue
			}
			out.queue = out.queue || h.Queued
			if h.Queued {
				continue
			}
			out.prompt, out.session = true, f.Session
			if same, changes := a.Dialect.SameText(h.Text, t.whole); same {
				out.same, out.changes = true, union(t.changes, changes)
				return out
			}
		}
	}
	return out
}

// onRecord looks for our text in the agent's record after the key; at most as
// often as recordEvery, since each look opens files.
func (w *walk) onRecord(pressed time.Time) *end {
	if w.seen.At.Sub(w.recordAt) < recordEvery {
		return nil
	}
	w.recordAt = w.seen.At
	f := recordedIn(w.agent, w.text, pressed, w.ends)
	switch {
	case f.queue && !f.prompt:
		w.prove(parley.QueuedMark)
		return nil
	case !f.prompt:
		return nil
	case !f.same:
		return unknown(parley.ReasonMixed) // what slipped in undrawn before the key
	}
	w.prove(parley.Transcript)
	w.rec.Changes = f.changes
	w.tie(f)
	return &end{parley.Submitted, ""}
}

// tie writes down in which conversation of the agent a whole text of ours was
// found: by that its shared daemon's tools are known (roster.Speaking). What
// cannot be written now is written at the next proof.
func (w *walk) tie(f recorded) {
	if f.same {
		_ = w.c.roster.Prove(context.Background(), w.m.To, w.agent.Identity, f.session)
	}
}

const recordEvery = 15 * time.Millisecond

// union lists every change once, in order.
func union(a, b []parley.Change) []parley.Change {
	out := []parley.Change{}
	for _, c := range slices.Concat(a, b) {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
