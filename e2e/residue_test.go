package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/practice"
)

// settledLine is a line of residue.jsonl.
type settledLine struct {
	Did, Why, Tag, From, To, Target string
	ID                              parley.ID
	Keys                            int
}

// settled reads the team's residue.jsonl.
func (s *stage) settled() (all []settledLine) {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.state(), "teams", "main", "residue.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var l settledLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			s.Errorf("residue.jsonl: %v: %s", err, line)
		}
		all = append(all, l)
	}
	return all
}

// did lists what was done about a message, as "did why".
func (s *stage) did(tag string) (out []string) {
	for _, l := range s.settled() {
		if l.Tag == tag {
			out = append(out, strings.TrimSpace(l.Did+" "+l.Why))
		}
	}
	return out
}

// speaker is a process that the OS shows as an agent, and that runs parley.
type speaker struct {
	s    *stage
	name string
	dir  string
}

const speakerLoop = `touch ready
while sleep 0.02; do
	[ -e go ] || continue
	rm go
	sh ./line >out 2>err </dev/null
	touch done
done
`

func (s *stage) speaker(name string) *speaker {
	s.Helper()
	sp := &speaker{s, name, filepath.Join(s.rig.Dir(), "speaker-"+name)}
	must(s, os.MkdirAll(sp.dir, 0o700))
	must(s, os.WriteFile(filepath.Join(sp.dir, "practice"), []byte(speakerLoop), 0o600))
	s.rig.Tmux("new-session", "-d", "-s", name, "-x", "100", "-y", "30",
		"cd "+sp.dir+" && exec env -i HOME="+sp.dir+" PATH=/usr/bin:/bin bash -c 'exec -a parley bash practice'")
	s.until(name+" runs", func() bool { return sp.has("ready") })
	return sp
}

func (sp *speaker) has(file string) bool {
	_, err := os.Stat(filepath.Join(sp.dir, file))
	return err == nil
}

// run has the agent run parley.
func (sp *speaker) run(env []string, args ...string) string {
	sp.s.Helper()
	os.Remove(filepath.Join(sp.dir, "done"))
	var line strings.Builder
	for _, w := range append(append([]string{"env", "-i"}, sp.s.env(env...)...), append([]string{bin, "--tmux-socket", sp.s.rig.Socket()}, args...)...) {
		line.WriteString("'" + strings.ReplaceAll(w, "'", `'\''`) + "' ")
	}
	must(sp.s, os.WriteFile(filepath.Join(sp.dir, "line"), []byte(line.String()+"\n"), 0o600))
	must(sp.s, os.WriteFile(filepath.Join(sp.dir, "go"), nil, 0o600))
	sp.s.until(sp.name+" ran it", func() bool { return sp.has("done") })
	out, _ := os.ReadFile(filepath.Join(sp.dir, "out"))
	errs, _ := os.ReadFile(filepath.Join(sp.dir, "err"))
	return string(out) + string(errs)
}

