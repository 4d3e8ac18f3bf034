package courier

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
)

// notes is what residue.jsonl of a team holds.
func (w *world) notes(team string) (all []note) {
	w.Helper()
	b, err := os.ReadFile(filepath.Join(w.home, "teams", team, "residue.jsonl"))
	if err != nil && !os.IsNotExist(err) {
		w.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var n note
		must(w, json.Unmarshal([]byte(line), &n))
		all = append(all, n)
	}
	return all
}

// noted holds the team's notes against "did why", in order.
func (w *world) noted(want ...string) {
	w.Helper()
	var got []string
	for _, n := range w.notes("main") {
		got = append(got, strings.TrimSpace(n.Did+" "+n.Why))
		if n.Tag == "" || n.To == "" || n.At.IsZero() || n.Target == "" || n.ID != "" && n.From == "" || (n.Keys > 0) && n.Did != didClear {
			w.Errorf("note %+v", n)
		}
	}
	if !slices.Equal(got, want) {
		w.Errorf("residue.jsonl says %q, want %q", got, want)
	}
}

// from posts a message of an agent, of the person, or of a name that proves nothing.
func (w *world) from(who parley.Name, body string) parley.Message {
	w.Helper()
	d := Draft{From: who, To: "buddy", Body: body}
	switch who {
	case "lead", "ops":
		d.Agent = string(who) + "@1"
	default:
		d.Claimed = true
	}
	m, again, err := w.c.Post(w.Context(), d)
	if err != nil || again {
		w.Fatal(again, err)
	}
	return m
}

// leaves a message in the box: its sender dies right behind the paste (or, of
// a folded one, behind its n-th), or before its key.
func (w *world) leave(m parley.Message, at killAt) {
	w.Helper()
	w.killAt = at
	if !killed(func() { w.deliver(m, 0) }) {
		w.Fatal("the sender lived")
	}
	w.killAt = killAt{}
}

var (
	pasted  = killAt{"paste", 1, true}
	pressed = killAt{"press", 1, false}
)

var folded = strings.Repeat("a line of it\n", 9) + "the end"

// stood is one way in which a text of ours stands in a box, and what becomes of
// it and of the next message.
type stood struct {
	name    string
	opts    []option
	who     parley.Name // "" = lead
	body    string      // "" = hello
	at      killAt      // zero = pasted
	before  func(w *world, m parley.Message)
	next    parley.Reason // why the next one is deferred; "" = submitted
	outcome parley.Outcome
	reason  parley.Reason
	touched parley.Touched
	notes   []string
	clears  int // keys that took it out
}

var entered = stood{outcome: parley.Submitted, touched: parley.Entered, notes: []string{"entered"}}

func (c stood) because(why string, keys int) stood {
	c.outcome, c.reason, c.clears, c.notes = parley.Unknown, parley.ReasonCleared, keys, []string{"cleared " + why}
	if c.touched == "" {
		c.touched = parley.Pasted
	}
	return c
}

func (c stood) stay(why ...string) stood {
	c.outcome, c.reason = parley.Unknown, parley.ReasonInterrupted
	if c.next == "" {
		c.next = parley.ReasonResidue
	}
	if c.touched == "" {
		c.touched = parley.Pasted
	}
	for _, y := range why {
		c.notes = append(c.notes, "stays "+y)
	}
	return c
}

func (c stood) enter() stood {
	c.outcome, c.touched, c.notes = entered.outcome, entered.touched, entered.notes
	return c
}

func later(d time.Duration) func(*world, parley.Message) {
	return func(*world, parley.Message) { time.Sleep(d) }
}

func boxed(change func(f *fake)) func(*world, parley.Message) {
	return func(w *world, _ parley.Message) { w.fake.Do(change) }
}

func dies(who string) func(*world, parley.Message) {
	return func(w *world, _ parley.Message) { w.ended[who+"@1"] = true }
}

var three = "a line\nand another\nand the last"

