package courier

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

// refuse runs do as the n-th call of a verb begins.
func refuse(w *world, verb string, n int, do func()) func(*termtest.Fake, termtest.Call) termtest.Fault {
	return func(_ *termtest.Fake, c termtest.Call) termtest.Fault {
		if c.Verb == verb && c.N == n {
			do()
		}
		return termtest.NoFault
	}
}

var texts = map[string]string{
	"one paste":  "hello there",
	"two pastes": strings.Repeat("a line of it\n", 9) + "the end",
}

// counts are the calls of a walk in which nothing goes wrong.
func counts(t *testing.T, body string, set func(*world)) map[string]int {
	n := map[string]int{}
	in(t, func(w *world) {
		set(w)
		w.send(body, 0)
		for _, c := range w.fake.Calls() {
			n[c.Verb]++
		}
	})
	if n["look"] < 5 || n["paste"] < 1 || n["press"] != 1 {
		t.Fatalf("a clean walk makes %v", n)
	}
	return n
}

// deep is the sampled or the full run.
func deep() bool { return slices.Contains([]string{"long", "full"}, os.Getenv("PARLEY_DEPTH")) }

// everywhere runs a test at each call of a clean walk, and one behind it.
// PARLEY_DEPTH=long or full crosses all texts with all turns.
func everywhere(t *testing.T, test func(w *world, m parley.Message, verb string, n int)) {
	for name, body := range texts {
		for turn, set := range map[string]func(*world){"idle": turns(""), "working": turns("working")} {
			if !deep() && (name == "one paste") != (turn == "idle") {
				continue // the short run takes each of them once
			}
			for verb, calls := range counts(t, body, set) {
				for n := 1; n <= calls+1; n++ {
					t.Run(fmt.Sprintf("%s, %s, %s %d", name, turn, verb, n), func(t *testing.T) {
						in(t, func(w *world) {
							set(w)
							test(w, w.post(body), verb, n)
						})
					})
				}
			}
		}
	}
}

// TestFaults: each terminal call fails, not applied and applied all the same.
// Whatever it is, the receipt is true then and after the next parley, and
// nothing is typed twice. G2, G7, H38.
func TestFaults(t *testing.T) {
	for name, fault := range map[string]termtest.Fault{"not applied": termtest.NotApplied, "applied": termtest.ButApplied} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(w *world, m parley.Message, verb string, n int) {
				w.fake.Before = func(_ *termtest.Fake, c termtest.Call) termtest.Fault {
					if c.Verb == verb && c.N == n {
						return fault
					}
					return termtest.NoFault
				}
				first := w.deliver(m, 0)
				w.sound(m)
				w.fake.Do(func(f *fake) { f.Before = nil })
				again := w.deliver(m, 0)
				w.sound(m)
				if first.Outcome != parley.Deferred && again.Outcome != first.Outcome && again.Outcome != parley.Submitted {
					w.Errorf("%+v became %+v", first, again)
				}
				w.next(m)
			})
		})
	}
}

// TestKilled: the sender dies before and after each of its calls. The next
// parley gives the outcome that the terminal bears out. G1, G2, H24.
func TestKilled(t *testing.T) {
	for name, after := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(w *world, m parley.Message, verb string, n int) {
				w.killAt = killAt{verb, n, after}
				killed(func() { w.deliver(m, 0) })
				w.killAt = killAt{}
				w.sound(m)
				r := w.deliver(m, 0)
				w.sound(m)
				if taken := w.agent.taken("[#" + m.ID.Tag() + "]"); taken == 1 && r.Outcome == parley.Deferred {
					w.Errorf("taken, and called deferred: %+v", r)
				}
				w.next(m)
			})
		})
	}
}

// TestKilledTwice: so does the one that comes to settle.
func TestKilledTwice(t *testing.T) {
	everywhere(t, func(w *world, m parley.Message, verb string, n int) {
		w.killAt = killAt{verb, n, true}
		killed(func() { w.deliver(m, 0) })
		for look := 1; look <= 4; look++ {
			w.killAt = killAt{"look", look, look%2 == 0}
			killed(func() { w.deliver(m, 0) })
			w.sound(m)
		}
		w.killAt = killAt{}
		w.next(m)
	})
}

// TestSlippedIn: a key or a dialog comes at any call, seen by the guard or
// not. No key of ours follows what was drawn, and a person's draft stays.
func TestSlippedIn(t *testing.T) {
	for name, slip := range map[string]func(*world){"key": types("z"), "dialog": turns("asking"), "menu": turns("menu"), "mode": turns("shell")} {
		for _, within := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, within %v", name, within), func(t *testing.T) {
				everywhere(t, func(w *world, m parley.Message, verb string, n int) {
					if verb == "look" && within {
						return // looks have no guard
					}
					happens := refuse(w, verb, n, func() { slip(w) })
					w.fake.Before = happens
					if within {
						w.fake.Before, w.fake.Within = nil, func(f *fake, c termtest.Call) { happens(f, c) }
					}
					r := w.deliver(m, 0)
					undrawn := within && verb == "press"
					if w.agent.answered > 0 && !undrawn {
						w.Errorf("%d keys answered a dialog: %+v", w.agent.answered, r)
					}
					merged := slices.ContainsFunc(w.agent.said, func(s string) bool {
						return strings.Contains(s, "]z") || strings.HasPrefix(s, "z") || strings.HasSuffix(s, "z")
					})
					if merged && (!undrawn || r.Outcome == parley.Submitted) {
						w.Errorf("a person's key went out with ours, and the receipt says %+v", r)
					}
					w.fake.Do(func(f *fake) { f.Before, f.Within = nil, nil })
					w.sound(m)
				})
			})
		}
	}
}