// ends ends the agent: its pane is closed.
func (sp *speaker) ends() {
	sp.s.Helper()
	pid := sp.s.rig.Tmux("display-message", "-p", "-t", "="+sp.name+":", "#{pane_pid}")
	sp.s.rig.Tmux("kill-session", "-t", "="+sp.name)
	sp.s.until(sp.name+" has ended", func() bool { _, err := os.Stat("/proc/" + pid); return err != nil })
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// leftover is one way in which a text stands in a box, and what becomes of it.
type leftover struct {
	name   string
	body   string
	on     string // the call at which its sender is killed
	at     int
	mode   string
	agent  bool                           // an agent is its sender, else the person
	before func(l *leavings, m parley.ID) // the next one comes
	note   string
	next   parley.Reason // why the next one is deferred; "" = submitted
	end    parley.Outcome
	why    parley.Reason
	clears int
}

var (
	threeLines = "three lines\nand another\nand the last"
	foldable   = strings.Repeat("a line of it\n", 9) + "the end"
)

// leftovers are tried on the practice agent and on real CLIs.
var leftovers = []leftover{
	{name: "live sender", body: "hello", on: onPaste, at: 1, mode: killAfter, note: "entered", end: parley.Submitted},
	{name: "live agent", body: "hello", on: onPaste, at: 1, mode: killAfter, agent: true, note: "entered", end: parley.Submitted},
	{name: "folded", body: foldable, on: onPaste, at: 2, mode: killAfter, note: "entered", end: parley.Submitted},
	{name: "Enter pressed", body: threeLines, on: onKey, at: 1, mode: killBefore, note: "cleared key-pressed", end: parley.Unknown, why: parley.ReasonCleared, clears: 5},
	{name: "too old", body: "hello", on: onPaste, at: 1, mode: killAfter, before: (*leavings).ages, note: "cleared too-old", end: parley.Unknown, why: parley.ReasonCleared, clears: 1},
	{name: "signature alone", body: foldable, on: onPaste, at: 1, mode: killAfter, note: "cleared part", end: parley.Unknown, why: parley.ReasonCleared, clears: 1},
	{name: "dead sender", body: "hello", on: onPaste, at: 1, mode: killAfter, agent: true, before: (*leavings).dies,
		note: "stays sender-ended", next: parley.ReasonResidue, end: parley.Unknown, why: parley.ReasonInterrupted},
	{name: "and a person's key", body: "hello", on: onPaste, at: 1, mode: killAfter, before: (*leavings).key,
		note: "stays not-alone", next: parley.ReasonResidue, end: parley.Unknown, why: parley.ReasonInterrupted},
}

// leavings is an agent into whose box such texts are left.
type leavings struct {
	*stage
	to    string                 // its name
	from  *speaker               // the agent that sends, where one does
	box   func() string          // what stands in its box
	types func(text string)      // a person's keys there
	wipe  func()                 // a person empties the box
	times func(id parley.ID) int // a prompt with this tag was submitted
	w     *wrapper
}

// ages makes the attempt older than ten minutes, as a clock would.
func (l *leavings) ages(id parley.ID) {
	path := filepath.Join(l.state(), "teams", "main", "inbox", l.to+".jsonl")
	b, err := os.ReadFile(path)
	must(l, err)
	old := regexp.MustCompile(`("attempt":\{"id":"`+string(id)+`","step":"paste","at":")\d{4}`).ReplaceAll(b, []byte("${1}2001"))
	if len(old) != len(b) || string(old) == string(b) {
		l.Fatalf("no attempt at %s in\n%s", id, b)
	}
	must(l, os.WriteFile(path, old, 0o600))
}

func (l *leavings) dies(parley.ID) { l.from.ends(); l.from = nil }

func (l *leavings) key(parley.ID) {
	l.types("z")
	l.until("the key is drawn", func() bool { return strings.HasSuffix(strings.TrimSpace(l.box()), "z") })
}

// try leaves one text, sends the next message, and holds all that is on record
// against what reached the agent.
func (l *leavings) try(c leftover) {
	l.Helper()
	id := l.leave(c)
	tag := id.Tag()
	if c.before != nil {
		c.before(l, id)
	}
	had := l.box()
	r := l.send(l.to, "the next after "+tag, "--wait", "0")
	if c.next == "" {
		if r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
			l.Errorf("the next one: %+v\nbox %q", r, l.box())
		}
		l.until("the next one has reached it", func() bool { return l.times(r.ID) == 1 })
	} else {
		l.wants(r, parley.Deferred, c.next)
		if now := l.box(); now != had {
			l.Errorf("the box held %q, and now %q", had, now)
		}
	}
	if got := l.did(tag); !slices.Equal(got, []string{c.note}) {
		l.Errorf("residue.jsonl says %q of it, want %q", got, c.note)
	}
	for _, s := range l.settled() {
		if s.Tag == tag && (s.Keys != c.clears || s.ID != id || s.To != l.to) {
			l.Errorf("%+v, want %d keys", s, c.clears)
		}
	}
	want := 0
	if c.end == parley.Submitted {
		want = 1
	}
	if n := l.times(id); n != want {
		l.Errorf("the text that was left was submitted %d times, want %d", n, want)
	}
	l.ended(id, c)
	if c.next != "" { // a person clears it away, and the next one goes out
		l.wipe()
		if r = l.deliver(r.ID, "--wait", "20s"); r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
			l.Errorf("and then: %+v", r)
		}
		l.until("the next one has reached it", func() bool { return l.times(r.ID) == 1 })
	}
}

// ended holds a message's end, and what its sender was told, against what should be.
func (l *leavings) ended(id parley.ID, c leftover) {
	l.Helper()
	log := strings.Split(strings.TrimSpace(l.parley("log", string(id), "--json").out), "\n")
	var last struct{ Receipt parley.Receipt }
	must(l, json.Unmarshal([]byte(log[len(log)-1]), &last))
	if r := last.Receipt; r.Outcome != c.end || r.Reason != c.why {
		l.Errorf("it ended %s (%s), want %s (%s):\n%s", r.Outcome, r.Reason, c.end, c.why, strings.Join(log, "\n"))
	}
	who := "dana"
	if c.agent {
		who = "alpha"
	}
	told := l.parley("inbox", who, "-n", "0", "--json").out
	if n := strings.Count(told, "your message "+string(id)); n != 1 {
		l.Errorf("%s was told %d times of %s, want once:\n%s", who, n, id, told)
	}
}

