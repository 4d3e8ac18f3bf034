//go:build real

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/e2e/rig"
)

// moments is one way in which a CLI comes to ask while it works.
type moments struct {
	name              string
	cli               rig.CLI
	opts              rig.Opts
	script            string // what the model is made to do; %d is the trial
	drawn             string // first drawn with the dialog, in one run of bytes
	short, long, full int    // trials
}

// TestRealDialogMoments: the model calls a tool that needs a person, or asks a
// question, at a random moment around a send into the working agent. Our key
// must never answer. What was hit, and how closely, is logged: docs/BENCH.md.
func TestRealDialogMoments(t *testing.T) {
	questions := rig.Opts{Append: map[string]string{".codex/config.toml": codexQuestions}}
	const tool, ask = "STUB:tool=touch made-%d.txt", "STUB:question=Which colour %d?"
	for _, m := range []moments{
		{"claude permission", rig.CLI{Name: "claude", Version: "2.1.332"}, rig.Opts{}, tool, "cancel", 3, 20, 300},
		{"codex approval", rig.CLI{Name: "codex", Version: "0.171.0"}, rig.Opts{}, tool, "Would", 3, 20, 300},
		{"codex question", rig.CLI{Name: "codex", Version: "0.171.0"}, questions, ask, "unanswered", 3, 20, 300},
		{"claude question", rig.CLI{Name: "claude", Version: "2.1.332"}, rig.Opts{}, ask, "cancel", 0, 8, 100},
		{"old claude permission", rig.CLI{Name: "claude", Version: "2.1.197"}, rig.Opts{}, tool, "cancel", 0, 8, 300},
		{"old codex approval", rig.CLI{Name: "codex", Version: "0.98.0"}, rig.Opts{}, tool, "Would", 0, 8, 300},
	} {
		if n := times(m.short, m.long, m.full); n > 0 {
			t.Run(m.name, func(t *testing.T) { m.run(t, n) })
		}
	}
}

const streams = 450 * time.Millisecond // the answer, before the tool is called

func (m moments) run(t *testing.T, n int) {
	s := newStage(t)
	m.opts.Session = "agent"
	a := s.rig.Start(m.cli, m.opts)
	s.parley("status")
	w := &watched{stage: s, a: a, m: m, out: filepath.Join(s.rig.Dir(), "drawn")}
	s.rig.Tmux("pipe-pane", "-O", "-t", a.Pane, "exec cat >> "+w.out)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	var found []moment
	behind, walk := 150*time.Millisecond, 120*time.Millisecond // first guesses; the trials tell
	for i := range n {
		// Every other send begins so that its key and the dialog come at about the
		// same time, the others anywhere from a walk before it to when it is there.
		early := walk + time.Duration(random.NormFloat64()*float64(40*time.Millisecond))
		if i%2 == 1 {
			early = time.Duration(random.Int64N(int64(2*walk))) - walk/4
		}
		at := w.trial(i, streams+behind-early)
		found = append(found, at)
		t.Logf("trial %d: dialog %v behind the answer, send began %v and pressed %s before it: %s %s %s", i,
			at.drawn.Sub(at.asked)-streams, at.drawn.Sub(at.began), before(at), at.receipt.Outcome, at.receipt.Touched, at.receipt.Reason)
		// A dialog that a key has held back is no measure.
		if !at.drawn.IsZero() && at.receipt.Touched == parley.None {
			behind += (at.drawn.Sub(at.asked) - streams - behind) / 8
		}
		if !at.pressed.IsZero() {
			walk += (at.pressed.Sub(at.began) - walk) / 8
		}
		if t.Failed() && at.broken {
			break
		}
	}
	report(t, m, found, seed)
}

// moment is what became of one trial.
type moment struct {
	asked, began, pressed, drawn time.Time // of the model's request, the send, its key, the dialog
	receipt                      parley.Receipt
	answered                     bool
	broken                       bool
}

// watched is an agent whose output is written to a file.
type watched struct {
	*stage
	a   *rig.Agent
	m   moments
	out string
}

func (w *watched) trial(i int, after time.Duration) moment {
	w.Helper()
	var at moment
	tag := fmt.Sprintf("[#aaaa%04d]", i)
	script := fmt.Sprintf(w.m.script, i)
	w.a.Submit(fmt.Sprintf("lead: STUB:slow=%s %s %s", streams, script, tag))
	at.asked = w.a.Prompt(tag).At
	drawn := make(chan time.Time, 1)
	go func() { drawn <- w.whenDrawn(w.size()) }()
	timer := time.NewTimer(time.Until(at.asked.Add(after)))
	<-timer.C
	c := w.command("send", "--json", "--wait", "0", "agent", fmt.Sprintf("trial %d", i))
	var out bytes.Buffer
	c.Stdout = &out
	at.began = time.Now()
	if err := c.Start(); err != nil {
		w.Fatal(err)
	}
	c.Wait()
	at.drawn = <-drawn
	if err := json.Unmarshal(out.Bytes(), &at.receipt); err != nil {
		w.Fatalf("trial %d: no receipt: %q", i, out.String())
	}
	at.pressed = w.pressedAt(at.receipt.ID)
	w.judge(i, &at)
	return at
}

func (w *watched) size() int64 {
	st, err := os.Stat(w.out)
	if err != nil {
		return 0
	}
	return st.Size()
}

