package courier

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/inbox"
	"parley/internal/proc"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

// world is a courier, one agent in a terminal in memory, and a sender that can
// be ended at any call. Time in it is synctest's.
type world struct {
	testing.TB
	c     *Courier
	agent *program
	fake  *termtest.Fake
	home  string
	who   string          // what the OS says stands there: "agent", "suspended", "nobody", "error"
	argv  string          // part of its identity
	ends  func()          // takes its files away
	ended map[string]bool // identities of senders that have
	killAt
	checked int  // presses that were checked
	anyName bool // the attempt may be on record in any inbox, of any team
}

// killAt ends the sender at its n-th call of a verb.
type killAt struct {
	verb  string
	n     int
	after bool // the call is made first
}

const boxDialect = `
cli = "box"
name = "a box for tests"
status = "%s"
tested = ["1.0.0"]
[submit]
key = "Enter"
keeps = %v
settle = "20ms"
%s
%s
[paste]
newlines = 3
chars = 200
unit = "rune"
limit = %d
[process]
exe = ["box"]
[[transcript.source]]
by = "recent"
path = "{config}/*.jsonl"
[[transcript.prompt]]
where = { role = "user" }
text = "text"
[[transcript.queued]]
where = { role = "queued" }
text = "text"
[[token]]
pattern = '\[Pasted (?P<lines>\d+) lines\]'
seen = "tests"
[[box]]
name = "rules"
seen = "tests"
top = '^-{3,}$'
bottom = '^-{3,}$'
full = true
prompt = "> "
shown = "yes"
[[box.mode]]
name = "shell"
prompt = "! "
[below]
bare = "always"
[[rule]]
name = "permission"
class = "asking"
seen = "tests"
box = "no"
tail = '(?m)^approve\? '
[[rule]]
name = "menu"
class = "menu"
seen = "tests"
box = "no"
tail = '(?m)^pick one '
[[rule]]
name = "spinner"
class = "working"
seen = "tests"
mark = '^working '
[[rule]]
name = "queue"
class = "queued"
seen = "tests"
above = '(?m)^  queued: '
`

// option changes a world before it is used.
type option func(*setting)

type setting struct {
	status string
	keeps  bool
	clear  string
	keys   string // more of [submit]
	limit  int    // longer texts are not typed; 0 = none
}

func noClearKey(s *setting)      { s.clear = "" }
func unprovenDialect(s *setting) { s.status = "unproven" }
func shortTexts(s *setting)      { s.limit = 60 }
func keepsNothing(s *setting)    { s.keeps = false }

// twoKeys is a CLI that takes Tab while it works and Enter else, and loses none.
func twoKeys(s *setting) { s.keys = `working = { "2" = "Tab" }` }

// in runs a test in a world of its own, on a clock that waits for nobody.
func in(t *testing.T, test func(w *world), opts ...option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(newWorld(t, opts...)) })
}

func newWorld(t testing.TB, opts ...option) *world {
	t.Helper()
	s := setting{"proven", true, "[clear]\nkey = \"C-u\"\nseen = \"tests\"", "again_after = \"1s\"\nagain_source = \"tests\"", 0}
	for _, o := range opts {
		o(&s)
	}
	dir, err := os.MkdirTemp(memory(), "courier")
	if err != nil {
		t.Fatal(err)
	}
	ends := func() { os.RemoveAll(dir) }
	t.Cleanup(ends)
	write(t, filepath.Join(dir, "dialects", "box.toml"), fmt.Sprintf(boxDialect, s.status, s.keeps, s.keys, s.clear, s.limit))
	w := &world{TB: t, ends: ends, ended: map[string]bool{}, home: filepath.Join(dir, "state"), who: "agent", argv: "box"}
	w.agent = newProgram(t, filepath.Join(dir, "config"))
	w.fake = w.agent.terminal()
	w.c, err = Open(Config{Home: w.home, Team: "main", Dialects: filepath.Join(dir, "dialects"),
		Dial:     func(term.Target) (Line, error) { return w, nil },
		Identify: w.identify,
		Alive:    func(identity string) bool { return !w.ended[identity] },
		Person:   func(n parley.Name) bool { return n == "dana" }})
	if err != nil {
		t.Fatal(err)
	}
	w.joins("buddy")
	return w
}