var standings = []stood{
	// A live sender's whole text, young, its key never asked for: the key.
	stood{name: "live agent"}.enter(),
	stood{name: "the person", who: "dana"}.enter(),
	stood{name: "folded", body: folded, at: killAt{"paste", 2, true}}.enter(),
	stood{name: "three lines", body: three}.enter(),
	stood{name: "just young enough", before: later(lateAfter - 10*time.Second)}.enter(),
	stood{name: "without a key that clears", opts: []option{noClearKey}}.enter(),

	// Else it is taken out.
	stood{name: "Enter was pressed", at: pressed, touched: parley.Entered}.because("key-pressed", 1),
	stood{name: "Enter was pressed, three lines", body: three, at: pressed, touched: parley.Entered}.because("key-pressed", 5),
	stood{name: "Enter was pressed, folded", body: folded, at: pressed, touched: parley.Entered}.because("key-pressed", 1),
	stood{name: "too old", before: later(lateAfter)}.because("too-old", 1),
	stood{name: "too old, the person's", who: "dana", before: later(time.Hour)}.because("too-old", 1),
	stood{name: "read meanwhile", before: func(w *world, m parley.Message) {
		must(w, w.c.Inbox("buddy").MarkRead("buddy", m.ID))
	}}.because("read", 1),
	stood{name: "signature alone", body: folded}.because("part", 1),

	// Or it stays, and why is on record.
	stood{name: "dead sender", before: dies("lead")}.stay("sender-ended"),
	stood{name: "dead sender, key pressed", at: pressed, touched: parley.Entered, before: dies("lead")}.stay("sender-ended"),
	stood{name: "a claimed name", who: "nightly"}.stay("sender-unproven"),
	stood{name: "no key is known", opts: []option{noClearKey}, before: later(time.Hour)}.stay("no-key"),
	stood{name: "a person's key behind it", before: boxed(func(f *fake) { f.Box.Type("z") })}.stay("not-alone"),
	stood{name: "a person's key in front", before: boxed(func(f *fake) { f.Box.Draft = "z" + f.Box.Draft })}.stay("not-alone"),
	stood{name: "its head is gone", before: boxed(func(f *fake) { f.Box.Draft = f.Box.Draft[3:] })}.stay("not-alone"),
	stood{name: "behind a person's text", before: boxed(func(f *fake) { f.Box.Draft = "mine is\n" + f.Box.Draft })}.stay("not-alone"),

	// Nothing of ours can be seen: as any draft.
	stood{name: "its tag is gone", before: boxed(func(f *fake) { f.Box.Draft, _, _ = strings.Cut(f.Box.Draft, " [#") }), next: parley.ReasonDraft}.stay(),
	stood{name: "a person wrote over it", before: boxed(func(f *fake) { f.Box.Draft = "half a thought" }), next: parley.ReasonDraft}.stay(),

	// The moment is a bad one: it is left for the next.
	stood{name: "a person types", before: boxed(func(f *fake) { f.State.PersonAt = time.Now() }), next: parley.ReasonTyping}.stay(),
	stood{name: "copy mode", before: boxed(func(f *fake) { f.State.InMode = true }), next: parley.ReasonCopyMode}.stay(),
	stood{name: "a dialog", before: func(w *world, _ parley.Message) { w.agent.turn = "asking" }, next: parley.ReasonAsking}.stay(),
	stood{name: "shell mode", before: func(w *world, _ parley.Message) { w.agent.turn = "shell" }, next: parley.ReasonResidue}.stay(),
	stood{name: "a CLI that keeps nothing works", opts: []option{keepsNothing}, before: func(w *world, _ parley.Message) { w.agent.turn = "working" }}.stay(),
}

// TestResidue: what becomes of a text that a killed sender left in the box, and
// the line that it leaves.
func TestResidue(t *testing.T) {
	for _, c := range standings {
		t.Run(c.name, func(t *testing.T) { in(t, func(w *world) { c.run(w) }, c.opts...) })
	}
}

func (c stood) run(w *world) {
	w.Helper()
	if c.who == "" {
		c.who = "lead"
	}
	if c.body == "" {
		c.body = "hello"
	}
	if c.at.verb == "" {
		c.at = pasted
	}
	m := w.from(c.who, c.body)
	w.leave(m, c.at)
	if c.before != nil {
		c.before(w, m)
	}
	box := w.fake.Box.Draft
	next := w.from("ops", "the next one")
	r := w.deliver(next, 0)
	if c.next == "" {
		w.wants(r, parley.Submitted, "", parley.Entered)
	} else {
		w.wants(r, parley.Deferred, c.next, parley.None)
		if now := w.fake.Box.Draft; now != box {
			w.Errorf("the box held %q, and now %q", box, now)
		}
	}
	w.wants(*w.entry(m).Receipt, c.outcome, c.reason, c.touched)
	w.agrees(*w.entry(m).Receipt)
	w.noted(c.notes...)
	w.pressed("clear", c.clears)
	if told := w.mailOf(c.who); len(told) != 1 {
		w.Errorf("%s was told %q", c.who, told)
	}
	for range 2 { // and saying it again changes nothing
		w.deliver(next, 0)
	}
	w.noted(c.notes...)
	w.pressed("clear", c.clears)
}

// pressed counts the calls of a verb that reached the program.
func (w *world) pressed(verb string, want int) {
	w.Helper()
	n := 0
	for _, c := range w.fake.Calls() {
		if c.Verb == verb && c.Got != 0 {
			n++
		}
	}
	if n != want {
		w.Errorf("%d calls of %s, want %d", n, verb, want)
	}
}

// mailOf is what a sender was told.
func (w *world) mailOf(who parley.Name) (bodies []string) {
	w.Helper()
	es, err := w.c.Inbox(who).Last(100)
	must(w, err)
	for _, e := range es {
		bodies = append(bodies, e.Message.Body)
	}
	return bodies
}
