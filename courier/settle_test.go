package courier

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/term/termtest"
)

// mail is what the sender's own inbox holds.
func (w *world) mail() (bodies []string) {
	w.Helper()
	es, err := w.c.Inbox("lead").Last(100)
	must(w, err)
	for _, e := range es {
		bodies = append(bodies, e.Message.Body)
		if e.Message.From != "parley" || e.Outcome != parley.Saved || e.Message.ReplyTo == "" {
			w.Errorf("what the sender is told: %+v", e)
		}
	}
	return bodies
}

func (w *world) toldOnce(words ...string) {
	w.Helper()
	m := w.mail()
	if len(m) != 1 {
		w.Errorf("the sender was told %q, want once", m)
		return
	}
	for _, word := range words {
		if !strings.Contains(m[0], word) {
			w.Errorf("the sender was told %q without %q", m[0], word)
		}
	}
}

// clears ends the turn and takes what stands in the box away, as a person would.
func (w *world) clears() { w.fake.Do(func(f *fake) { f.Box.Draft = ""; w.agent.idle() }) }

func (w *world) facts(m parley.Message) (kinds []parley.FactKind) {
	for _, f := range w.entry(m).Facts {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// TestSettleKilled: the next parley, whichever verb it is, says what became of
// a message whose sender was killed, and types nothing for it.
func TestSettleKilled(t *testing.T) {
	for _, c := range []struct {
		name   string
		at     killAt
		before func(w *world)
		after  func(w *world)
		want   parley.Outcome
		reason parley.Reason
		touch  parley.Touched
	}{
		{name: "before the paste", at: killAt{"paste", 1, false}, want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Pasted},
		{name: "after the paste", at: killAt{"paste", 1, true}, want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Pasted},
		{name: "before Enter", at: killAt{"press", 1, false}, want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Entered},
		{name: "after Enter", at: killAt{"press", 1, true}, want: parley.Submitted, touch: parley.Entered},
		{name: "after Enter, no record", at: killAt{"press", 1, true}, before: func(w *world) { w.agent.mute = true },
			want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Entered},
		{name: "the person sent it with more", at: killAt{"paste", 1, true},
			after: func(w *world) { w.fake.Do(func(f *fake) { f.Box.Type("and mine"); f.Box.Key("Enter") }) },
			want:  parley.Unknown, reason: parley.ReasonMixed, touch: parley.Entered},
		{name: "the person pressed Enter", at: killAt{"paste", 1, true},
			after: func(w *world) { w.fake.Do(func(f *fake) { f.Box.Key("Enter") }) }, want: parley.Submitted, touch: parley.Entered},
		{name: "working", at: killAt{"press", 1, true}, before: turns("working"), after: func(w *world) { w.agent.idle() },
			want: parley.Submitted, touch: parley.Entered},
	} {
		for verb, settle := range map[string]func(w *world, m parley.Message){
			"status":    func(w *world, m parley.Message) { w.status() },
			"deliver":   func(w *world, m parley.Message) { w.deliver(m, 0) },
			"next send": func(w *world, m parley.Message) { w.send("the next one", 0) },
			"wait":      func(w *world, m parley.Message) { w.awaitEnd(m) },
		} {
			t.Run(c.name+", "+verb, func(t *testing.T) {
				in(t, func(w *world) {
					if c.before != nil {
						c.before(w)
					}
					m := w.post("hello")
					w.killAt = c.at
					if !killed(func() { w.deliver(m, 0) }) {
						t.Fatal("the sender lived")
					}
					if e := w.entry(m); !e.Tried {
						t.Fatalf("no open attempt: %+v", e.State)
					}
					if c.after != nil {
						c.after(w)
					}
					settle(w, m)
					r := w.entry(m).Receipt
					if r == nil {
						t.Fatal("not settled")
					}
					w.wants(*r, c.want, c.reason, c.touch)
					w.agrees(*r)
					if c.want == parley.Unknown {
						w.toldOnce(string(m.ID), "buddy", "unknown", string(c.reason))
					} else if len(w.mail()) != 0 {
						t.Errorf("the sender was told %q", w.mail())
					}
				})
			})
		}
	}
}

func (w *world) status() Status {
	w.Helper()
	m, known, err := w.c.Roster().Member("buddy")
	if err != nil || !known {
		w.Fatal(known, err)
	}
	s, err := w.c.statusOf(w.Context(), m)
	must(w, err)
	return s
}

func (w *world) awaitEnd(m parley.Message) parley.Receipt {
	w.Helper()
	r, ok, err := w.c.AwaitEnd(w.Context(), m.To, m.ID, Patience{Forever})
	if !ok || err != nil {
		w.Fatal(ok, err)
	}
	return r
}

// queued sends while the agent works, and lets 11 s pass.
func (w *world) queued(body string) parley.Message {
	w.Helper()
	w.fake.Do(func(*fake) { w.agent.turn = "working" })
	m := w.post(body)
	w.wants(w.deliver(m, 0), parley.Queued, "", parley.Entered)
	time.Sleep(queuedFor + time.Second)
	return m
}

func TestQueuedIsSeen(t *testing.T) {
	in(t, func(w *world) {
		m := w.queued("when you are done")
		w.status()
		if e := w.entry(m); e.Outcome != parley.Queued || !e.Open() || e.Settled {
			t.Errorf("while it works: %+v", e.State)
		}
		w.fake.Do(func(*fake) { w.agent.idle() })
		w.wants(w.awaitEnd(m), parley.Queued, "", parley.Entered)
		if f := w.facts(m); len(f) != 1 || f[0] != parley.Seen {
			t.Errorf("facts %v", f)
		}
		w.status()
		w.legal(m.ID)
		if len(w.mail()) != 0 || len(w.facts(m)) != 1 {
			t.Errorf("told %q, facts %v", w.mail(), w.facts(m))
		}
	})
}

// A queued text that its CLI put back into the box gets one key, on record,
// from whoever types next; verbs that look press nothing.
func TestQueuedStandsInTheBox(t *testing.T) {
	in(t, func(w *world) {
		m := w.queued("when you are done")
		back := func(f *fake) { f.Box.Draft, w.agent.queue = w.agent.queue[0], nil; w.agent.idle() }
		w.fake.Do(back)
		keys := w.checked
		w.status()
		if w.checked != keys || w.entry(m).Settled {
			t.Errorf("status pressed %d keys; %+v", w.checked-keys, w.entry(m).State)
		}
		w.wants(w.send("the next one", 0), parley.Submitted, "", parley.Entered)
		w.wants(*w.entry(m).Receipt, parley.Submitted, "", parley.Entered)
		w.agrees(*w.entry(m).Receipt)
		if n := w.agent.taken("[#" + m.ID.Tag() + "]"); n != 1 || w.checked != keys+2 {
			t.Errorf("taken %d times, %d keys", n, w.checked-keys)
		}
		if got := w.agent.said; len(got) != 2 || !strings.Contains(got[0], "when you are done") {
			t.Errorf("order: %q", got)
		}
	})
}

// With anything beside it, the text stays, and the person is not pressed over.
func TestQueuedStandsMixed(t *testing.T) {
	for name, c := range map[string]func(f *fake, text string){
		"a draft beside it": func(f *fake, text string) { f.Box.Draft = text + " and mine" },
		"a person's key":    func(f *fake, text string) { f.Box.Draft, f.State.PersonAt = text, time.Now() },
		"copy mode":         func(f *fake, text string) { f.Box.Draft, f.State.InMode = text, true },
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				m := w.queued("when you are done")
				w.fake.Do(func(f *fake) { c(f, w.agent.queue[0]); w.agent.queue = nil; w.agent.idle() })
				keys := w.checked
				w.send("the next one", 0)
				if w.checked != keys || len(w.agent.said) != 0 {
					t.Errorf("%d keys, said %q", w.checked-keys, w.agent.said)
				}
				if e := w.entry(m); e.Outcome != parley.Queued || e.Settled {
					t.Errorf("%+v", e.State)
				}
			})
		})
	}
}