// sound holds what must be true at any time against what reached the program.
func (w *world) sound(ms ...parley.Message) {
	w.Helper()
	pasted := map[string]int{}
	keys := 0
	for _, e := range w.fake.Events() {
		switch e.Kind {
		case "paste":
			pasted[e.Text]++
		case "key":
			keys++
		}
	}
	for text, n := range pasted {
		if n > 1 {
			w.Errorf("pasted %d times: %.60q", n, text)
		}
	}
	onRecord, groups := 0, 0
	for _, m := range ms {
		w.legal(m.ID)
		for _, a := range w.entry(m).Attempts {
			if a.Step == parley.StepPaste {
				groups += 2
			} else {
				onRecord++
			}
		}
		if n := w.agent.taken("[#" + m.ID.Tag() + "]"); n > 1 {
			w.Errorf("%s was taken %d times", m.ID, n)
		}
	}
	if keys > onRecord || len(pasted) > groups {
		w.Errorf("%d pastes and %d keys arrived, on record are %d and %d", len(pasted), keys, groups, onRecord)
	}
	es, err := w.c.Inbox("buddy").Last(len(ms) + 1)
	if err != nil || len(es) != len(ms) {
		w.Errorf("%d messages in the inbox, want %d: %v", len(es), len(ms), err)
	}
}

// next clears the box as a person would, and sends another: the old one keeps
// its end, or goes out first if it never was typed.
func (w *world) next(m parley.Message) {
	w.Helper()
	before := w.entry(m)
	w.clears()
	after := w.post("the next one")
	w.wants(w.deliver(after, 0), parley.Submitted, "", parley.Entered)
	w.sound(m, after)
	e := w.entry(m)
	w.agrees(*e.Receipt)
	if !before.Untyped() && !before.Tried && e.Outcome != before.Outcome && e.Outcome != parley.Submitted {
		w.Errorf("%s became %s", before.Outcome, e.Outcome)
	}
	if before.Untyped() && e.Outcome != parley.Submitted {
		w.Errorf("an untyped older message is %s", e.Outcome)
	}
}

// TestAnything: faults, kills, keys, dialogs and turns in any order, over many
// sends: what is always true stays true. PARLEY_DEPTH=long or full tries more.
func TestAnything(t *testing.T) {
	seeds := uint64(150)
	if deep() {
		seeds = 2000
	}
	for seed := range seeds {
		in(t, func(w *world) { w.anything(rand.New(rand.NewPCG(seed, 1))) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func (w *world) anything(r *rand.Rand) {
	defer w.ends()
	var ms []parley.Message
	for i := range 1 + r.IntN(4) {
		body := texts[pick(r, "one paste", "two pastes")]
		post := w.post // by a sender that nobody proves to live
		if r.IntN(2) == 0 {
			post = func(body string) parley.Message { return w.from("lead", body) }
		}
		ms = append(ms, post(fmt.Sprintf("%s %d", body, i)))
	}
	w.fake.Before = func(f *termtest.Fake, c termtest.Call) termtest.Fault { return w.unlucky(r, f) }
	for range 1 + r.IntN(6) {
		m := ms[r.IntN(len(ms))]
		w.killAt = killAt{pick(r, "none", "look", "paste", "press", "clear"), 1 + r.IntN(8), r.IntN(2) == 0}
		killed(func() { w.anyVerb(r, m) })
		time.Sleep(time.Duration(r.IntN(8)) * time.Second)
		w.sound(ms...)
	}
	if w.Failed() {
		w.Logf("calls:\n%s", w.story())
	}
}

// anyVerb is one call of parley that has to do with a message.
func (w *world) anyVerb(r *rand.Rand, m parley.Message) {
	switch r.IntN(8) {
	case 0:
		must(w, w.c.Settle(w.Context(), m.To, m.ID))
	case 1:
		w.status()
	case 2:
		must(w, w.c.Inbox(m.To).MarkRead(m.To, m.ID))
	default:
		got, err := w.c.Deliver(w.Context(), m.To, m.ID, Patience{Wait: time.Duration(r.IntN(4)) * time.Second})
		must(w, err)
		if got.Touched == parley.None && len(w.pastesOf(m)) > 0 {
			w.Errorf("untouched, and yet typed: %+v", got)
		}
	}
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

// unlucky makes a terminal call go wrong now and then.
func (w *world) unlucky(r *rand.Rand, f *termtest.Fake) termtest.Fault {
	switch r.IntN(60) {
	case 1:
		return termtest.NotApplied
	case 2:
		return termtest.ButApplied
	case 3:
		f.Box.Type("z")
	case 4:
		f.Box.Draft = ""
	case 5:
		w.agent.turn = pick(r, "working", "asking", "menu", "shell", "odd")
	case 6, 7, 8:
		w.agent.idle()
	case 9:
		w.agent.mute = !w.agent.mute
	case 10:
		w.agent.loseKeys = 1
	case 11:
		f.Freeze()
	case 12, 13, 14:
		f.Thaw()
	}
	return termtest.NoFault
}

func (w *world) pastesOf(m parley.Message) (out []termtest.Call) {
	for _, c := range w.fake.Calls() {
		if c.Verb == "paste" && c.Got != term.Refused && strings.Contains(strings.Join(c.Texts, ""), m.ID.Tag()) {
			out = append(out, c)
		}
	}
	return out
}

// story is every call that was made, for a failure.
func (w *world) story() string {
	var b strings.Builder
	looks := 0
	for _, c := range w.fake.Calls() {
		if c.Verb == "look" {
			looks++
			continue
		}
		fmt.Fprintf(&b, "%d looks, %s %.50q %s: %d\n", looks, c.Verb, c.Texts, c.Key, c.Got)
		looks = 0
	}
	return b.String()
}
