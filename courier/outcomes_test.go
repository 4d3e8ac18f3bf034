package courier

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"parley"
	"parley/internal/term/termtest"
)

// outcome is one way in which a delivery ends: what stands there before it, and
// what happens at a call (before its guard: seen by it; within: by no guard).
type outcome struct {
	name    string
	opts    []option
	before  func(w *world)
	verb    string // with n: the call at which do happens
	n       int
	within  bool
	do      func(w *world)
	fault   termtest.Fault
	wait    time.Duration
	want    parley.Outcome
	reason  parley.Reason
	touched parley.Touched
	keys    int // so many were pressed; 0 = not judged
}

func turns(to string) func(*world) { return func(w *world) { w.agent.turn = to } }

func types(text string) func(*world) { return func(w *world) { w.fake.Box.Type(text) } }

func becomes(who string) func(*world) { return func(w *world) { w.who = who } }

var untouched = []outcome{
	{name: "draft H11", before: types("half a thought"), reason: parley.ReasonDraft},
	{name: "blanks only H15", before: types("   "), reason: parley.ReasonDraft},
	{name: "residue H20", before: types("lead: left behind [#0123abcd]"), reason: parley.ReasonResidue},
	{name: "asking H16", before: turns("asking"), reason: parley.ReasonAsking},
	{name: "menu H01", before: turns("menu"), reason: parley.ReasonMenu},
	{name: "mode", before: turns("shell"), reason: parley.ReasonMode},
	{name: "unreadable H35", before: turns("odd"), reason: parley.ReasonUnreadable},
	{name: "working, keeps nothing", opts: []option{keepsNothing}, before: turns("working"), reason: parley.ReasonWorking},
	{name: "unproven", opts: []option{unprovenDialect}, wait: time.Minute, reason: parley.ReasonUnproven},
	{name: "typing H12", before: func(w *world) { w.fake.State.PersonAt = time.Now().Add(-time.Second) }, reason: parley.ReasonTyping},
	{name: "copy mode H33", before: func(w *world) { w.fake.State.InMode = true }, reason: parley.ReasonCopyMode},
	{name: "synchronized H46", before: func(w *world) { w.fake.State.Synchronized = true }, reason: parley.ReasonSynchronized},
	{name: "input off H47", before: func(w *world) { w.fake.State.InputOff = true }, reason: parley.ReasonInputOff},
	{name: "suspended", before: becomes("suspended"), reason: parley.ReasonSuspended},
	{name: "the OS says nothing", before: becomes("error"), reason: parley.ReasonTerminal},
	{name: "look fails H38", verb: "look", n: 1, fault: termtest.NotApplied, reason: parley.ReasonTerminal},
	{name: "draft between two looks H12", verb: "look", n: 2, do: types("x"), reason: parley.ReasonDraft},
	{name: "draft before the paste H12", verb: "paste", n: 1, do: types("x"), reason: parley.ReasonDraft},
	{name: "dialog before the paste", verb: "paste", n: 1, do: turns("asking"), reason: parley.ReasonAsking},
	{name: "copy mode before the paste", verb: "paste", n: 1, do: func(w *world) { w.fake.State.InMode = true }, reason: parley.ReasonCopyMode},
}