// H41: what its CLI held for later and then is nowhere is not queued for ever,
// and its sender is told.
func TestQueuedNotLanded(t *testing.T) {
	for name, c := range map[string]struct {
		lose func(w *world)
		why  parley.Reason
	}{
		"dropped by its CLI":  {func(w *world) { w.agent.queue = nil; w.agent.idle() }, parley.ReasonNotLanded},
		"pane closed":         {func(w *world) { w.fake.Remove() }, parley.ReasonEnded},
		"exited to the shell": {func(w *world) { w.who = "nobody" }, parley.ReasonEnded},
		"started anew":        {func(w *world) { w.fake.Replace() }, parley.ReasonEnded},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				m := w.queued("when you are done")
				w.fake.Do(func(*fake) { c.lose(w) })
				w.wants(w.awaitEnd(m), parley.Unknown, c.why, parley.Entered)
				w.legal(m.ID)
				w.toldOnce(string(m.ID), string(c.why))
				w.status()
				w.toldOnce(string(c.why))
			})
		})
	}
}

// Not landed is said only once records have had their time.
func TestQueuedTooEarly(t *testing.T) {
	in(t, func(w *world) {
		w.agent.turn = "working"
		m := w.post("when you are done")
		w.wants(w.deliver(m, 0), parley.Queued, "", parley.Entered)
		w.fake.Do(func(*fake) { w.agent.queue = nil; w.agent.idle() })
		w.status()
		if e := w.entry(m); e.Outcome != parley.Queued || len(w.mail()) != 0 {
			t.Errorf("%+v, told %q", e.State, w.mail())
		}
	})
}

