package courier

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/roster"
)

// ways in which an agent is not in sight any more.
var ways = map[string]func(w *world){
	"pane closed":         func(w *world) { w.fake.Remove() },
	"exited to the shell": func(w *world) { w.who = "nobody" },
	"started anew":        func(w *world) { w.fake.Replace() },
	"another program":     func(w *world) { w.argv = "other" },
	"suspended":           func(w *world) { w.who = "suspended" },
	"cannot be asked":     func(w *world) { w.who = "error" },
}

// TestRecordOutlivesAgent: what the agent's own record proves is said of a
// killed sender's attempt although the agent is gone, and no more than that.
func TestRecordOutlivesAgent(t *testing.T) {
	for name, c := range map[string]struct {
		at     killAt
		before func(w *world)
		after  func(w *world)
		want   parley.Outcome
		reason parley.Reason
		touch  parley.Touched
	}{
		"taken": {at: killAt{"press", 1, true}, want: parley.Submitted, touch: parley.Entered},
		"never entered": {at: killAt{"paste", 1, true}, want: parley.Unknown, reason: parley.ReasonInterrupted,
			touch: parley.Pasted},
		"entered by the person": {at: killAt{"paste", 1, true}, after: func(w *world) { w.fake.Do(func(f *fake) { f.Box.Key("Enter") }) },
			want: parley.Submitted, touch: parley.Entered},
		"entered with more": {at: killAt{"paste", 1, true},
			after: func(w *world) { w.fake.Do(func(f *fake) { f.Box.Type("and mine"); f.Box.Key("Enter") }) },
			want:  parley.Unknown, reason: parley.ReasonMixed, touch: parley.Entered},
		"no record": {at: killAt{"press", 1, true}, before: func(w *world) { w.agent.mute = true },
			want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Entered},
		"only held for later": {at: killAt{"press", 1, true}, before: turns("working"),
			want: parley.Unknown, reason: parley.ReasonInterrupted, touch: parley.Entered},
		"held, then taken": {at: killAt{"press", 1, true}, before: turns("working"), after: func(w *world) { w.fake.Do(func(*fake) { w.agent.idle() }) },
			want: parley.Submitted, touch: parley.Entered},
	} {
		for way, goes := range ways {
			for verb, settle := range map[string]func(w *world, m parley.Message){
				"status":  func(w *world, m parley.Message) { w.status() },
				"deliver": func(w *world, m parley.Message) { w.deliver(m, 0) },
				"wait":    func(w *world, m parley.Message) { w.awaitEnd(m) },
			} {
				t.Run(name+", "+way+", "+verb, func(t *testing.T) {
					in(t, func(w *world) {
						if c.before != nil {
							c.before(w)
						}
						m := w.post("hello")
						w.killAt = c.at
						if !killed(func() { w.deliver(m, 0) }) {
							t.Fatal("the sender lived")
						}
						if c.after != nil {
							c.after(w)
						}
						goes(w)
						settle(w, m)
						r := w.entry(m).Receipt
						if r == nil {
							t.Fatal("not settled")
						}
						w.wants(*r, c.want, c.reason, c.touch)
						w.agrees(*r)
						if (c.want == parley.Submitted) != hasEvidence(*r, parley.Transcript) {
							t.Errorf("evidence %v", r.Evidence)
						}
					})
				})
			}
		}
	}
}