// whenDrawn is when the dialog's mark was drawn behind byte from; zero if it
// never was.
func (w *watched) whenDrawn(from int64) time.Time {
	f, err := os.Open(w.out)
	if err != nil {
		return time.Time{}
	}
	defer f.Close()
	b := make([]byte, 1<<20)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if n, _ := f.ReadAt(b, from); bytes.Contains(b[:n], []byte(w.m.drawn)) {
			return time.Now()
		}
	}
	return time.Time{}
}

// pressedAt is when the sender was about to press its key; zero if it never was.
func (w *watched) pressedAt(id parley.ID) time.Time {
	for line := range strings.Lines(w.parley("log", string(id), "--json").out) {
		var e struct{ Attempt parley.Attempt }
		if json.Unmarshal([]byte(line), &e) == nil && e.Attempt.Step == parley.StepPress {
			return e.Attempt.At
		}
	}
	return time.Time{}
}

// judge holds the receipt against the dialog, which a person then answers, and
// against the model.
func (w *watched) judge(i int, at *moment) {
	w.Helper()
	made := filepath.Join(w.a.Cwd, fmt.Sprintf("made-%d.txt", i))
	answered := func() bool {
		_, err := os.Stat(made)
		return err == nil || w.results(at.asked) > 0
	}
	w.a.Until("the dialog, or its answer", func(l rig.Look) bool { return isDialog(w.a, l) || answered() })
	w.a.Still("a still screen", func(rig.Look) bool { return true })
	if at.answered = answered(); at.answered {
		at.broken = true
		w.Errorf("trial %d: the dialog was answered, and not by a person: %+v, key %v before it was drawn\n%s",
			i, at.receipt, at.drawn.Sub(at.pressed), w.a.Capture())
		return
	}
	r := at.receipt
	switch {
	case r.Outcome == parley.Deferred && r.Touched == parley.None && at.pressed.IsZero():
	case r.Outcome == parley.Unknown && r.Touched == parley.Pasted && at.pressed.IsZero():
	case r.Outcome == parley.Unknown && r.Touched != parley.None && !at.pressed.IsZero():
	case r.Outcome == parley.Queued || r.Outcome == parley.Submitted:
	default:
		w.Errorf("trial %d: %+v", i, r)
	}
	w.a.Keys("Enter") // the person says yes
	w.finished(i, r)
}

// finished lets the turn come to its end, and looks for our message where its
// receipt says that it is.
func (w *watched) finished(i int, r parley.Receipt) {
	w.Helper()
	tag := "[#" + r.ID.Tag() + "]"
	if r.Outcome == parley.Queued || r.Outcome == parley.Submitted {
		w.prompted(w.a, tag)
	}
	if r.Outcome == parley.Unknown {
		w.a.Still("a box", func(l rig.Look) bool { _, ok := w.a.BoxIn(l); return ok })
		w.emptied(w.a)
	}
	w.a.Ready()
	if r.Outcome == parley.Deferred { // else the next trial would carry this one
		if r = w.deliver(r.ID, "--wait", "10s"); r.Outcome != parley.Submitted {
			w.Errorf("trial %d: deferred, and tried again: %+v\n%s", i, r, w.a.Capture())
		}
		w.prompted(w.a, tag)
		w.a.Ready()
	}
	// What was pasted into a question's own field went out with the person's answer.
	asks := strings.Contains(w.m.script, "question")
	switch n := w.prompts(tag); {
	case n > 1, n == 1 && r.Touched != parley.Entered && !asks, n == 0 && r.Outcome != parley.Deferred && r.Outcome != parley.Unknown:
		w.Errorf("trial %d: the model was asked %d times; %+v", i, n, r)
	}
}

// results counts the tools' answers that reached the model since a time.
func (w *watched) results(since time.Time) (n int) {
	for _, p := range w.a.Stub.Prompts() {
		if !p.Side && p.At.After(since) {
			n += len(p.Results)
		}
	}
	return n
}

func (w *watched) prompts(tag string) (n int) {
	for _, p := range w.a.Stub.Prompts() {
		if !p.Side && p.Says(tag) {
			n++
		}
	}
	return n
}

func before(at moment) string {
	if at.pressed.IsZero() {
		return "nothing"
	}
	return at.drawn.Sub(at.pressed).String()
}

// report logs what the trials have met.
func report(t *testing.T, m moments, found []moment, seed uint64) {
	ends, gaps := map[string]int{}, map[string]int{}
	answered := 0
	for _, at := range found {
		ends[fmt.Sprintf("%s %s %s", at.receipt.Outcome, at.receipt.Touched, at.receipt.Reason)]++
		if at.answered {
			answered++
		}
		if !at.pressed.IsZero() {
			gap := at.drawn.Sub(at.pressed)
			for _, ms := range []int{25, 50, 100, 200} {
				if gap.Abs() < time.Duration(ms)*time.Millisecond {
					gaps[fmt.Sprintf("key within %03d ms of the dialog", ms)]++
				}
			}
			if gap < 0 {
				gaps["dialog before the key"]++
			}
		}
	}
	t.Logf("RESULT %s %s seed %d: %d of %d answered by our key", m.name, m.cli, seed, answered, len(found))
	for _, k := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("RESULT   %-40s %d", k, ends[k])
	}
	for _, k := range slices.Sorted(maps.Keys(gaps)) {
		t.Logf("RESULT   %-40s %d", k, gaps[k])
	}
}