// TestReconsider: an unknown message becomes submitted on the record's proof,
// by the verbs that name it; never by anything less.
func TestReconsider(t *testing.T) {
	in(t, func(w *world) {
		w.agent.mute = true
		w.agent.loseKeys = 9
		m := w.post("hello")
		w.wants(w.deliver(m, 0), parley.Unknown, parley.ReasonNotEntered, parley.Entered)
		must(t, w.c.Settle(w.Context(), "buddy", m.ID))
		w.wants(*w.entry(m).Receipt, parley.Unknown, parley.ReasonNotEntered, parley.Entered)
		w.agent.mute, w.agent.loseKeys = false, 0
		w.fake.Do(func(f *fake) { f.Box.Key("Enter") }) // the person helps
		must(t, w.c.Settle(w.Context(), "buddy", m.ID))
		r := *w.entry(m).Receipt
		w.wants(r, parley.Submitted, "", parley.Entered)
		w.agrees(r)
		if !hasEvidence(r, parley.Transcript) || !hasEvidence(r, parley.InBox) {
			t.Errorf("evidence %v", r.Evidence)
		}
	})
}

// A submitted message that its record shows only later is seen then, once.
func TestSeenLater(t *testing.T) {
	in(t, func(w *world) {
		w.agent.mute = true
		m := w.post("hello")
		w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
		w.agent.mute = false
		w.agent.record("user", w.agent.said[0])
		for range 2 {
			must(t, w.c.Settle(w.Context(), "buddy", m.ID))
		}
		if f := w.facts(m); len(f) != 1 || f[0] != parley.Seen {
			t.Errorf("facts %v", f)
		}
		w.legal(m.ID)
	})
}

// TestSettlePassesBy: while somebody types there, nobody else settles.
func TestSettlePassesBy(t *testing.T) {
	in(t, func(w *world) {
		m := w.post("hello")
		w.killAt = killAt{"paste", 1, true}
		killed(func() { w.deliver(m, 0) })
		_, release, err := w.fake.Hold(w.Context())
		must(t, err)
		began := time.Now()
		w.status()
		if e := w.entry(m); !e.Tried || time.Since(began) > time.Second {
			t.Errorf("settled under another's lock: %+v", e.State)
		}
		release()
		w.status()
		if e := w.entry(m); e.Outcome != parley.Unknown {
			t.Errorf("%+v", e.State)
		}
	})
}

// TestAwaitTurn: one look that fails is no reason to give up, nor is the end
// of the time while a look is under way; an agent that has gone is.
func TestAwaitTurn(t *testing.T) {
	in(t, func(w *world) {
		w.agent.turn = "working"
		w.fake.Before = func(_ *fake, c termtest.Call) termtest.Fault {
			if c.N%3 != 0 {
				return termtest.NotApplied
			}
			return termtest.NoFault
		}
		for _, wait := range []time.Duration{0, 5 * time.Second} {
			began := time.Now()
			s, ok, err := w.c.AwaitTurn(w.Context(), "buddy", "idle", Patience{wait})
			if took := time.Since(began); ok || err != nil || took < wait || took > wait+time.Second {
				t.Errorf("%+v %v %v after %s", s, ok, err, took)
			}
		}
		stopped, cancel := context.WithCancel(w.Context())
		time.AfterFunc(time.Second, cancel)
		if _, ok, _ := w.c.AwaitTurn(stopped, "buddy", "idle", Patience{Forever}); ok {
			t.Error("stopped, and called idle")
		}
		w.fake.Do(func(f *fake) { f.Before = nil; w.agent.idle() })
		if s, ok, err := w.c.AwaitTurn(w.Context(), "buddy", "idle", Patience{}); !ok || err != nil || s.Turn != dialect.Idle {
			t.Errorf("one look: %+v %v %v", s, ok, err)
		}
		if s, ok, err := w.c.AwaitTurn(w.Context(), "buddy", "idle", Patience{Forever}); !ok || err != nil || s.Turn != dialect.Idle {
			t.Errorf("%+v %v %v", s, ok, err)
		}
		w.who = "nobody"
		if _, ok, err := w.c.AwaitTurn(w.Context(), "buddy", "idle", Patience{Forever}); ok || err == nil || !strings.Contains(err.Error(), "no known agent") {
			t.Errorf("%v %v", ok, err)
		}
	})
}