// A message that its CLI held for later is seen if it went out before the agent
// ended. One that cannot be looked at now may still be taken.
func TestQueuedOutlivesAgent(t *testing.T) {
	for way, goes := range ways {
		for name, c := range map[string]struct {
			before func(w *world)
			seen   bool
			reason parley.Reason // if it ended
		}{
			"taken":      {func(w *world) { w.agent.idle() }, true, ""},
			"not taken":  {func(w *world) {}, false, parley.ReasonEnded},
			"with more":  {func(w *world) { w.agent.queue[0] += " and mine"; w.agent.idle() }, false, parley.ReasonMixed},
			"no records": {func(w *world) { w.agent.mute = true; w.agent.idle() }, false, parley.ReasonEnded},
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				in(t, func(w *world) {
					m := w.queued("when you are done")
					w.fake.Do(func(*fake) { c.before(w) })
					goes(w)
					w.status()
					e := w.entry(m)
					open := c.reason == parley.ReasonEnded && slices.Contains([]string{"suspended", "cannot be asked"}, way)
					switch {
					case c.seen || open:
						w.wants(*e.Receipt, parley.Queued, "", parley.Entered)
					default:
						w.wants(*e.Receipt, parley.Unknown, c.reason, parley.Entered)
					}
					if seen := slices.Equal(w.facts(m), []parley.FactKind{parley.Seen}); seen != c.seen || e.Open() != open {
						t.Errorf("facts %v, open %v", w.facts(m), e.Open())
					}
					w.legal(m.ID)
				})
			})
		}
	}
}

// An unknown end is known after all when the record shows it, also of an agent
// that has ended.
func TestReconsiderOutlivesAgent(t *testing.T) {
	in(t, func(w *world) {
		m := w.queued("when you are done")
		w.fake.Do(func(*fake) { w.agent.mute = true; w.agent.idle() })
		w.fake.Remove()
		w.status()
		w.wants(*w.entry(m).Receipt, parley.Unknown, parley.ReasonEnded, parley.Entered)
		w.agent.mute = false
		w.agent.record("user", w.agent.said[0]) // written late
		must(t, w.c.Settle(w.Context(), "buddy", m.ID))
		w.wants(*w.entry(m).Receipt, parley.Submitted, "", parley.Entered)
		w.legal(m.ID)
	})
}

// TestRecordOfAnEarlierConversation: an attempt names the records that the agent
// had, so that they are found when it has begun another conversation since, or
// keeps them where nobody would look.
func TestRecordOfAnEarlierConversation(t *testing.T) {
	for way, goes := range map[string]func(w *world){"alive": func(w *world) {}, "gone": ways["pane closed"]} {
		t.Run(way, func(t *testing.T) {
			in(t, func(w *world) {
				w.agent.record("user", "an earlier prompt")
				m := w.post("hello")
				w.killAt = killAt{"press", 1, true}
				if !killed(func() { w.deliver(m, 0) }) {
					t.Fatal("the sender lived")
				}
				records := w.entry(m).Attempts[0].Records
				if len(records) != 1 || filepath.Dir(records[0]) != w.agent.config {
					t.Fatalf("the attempt names %v", records)
				}
				w.agent.moves()
				goes(w)
				w.status()
				w.wants(*w.entry(m).Receipt, parley.Submitted, "", parley.Entered)
				w.agrees(*w.entry(m).Receipt)
			})
		})
	}
}

// moves begins other conversations, so many that the record of the last one is
// not among the newest of its folder any more.
func (p *program) moves() {
	p.Helper()
	for i := range 30 {
		path := filepath.Join(p.config, fmt.Sprintf("other-%d.jsonl", i))
		write(p, path, "{}\n")
		must(p, os.Chtimes(path, time.Time{}, time.Date(2100, 1, 1, 0, 0, i, 0, time.UTC)))
	}
}

// TestIdentityTells: what is needed to find the record stands in the identity.
func TestIdentityTells(t *testing.T) {
	in(t, func(w *world) {
		m, _, err := w.c.Roster().Member("buddy")
		must(t, err)
		a, ok := roster.Once(w.c.Dialects(), m.Identity)
		if !ok || a.Dialect.CLI != "box" || a.Config != w.agent.config || a.Proc.PID != 7 || a.Proc.Start != "1" || a.Identity != m.Identity {
			t.Errorf("%v %+v", ok, a)
		}
		for _, odd := range []string{"", "agent=7@1", m.Identity[:20], "x agent=7@1 nobody argv=1 config=/x", "x agent=7@1 box extra argv=1 config=/x"} {
			if a, ok := roster.Once(w.c.Dialects(), odd); ok {
				t.Errorf("%q is %+v", odd, a)
			}
		}
	})
}