// leave has a sender die at the call that the case names.
func (l *leavings) leave(c leftover) parley.ID {
	l.Helper()
	args := []string{"send", l.to, c.body, "--wait", "0"}
	w := l.w.only(c.on)
	if c.agent {
		if l.from == nil {
			l.from = l.speaker("alpha")
		}
		l.from.run(w.env(c.at, c.mode, ""), args...)
	} else {
		l.finish(w.command(c.at, c.mode, "", args...))
	}
	var m struct {
		ID   parley.ID
		Body string
	}
	must(l, json.Unmarshal([]byte(l.parley("inbox", l.to, "-n", "1", "--json").out), &m))
	if m.Body != c.body {
		l.Fatalf("the newest message is %+v", m)
	}
	l.until("its text is in the box", func() bool { return strings.Contains(l.box(), "[#"+m.ID.Tag()+"]") })
	return m.ID
}

// buddys makes a practice agent the one whose box it is.
func (b *buddy) leavings() *leavings {
	return &leavings{stage: b.s, to: b.name, w: b.s.wrapper(), types: b.typed, wipe: b.clear,
		box: func() string {
			_, box, _ := strings.Cut(b.screen(), "»\u00a0")
			box, _, _ = strings.Cut(box, "━━━")
			return strings.Join(strings.Fields(box), " ")
		},
		times: func(id parley.ID) int {
			return b.count("submit", func(e practice.Event) bool { return strings.Contains(e.Text, "[#"+id.Tag()+"]") })
		}}
}

// TestResidue: what a killed sender left in a box is entered or taken out by the
// next, or stays, each with its line. H20.
func TestResidue(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	l := b.leavings()
	for _, c := range leftovers {
		b.mark()
		sub := *s
		t.Run(c.name, func(t *testing.T) {
			sub.TB = t
			one := *l
			one.stage = &sub
			one.try(c)
			l.from = one.from
			keys := b.pressed()
			if n := len(slices.DeleteFunc(keys, func(k string) bool { return k != "ctrl-u" })); c.next == "" && n != c.clears {
				t.Errorf("%d keys took it out, want %d", n, c.clears)
			}
		})
	}
}

// TestResidueCrash stops the sender that settles at its calls, killed and
// failed. What is left is settled by the next two, each thing once.
func TestResidueCrash(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	l := b.leavings()
	for _, c := range []leftover{leftovers[0], leftovers[3]} {
		b.mark()
		l.leave(c)
		s.finish(l.w.command(0, "", "", "send", "buddy", "a clean run", "--wait", "2s"))
		calls := l.w.calls()
		for n, mode := range []string{killBefore, killAfter, failBefore, failAfter} {
			for at := 1; at <= calls; at++ {
				step := times(30, 3, 1)
				if at > 2 && at < calls-16 && at%step != n%step {
					continue // most calls look at a text that stands still
				}
				if at >= calls-16 && at%times(8, 1, 1) != 2*n%times(8, 1, 1) {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s call %d", c.name, mode, at), func(t *testing.T) {
					sub := *s
					sub.TB = t
					one := *l
					one.stage = &sub
					b.mark()
					one.crash(c, mode, at)
				})
			}
		}
	}
}

func (l *leavings) crash(c leftover, mode string, at int) {
	l.Helper()
	id := l.leave(c)
	l.finish(l.w.command(at, mode, "", "send", l.to, "the next after "+id.Tag(), "--wait", "2s"))
	for n := range 2 {
		l.send(l.to, fmt.Sprintf("number %d after %s", n, id.Tag()), "--wait", "10s")
	}
	l.until("the box is empty", func() bool { return strings.Contains(l.parley("explain", l.to, "--json").out, `"may_type":true`) })
	if n := l.times(id); n > 1 {
		l.Errorf("submitted %d times", n)
	}
	did := l.did(id.Tag())
	for _, d := range did {
		if strings.HasPrefix(d, "stays") {
			continue
		}
		if n := len(slices.DeleteFunc(slices.Clone(did), func(o string) bool { return strings.Fields(o)[0] != strings.Fields(d)[0] })); n > 1 {
			l.Errorf("residue.jsonl says %q", did)
		}
	}
	if len(did) == 0 {
		l.Errorf("residue.jsonl says nothing")
	}
	told := l.parley("inbox", "dana", "-n", "0", "--json").out
	if n := strings.Count(told, "your message "+string(id)); n < 1 || n > 2 {
		l.Errorf("told %d times", n)
	}
	if open := l.parley("status", l.to, "--json").out; !strings.Contains(open, `"waiting":0`) {
		l.Errorf("something is still open: %s\n%s", open, l.parley("log", string(id)).out)
	}
}