func TestUntouched(t *testing.T) {
	for _, c := range untouched {
		c.want, c.touched = parley.Deferred, parley.None
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// TestGone: the process that was meant is not there, and nothing is typed into
// what is. H27, H29.
func TestGone(t *testing.T) {
	for _, c := range []outcome{
		{name: "no pane", before: func(w *world) { w.fake.Do((*fake).Remove) }, reason: parley.ReasonNotAnAgent},
		{name: "dead pane", before: func(w *world) { w.fake.State.Dead = true }, reason: parley.ReasonNotAnAgent},
		{name: "a shell H29", before: becomes("nobody"), reason: parley.ReasonNotAnAgent},
		{name: "another process in the pane H27", before: func(w *world) { w.fake.Do((*fake).Replace) }, reason: parley.ReasonWrongProcess},
		{name: "another program in the same process", before: func(w *world) { w.argv = "other" }, reason: parley.ReasonWrongProcess},
		{name: "the server was restarted H27", before: func(w *world) { w.fake.Identity.Server = "200@2000" }, reason: parley.ReasonWrongProcess},
		{name: "another tty", before: func(w *world) { w.fake.Identity.TTY = "/dev/none9" }, reason: parley.ReasonWrongProcess},
		{name: "left", before: func(w *world) { w.leaves() }, reason: parley.ReasonNoAgent},
		{name: "pane closed before the paste", verb: "paste", n: 1, do: func(w *world) { w.fake.Remove() }, reason: parley.ReasonNotAnAgent},
		{name: "respawned before the paste", verb: "paste", n: 1, do: func(w *world) { w.fake.Replace() }, reason: parley.ReasonWrongProcess},
	} {
		c.want, c.touched = parley.Gone, parley.None
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// TestPastedOnly: our text was typed, something is wrong, and no key follows.
func TestPastedOnly(t *testing.T) {
	for _, c := range []outcome{
		{name: "never drawn H08", verb: "paste", n: 1, within: true, do: func(w *world) { w.fake.Freeze() }, reason: parley.ReasonNoEcho},
		{name: "a key in front H12", verb: "paste", n: 1, within: true, do: types("x"), reason: parley.ReasonMixed},
		{name: "a key behind H11", verb: "look", n: 3, do: types("x"), reason: parley.ReasonMixed},
		{name: "a key during the settling", verb: "look", n: 5, do: types("x"), reason: parley.ReasonMixed},
		{name: "a key before Enter H11", verb: "press", n: 1, do: types("x"), reason: parley.ReasonMixed},
		{name: "head lost H17", verb: "paste", n: 1, within: true, do: func(w *world) { w.agent.loseHead = 4 }, reason: parley.ReasonMixed},
		{name: "dialog took the paste H16", verb: "paste", n: 1, within: true, do: turns("asking"), reason: parley.ReasonAsking},
		{name: "dialog over our text H16", verb: "look", n: 3, do: turns("asking"), reason: parley.ReasonAsking},
		{name: "dialog before Enter H16", verb: "press", n: 1, do: turns("asking"), reason: parley.ReasonAsking},
		{name: "menu before Enter H01", verb: "press", n: 1, do: turns("menu"), reason: parley.ReasonMenu},
		{name: "mode before the paste, not drawn", verb: "paste", n: 1, within: true, do: turns("shell"), reason: parley.ReasonMode},
		{name: "mode before Enter", verb: "look", n: 4, do: turns("shell"), reason: parley.ReasonMode},
		{name: "unreadable before Enter", verb: "look", n: 3, do: turns("odd"), reason: parley.ReasonUnreadable},
		{name: "copy mode before Enter H33", verb: "press", n: 1, do: func(w *world) { w.fake.State.InMode = true }, reason: parley.ReasonCopyMode},
		{name: "respawned before Enter", verb: "press", n: 1, do: func(w *world) { w.fake.Replace() }, reason: parley.ReasonWrongProcess},
		{name: "another process has the keys", verb: "look", n: 4, do: func(w *world) { w.argv = "other" }, reason: parley.ReasonWrongProcess},
		{name: "pane closed before Enter", verb: "press", n: 1, do: func(w *world) { w.fake.Remove() }, reason: parley.ReasonNotAnAgent},
		{name: "paste failed, not applied", verb: "paste", n: 1, fault: termtest.NotApplied, reason: parley.ReasonTerminal},
	} {
		c.want, c.touched = parley.Unknown, parley.Pasted
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// TestEntered: the key was asked for.
func TestEntered(t *testing.T) {
	lost := func(n int) func(*world) { return func(w *world) { w.agent.loseKeys = n } }
	mute := func(w *world) { w.agent.mute = true }
	for _, c := range []outcome{
		{name: "idle", want: parley.Submitted},
		{name: "no record", before: mute, want: parley.Submitted},
		{name: "working H25", before: turns("working"), want: parley.Queued},
		{name: "working, no record", before: func(w *world) { w.agent.turn, w.agent.mute = "working", true }, want: parley.Queued},
		{name: "paste failed, but applied", verb: "paste", n: 1, fault: termtest.ButApplied, want: parley.Submitted},
		{name: "press failed, but applied", verb: "press", n: 1, fault: termtest.ButApplied, want: parley.Submitted},
		{name: "press failed, not applied", verb: "press", n: 1, fault: termtest.NotApplied, want: parley.Submitted},
		{name: "the first Enter has no effect H03", before: lost(1), want: parley.Submitted, keys: 2},
		{name: "no Enter has an effect H03", before: lost(9), want: parley.Unknown, reason: parley.ReasonNotEntered, keys: 2},
		{name: "put back into the box H09", before: func(w *world) { w.agent.returns = 50 * time.Millisecond }, want: parley.Unknown, reason: parley.ReasonNotEntered, keys: 1},
		{name: "a key within the Enter H11", verb: "press", n: 1, within: true, do: types("x"), want: parley.Unknown, reason: parley.ReasonMixed},
		{name: "a draft after the Enter", verb: "look", n: 12, do: types("my own thought"), want: parley.Submitted},
		{name: "a dialog after the Enter", before: lost(1), verb: "look", n: 20, do: turns("asking"), want: parley.Unknown, reason: parley.ReasonAsking},
		{name: "respawned after the Enter", before: lost(1), verb: "look", n: 20, do: func(w *world) { w.fake.Replace() }, want: parley.Unknown, reason: parley.ReasonWrongProcess},
		{name: "pane closed after the Enter", before: lost(1), verb: "look", n: 20, do: func(w *world) { w.fake.Remove() }, want: parley.Unknown, reason: parley.ReasonNotAnAgent},
	} {
		c.touched = parley.Entered
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

// TestKeyForATurn: a CLI that takes another key while it works gets that one,
// and the other where the turn was over before the key came.
func TestKeyForATurn(t *testing.T) {
	turns := func(turn string) func(*world) { return func(w *world) { w.agent.tab, w.agent.turn = true, turn } }
	over := func(w *world) { w.agent.turn = "" }
	for _, c := range []outcome{
		{name: "idle", before: turns(""), want: parley.Submitted, keys: 1},
		{name: "working", before: turns("working"), want: parley.Queued, keys: 1},
		{name: "over before the key", before: turns("working"), verb: "press", n: 1, within: true, do: over, want: parley.Submitted, keys: 2},
		{name: "begun before the key", before: turns(""), verb: "press", n: 1, within: true, do: turns("working"), want: parley.Unknown, reason: parley.ReasonNotEntered, keys: 1},
	} {
		c.touched, c.opts = parley.Entered, []option{twoKeys}
		t.Run(c.name, func(t *testing.T) { c.run(t) })
	}
}

func (c outcome) run(t *testing.T) {
	in(t, func(w *world) {
		m := w.post("hello there")
		if c.before != nil {
			c.before(w)
		}
		happens := func(_ *termtest.Fake, call termtest.Call) termtest.Fault {
			if call.Verb != c.verb || call.N != c.n {
				return termtest.NoFault
			}
			if c.do != nil {
				c.do(w)
			}
			return c.fault
		}
		w.fake.Before = happens
		if c.within {
			w.fake.Before = nil
			w.fake.Within = func(f *termtest.Fake, call termtest.Call) { happens(f, call) }
		}
		began := time.Now()
		r := w.deliver(m, c.wait)
		w.wants(r, c.want, c.reason, c.touched)
		if d := time.Since(began); d > 20*time.Second {
			t.Errorf("it took %v", d)
		}
		if c.keys > 0 && w.checked != c.keys {
			t.Errorf("%d keys were asked for, want %d", w.checked, c.keys)
		}
		if w.agent.answered > 0 {
			t.Errorf("%d keys answered a dialog", w.agent.answered)
		}
		// Nothing changes by asking again, and nothing is typed again.
		w.fake.Do(func(f *fake) { f.Before, f.Within = nil, nil })
		if r.Outcome == parley.Unknown || r.Outcome == parley.Gone {
			w.wants(w.deliver(m, 0), c.want, c.reason, c.touched)
		}
	}, c.opts...)
}

// TestLineMode: a terminal in line mode has no input box that reads it.
func TestLineMode(t *testing.T) {
	host, tty, err := pty.Open()
	must(t, err)
	defer host.Close()
	defer tty.Close()
	in(t, func(w *world) {
		w.fake.Identity.TTY = tty.Name()
		w.joins("buddy")
		w.wants(w.send("hello", 0), parley.Deferred, parley.ReasonLineMode, parley.None)
	})
}

// TestLocked: whoever cannot have the lock defers, and is not kept longer than
// it asked for.
func TestLocked(t *testing.T) {
	in(t, func(w *world) {
		m := w.post("hello")
		_, release, err := w.fake.Hold(w.Context())
		must(t, err)
		for _, wait := range []time.Duration{0, time.Second} {
			began := time.Now()
			w.wants(w.deliver(m, wait), parley.Deferred, parley.ReasonLocked, parley.None)
			if d := time.Since(began); d > wait+retryEvery {
				t.Errorf("waited %v of %v", d, wait)
			}
		}
		release()
		w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
	})
}

// TestWaits: what can pass is waited for, and then the message goes out.
func TestWaits(t *testing.T) {
	for name, c := range map[string][2]func(*world){
		"draft":     {types("half a thought"), func(w *world) { w.fake.Box.Draft = "" }},
		"dialog":    {turns("asking"), turns("")},
		"copy mode": {func(w *world) { w.fake.State.InMode = true }, func(w *world) { w.fake.State.InMode = false }},
		"suspended": {becomes("suspended"), becomes("agent")},
		"typing":    {func(w *world) { w.fake.State.PersonAt = time.Now() }, func(*world) {}},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				var told []parley.Reason
				w.c.cfg.Notice = func(n Waiting) { told = append(told, n.Why) }
				c[0](w)
				time.AfterFunc(3*time.Second, func() { w.fake.Do(func(*fake) { c[1](w) }) })
				r := w.send("hello", time.Minute)
				w.wants(r, parley.Submitted, "", parley.Entered)
				if r.TookMS < 1200 || r.TookMS > 4000 || len(told) == 0 {
					t.Errorf("took %d ms, told %v", r.TookMS, told)
				}
			})
		})
	}
}

// TestMoving: a screen that is never twice the same is not believed empty.
func TestMoving(t *testing.T) {
	in(t, func(w *world) {
		w.fake.Before = func(f *termtest.Fake, c termtest.Call) termtest.Fault {
			f.Rows = 14 + c.N%2
			return termtest.NoFault
		}
		w.wants(w.send("hello", 0), parley.Deferred, parley.ReasonMoved, parley.None)
	})
	in(t, func(w *world) { // the guard refuses every paste, then every key
		w.fake.Before = func(f *termtest.Fake, c termtest.Call) termtest.Fault {
			if c.Verb == "paste" {
				f.Rows = 27 - f.Rows
			}
			return termtest.NoFault
		}
		w.wants(w.send("hello", 0), parley.Deferred, parley.ReasonMoved, parley.None)
	})
	in(t, func(w *world) {
		w.fake.Before = func(f *termtest.Fake, c termtest.Call) termtest.Fault {
			if c.Verb == "press" {
				f.Rows = 27 - f.Rows
			}
			return termtest.NoFault
		}
		w.wants(w.send("hello", 0), parley.Unknown, parley.ReasonMoved, parley.Pasted)
	})
}

// TestEveryReason: each word of REASONS.md is reached by a test of this
// package, or stands here with where it comes from.
func TestEveryReason(t *testing.T) {
	elsewhere := map[parley.Reason]string{
		parley.ReasonPaused:    "nothing can pause an agent yet",
		parley.ReasonNoAgent:   "TestGone",
		parley.ReasonAmbiguous: "e2e: two agents in one tmux session",
		parley.ReasonNameTaken: "e2e: claimed names",

		parley.ReasonUsage:        "cmd/parley: names.txtar",
		parley.ReasonOtherRefused: "cmd/parley: send-many.txtar",
	}
	text := ownTests(t)
	consts, err := os.ReadFile("../reasons.go")
	must(t, err)
	for _, m := range parley.Reasons {
		name := regexp.MustCompile(`(\w+)\s+Reason = "` + string(m.Reason) + `"`).FindStringSubmatch(string(consts))
		if name == nil {
			t.Fatalf("no constant for %s", m.Reason)
		}
		if uses := strings.Count(text, "parley."+name[1]+"\n") + strings.Count(text, "parley."+name[1]+"}") + strings.Count(text, "parley."+name[1]+","); uses == 0 && elsewhere[m.Reason] == "" {
			t.Errorf("no test reaches %s", m.Reason)
		}
	}
}

func ownTests(t *testing.T) string {
	files, err := filepath.Glob("*_test.go")
	must(t, err)
	var all strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(t, err)
		all.Write(b)
	}
	return all.String()
}