// memory is a file system in memory if there is one: that a sync reaches a
// disk is not what is tested here.
func memory() string {
	if st, err := os.Stat("/dev/shm"); err == nil && st.IsDir() {
		return "/dev/shm"
	}
	return ""
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// joins writes the agent that stands there now into the roster.
func (w *world) joins(n parley.Name) {
	w.Helper()
	a, _, err := w.identify(w.c.Dialects(), w.fake.Identity)
	must(w, err)
	must(w, w.c.Roster().Write(w.Context(), roster.Member{Kind: roster.Joined, Name: n, CLI: "box",
		Target: term.Target{Driver: "tmux", Socket: "/nowhere", Pane: "%0"}, Identity: a.Identity}))
}

func (w *world) leaves() {
	w.Helper()
	_, err := w.c.Leave(w.Context(), "buddy")
	must(w, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) identify(set dialect.Set, p term.Identity) (roster.Agent, parley.Reason, error) {
	d, _ := set.CLI("box")
	a := roster.Agent{Dialect: d, Version: "1.0.0", Config: w.agent.config, Proc: proc.Process{PID: 1 << 30, Start: "1"}}
	a.Identity = fmt.Sprintf("%s %s pane=%d %s agent=7@1 box argv=%s config=%s", p.Server, p.Pane, p.PanePID, p.TTY, w.argv, w.agent.config)
	switch w.who {
	case "suspended":
		return a, parley.ReasonSuspended, nil
	case "nobody":
		return roster.Agent{}, parley.ReasonNotAnAgent, nil
	case "error":
		return roster.Agent{}, "", os.ErrPermission
	}
	return a, "", nil
}

func (w *world) dialect() *dialect.Dialect {
	d, _ := w.c.Dialects().CLI("box")
	return d
}

func memberOf(t testing.TB, w *world, n parley.Name) roster.Member {
	t.Helper()
	m, known, err := w.c.Roster().Member(n)
	if must(t, err); !known {
		t.Fatal(n, "is not known")
	}
	return m
}

func cancelled(w *world) (ctx, func()) { return context.WithCancel(w.Context()) }

func (w *world) post(body string) parley.Message {
	w.Helper()
	m, again, err := w.c.Post(w.Context(), Draft{From: "lead", To: "buddy", Body: body})
	if err != nil || again {
		w.Fatalf("post %.40q: again %v, %v", body, again, err)
	}
	return m
}

func (w *world) deliver(m parley.Message, wait time.Duration) parley.Receipt {
	w.Helper()
	r, err := w.c.Deliver(w.Context(), m.To, m.ID, Patience{Wait: wait})
	must(w, err)
	w.agrees(r)
	return r
}

// send is what `parley send` does: post, and deliver.
func (w *world) send(body string, wait time.Duration) parley.Receipt {
	w.Helper()
	return w.deliver(w.post(body), wait)
}

func (w *world) entry(m parley.Message) inbox.Entry {
	w.Helper()
	e, ok, err := w.c.Inbox(m.To).Find(string(m.ID))
	if err != nil || !ok {
		w.Fatalf("find %s: %v %v", m.ID, ok, err)
	}
	return e
}

func (w *world) wants(r parley.Receipt, o parley.Outcome, why parley.Reason, touched parley.Touched) {
	w.Helper()
	if r.Outcome != o || r.Reason != why || r.Touched != touched {
		w.Errorf("%s (%s), touched %s; want %s (%s), %s: %+v", r.Outcome, r.Reason, r.Touched, o, why, touched, r)
	}
}

// agrees holds a receipt against what reached the program: none says nothing
// of this message did; entered that a key was asked for.
func (w *world) agrees(r parley.Receipt) {
	w.Helper()
	tag := "[#" + r.ID.Tag() + "]"
	pastes, presses := 0, 0
	for _, c := range w.fake.Calls() {
		switch {
		case c.Verb == "paste" && slices.ContainsFunc(c.Texts, func(s string) bool { return strings.Contains(s, tag) }) && c.Got != term.Refused:
			pastes++
		case c.Verb == "press" && pastes > 0 && c.Got != term.Refused:
			presses++
		}
	}
	taken := w.agent.taken(tag)
	switch {
	case r.Touched == parley.None && pastes > 0,
		r.Touched == parley.Pasted && presses > 0 && taken > 0,
		r.Touched == parley.Entered && r.Outcome == parley.Submitted && taken != 1,
		taken > 1:
		w.Errorf("the receipt disagrees with the terminal: %d pastes, %d keys, taken %d times: %+v", pastes, presses, taken, r)
	}
	if e := w.entry(parley.Message{ID: r.ID, To: r.To}); len(e.Attempts) == 0 && r.Touched != parley.None {
		w.Errorf("touched without an attempt on record: %+v", r)
	}
	w.legal(r.ID)
}

// killed runs f as a process that can be ended, and reports whether it was.
func killed(f func()) bool {
	ended := make(chan bool)
	go func() {
		whole := false
		defer func() { ended <- !whole }() // Goexit runs what the kernel would do: locks are let go
		f()
		whole = true
	}()
	return <-ended
}

// Look, Hold, Paste and Press stand between courier and terminal: they judge
// each call, and end the sender where the test wants it.
func (w *world) Look(ctx ctx) (term.Snapshot, error) {
	defer w.at("look")()
	return w.fake.Look(ctx)
}

func (w *world) Hold(ctx ctx) (term.Terminal, func(), error) {
	_, release, err := w.fake.Hold(ctx)
	return w, release, err
}

func (w *world) Paste(ctx ctx, seen term.Snapshot, texts ...string) (term.Applied, error) {
	w.onRecord(parley.StepPaste)
	defer w.at("paste")()
	return w.fake.Paste(ctx, seen, texts...)
}

func (w *world) Press(ctx ctx, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	w.onRecord(parley.StepPress, parley.StepAgain)
	if box, ok := drawn(seen.Screen); !ok || !w.agent.ownText(box) {
		w.Errorf("a key was asked for on a screen whose box holds %q", box)
	}
	w.checked++
	defer w.at("press")()
	return w.fake.Press(ctx, seen, key, anchor)
}

func (w *world) Clear(ctx ctx, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	w.onRecord(parley.StepClear)
	if box, ok := drawn(seen.Screen); !ok || !w.agent.onlyOurs(box) {
		w.Errorf("a key that clears was asked for on a screen whose box holds %q", box)
	}
	defer w.at("clear")()
	return w.fake.Clear(ctx, seen, key, anchor)
}

// at ends the sender before its call, or gives what ends it after.
func (w *world) at(verb string) (after func()) {
	nothing := func() {}
	if w.killAt.verb != verb {
		return nothing
	}
	w.killAt.n--
	switch {
	case w.killAt.n != 0:
		return nothing
	case w.killAt.after:
		return runtime.Goexit
	}
	runtime.Goexit()
	return nothing
}

// onRecord fails the test if no open attempt of one of these steps is on disk.
func (w *world) onRecord(steps ...parley.Step) {
	w.Helper()
	files := []string{w.c.Inbox("buddy").Path()}
	if w.anyName {
		var err error
		files, err = filepath.Glob(filepath.Join(w.home, "teams", "*", "inbox", "*.jsonl"))
		must(w, err)
	}
	for _, f := range files {
		open, err := inbox.Open(f).OpenMessages()
		must(w, err)
		for _, e := range open {
			if e.Tried && slices.Contains(steps, lastStep(e)) {
				return
			}
		}
	}
	w.Errorf("a call was made with no attempt %v on disk", steps)
}
