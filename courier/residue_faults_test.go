package courier

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/term/termtest"
)

// leavings are texts in a box, each with the end that it comes to if nothing
// goes wrong.
var leavings = map[string]struct {
	set func(w *world) []parley.Message
	did string
}{
	"whole": {func(w *world) []parley.Message { return w.leaving("hello", pasted) }, didEnter},
	"lines": {func(w *world) []parley.Message { return w.leaving(three, pressed) }, didClear},
	"fold":  {func(w *world) []parley.Message { return w.leaving(folded, pressed) }, didClear},
	"part":  {func(w *world) []parley.Message { return w.leaving(folded, pasted) }, didClear},
	"two":   {func(w *world) []parley.Message { a, b := w.both("hello", three); return []parley.Message{a, b} }, didClear},
}

func (w *world) leaving(body string, at killAt) []parley.Message {
	m := w.from("lead", body)
	w.leave(m, at)
	return []parley.Message{m}
}

// whileSettled runs a test at each call that the next sender makes, and one behind.
func whileSettled(t *testing.T, test func(w *world, ms []parley.Message, next parley.Message, verb string, n int)) {
	for name, l := range leavings {
		calls := map[string]int{}
		in(t, func(w *world) {
			ms := l.set(w)
			before := len(w.fake.Calls())
			w.wants(w.deliver(w.from("dana", "the next one"), 0), parley.Submitted, "", parley.Entered)
			for _, c := range w.fake.Calls()[before:] {
				calls[c.Verb]++
			}
			for _, m := range ms {
				w.settledAs(m, l.did)
			}
		})
		for verb, n := range calls {
			for at := 1; at <= n+1; at++ {
				if verb == "look" && at > 2 && at < n-2 && at%40 != 0 && !deep() {
					continue // most looks are of a text that stands still
				}
				t.Run(fmt.Sprintf("%s, %s %d", name, verb, at), func(t *testing.T) {
					in(t, func(w *world) {
						ms := l.set(w)
						test(w, ms, w.from("dana", "the next one"), verb, at)
					})
				})
			}
		}
	}
}

// settledAs holds the notes, the mail and the log of a message against what was
// done about its text.
func (w *world) settledAs(m parley.Message, did ...string) {
	w.Helper()
	count := map[string]int{}
	for _, n := range w.notes("main") {
		if n.ID == m.ID && n.Did != didStay {
			count[n.Did]++
		}
	}
	total := 0
	for d, n := range count {
		total += n
		if n > 1 || !slices.Contains(did, d) {
			w.Errorf("%d notes say that %s was %s, want %v", n, m.ID, d, did)
		}
	}
	told := 0
	for _, s := range w.mailOf(m.From) {
		if strings.Contains(s, string(m.ID)) {
			told++
		}
	}
	if e := w.entry(m); total == 0 || e.Open() || told < total {
		w.Errorf("%s: %d notes, told %d times, %+v", m.ID, total, told, e.State)
	}
	w.legal(m.ID)
}

// rest lets two more senders come, which settle what is left, and holds the end
// of it all against what reached the program.
func (w *world) rest(ms []parley.Message, next parley.Message) {
	w.Helper()
	all := append(slices.Clone(ms), next)
	for i := range 3 {
		last := w.from("dana", fmt.Sprintf("number %d", i))
		all = append(all, last)
		w.deliver(last, time.Second)
		w.sound(all...)
	}
	if w.fake.Box.Draft != "" {
		w.Errorf("the box still holds %q", w.fake.Box.Draft)
	}
	for _, m := range all {
		if e := w.entry(m); e.Open() && e.Outcome != parley.Queued {
			w.Errorf("%s is still open: %+v", m.ID, e.State)
		}
	}
	for _, m := range ms {
		w.settledAs(m, didEnter, didClear, didLose)
		if e := w.entry(m); e.Receipt != nil {
			w.agrees(*e.Receipt)
		}
	}
	if w.Failed() {
		w.Logf("%+v\n%s", w.notes("main"), w.story())
	}
}

// TestResidueKilled: the sender that settles is killed before and after each of
// its calls. What it left undone is done by the next, each thing once.
func TestResidueKilled(t *testing.T) {
	for name, after := range map[string]bool{"before": false, "after": true} {
		t.Run(name, func(t *testing.T) {
			whileSettled(t, func(w *world, ms []parley.Message, next parley.Message, verb string, n int) {
				w.killAt = killAt{verb, n, after}
				killed(func() { w.deliver(next, 0) })
				w.killAt = killAt{}
				if n%2 == 0 { // a verb that only looks comes first
					keys := len(w.fake.Events())
					w.status()
					if len(w.fake.Events()) != keys {
						w.Errorf("status touched the box:\n%s", w.story())
					}
				}
				w.rest(ms, next)
			})
		})
	}
}

// TestResidueKilledTwice: so is the one that comes after it.
func TestResidueKilledTwice(t *testing.T) {
	whileSettled(t, func(w *world, ms []parley.Message, next parley.Message, verb string, n int) {
		for i := range 4 {
			w.killAt = killAt{verb, max(1, n-i), i%2 == 0}
			killed(func() { w.deliver(next, 0) })
			w.sound(append(slices.Clone(ms), next)...)
		}
		w.killAt = killAt{}
		w.rest(ms, next)
	})
}

// TestResidueFaults: each of its calls fails, not applied and applied all the
// same.
func TestResidueFaults(t *testing.T) {
	for name, fault := range map[string]termtest.Fault{"not applied": termtest.NotApplied, "applied": termtest.ButApplied} {
		t.Run(name, func(t *testing.T) {
			whileSettled(t, func(w *world, ms []parley.Message, next parley.Message, verb string, n int) {
				before := map[string]int{}
				for _, c := range w.fake.Calls() {
					before[c.Verb]++
				}
				w.fake.Before = func(_ *termtest.Fake, c termtest.Call) termtest.Fault {
					if c.Verb == verb && c.N == before[verb]+n {
						return fault
					}
					return termtest.NoFault
				}
				w.deliver(next, 0)
				w.fake.Do(func(f *fake) { f.Before = nil })
				w.rest(ms, next)
			})
		})
	}
}

// TestResidueSlip: a person's key or a dialog comes at any of its calls, seen by
// the guard or not. No key is lost but one that came undrawn in the very moment
// of the key that clears, and no dialog is answered.
func TestResidueSlip(t *testing.T) {
	for name, slip := range map[string]func(*world){"key": types("z"), "dialog": turns("asking"), "mode": turns("shell")} {
		for _, within := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, within %v", name, within), func(t *testing.T) {
				whileSettled(t, func(w *world, ms []parley.Message, next parley.Message, verb string, n int) {
					if verb == "look" && within {
						return // looks have no guard
					}
					before := map[string]int{}
					for _, c := range w.fake.Calls() {
						before[c.Verb]++
					}
					slipped := false
					happens := refuse(w, verb, before[verb]+n, func() { slipped = true; slip(w) })
					w.fake.Before = happens
					if within {
						w.fake.Before, w.fake.Within = nil, func(f *fake, c termtest.Call) { happens(f, c) }
					}
					r := w.deliver(next, 0)
					undrawn := within && (verb == "press" || verb == "clear")
					if w.agent.answered > 0 && !undrawn {
						w.Errorf("%d keys answered a dialog: %+v", w.agent.answered, r)
					}
					if name == "key" && slipped && !undrawn && !strings.Contains(w.fake.Box.Draft+strings.Join(w.agent.said, ""), "z") {
						w.Errorf("a person's key is lost: box %q, said %q", w.fake.Box.Draft, w.agent.said)
					}
					w.fake.Do(func(f *fake) { f.Before, f.Within = nil, nil; f.Box.Draft = ""; w.agent.idle() })
					w.sound(append(slices.Clone(ms), next)...)
				})
			})
		}
	}
}

// TestResidueHalfWritten: the disk holds any part of what the end of a settling
// writes: the note, the mail, the receipt. The next sender writes the rest, and
// nothing twice.
func TestResidueHalfWritten(t *testing.T) {
	for name, l := range leavings {
		for cut := 1; cut <= 3; cut++ {
			t.Run(fmt.Sprintf("%s, without the last %d", name, cut), func(t *testing.T) {
				in(t, func(w *world) {
					ms := l.set(w)
					next := w.from("dana", "the next one")
					// The paste of the next message comes right behind the last receipt.
					w.killAt = killAt{"paste", 1, false}
					killed(func() { w.deliver(next, 0) })
					w.killAt = killAt{}
					w.cutTail("inbox/buddy.jsonl", `"kind":"attempt"`) // of the next
					w.cutTail("inbox/buddy.jsonl", `"kind":"receipt"`)
					if cut > 1 {
						w.cutTail("inbox/"+string(ms[len(ms)-1].From)+".jsonl", `"kind":"receipt"`)
						w.cutTail("inbox/"+string(ms[len(ms)-1].From)+".jsonl", `"kind":"message"`)
					}
					if cut > 2 {
						w.cutTail("residue.jsonl", ms[len(ms)-1].ID.Tag())
					}
					w.rest(ms, next)
				})
			})
		}
	}
}

// cutTail takes the last line off a file of the team; it must hold a word.
func (w *world) cutTail(file, word string) {
	w.Helper()
	path := filepath.Join(w.home, "teams", "main", file)
	b, err := os.ReadFile(path)
	must(w, err)
	lines := strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
	last := lines[len(lines)-1]
	if !strings.Contains(last, word) {
		w.Fatalf("the last line of %s is %s", file, last)
	}
	must(w, os.WriteFile(path, []byte(strings.Join(lines[:len(lines)-1], "")), 0o600))
}

// TestResidueUnwritable: what cannot be recorded is an error, nothing of the
// next message is typed, and it is all said once the disk can be written to.
func TestResidueUnwritable(t *testing.T) {
	in(t, func(w *world) {
		ms := w.leaving(three, pressed)
		next := w.from("dana", "the next one")
		must(t, os.Mkdir(w.c.ledger(), 0o700))
		if r, err := w.c.Deliver(w.Context(), next.To, next.ID, Patience{}); err == nil || !strings.Contains(err.Error(), "residue") {
			t.Errorf("%+v %v", r, err)
		}
		if len(w.pastesOf(next)) != 0 {
			t.Error("the next message was typed")
		}
		must(t, os.Remove(w.c.ledger()))
		w.rest(ms, next)
	})
}

// A line that a crash cut short hides no other, and is no note.
func TestNotesTornTail(t *testing.T) {
	in(t, func(w *world) {
		ms := w.leaving(three, pressed)
		must(t, os.WriteFile(w.c.ledger(), []byte(`{"did":"cleared","tag":"`+ms[0].ID.Tag()+`"}`), 0o600))
		next := w.from("dana", "the next one")
		w.wants(w.deliver(next, 0), parley.Submitted, "", parley.Entered)
		b, err := os.ReadFile(w.c.ledger())
		if must(t, err); !strings.Contains(string(b), "\"} <torn>\n{") || strings.Count(string(b), "\n") != 2 {
			t.Errorf("%s", b)
		}
	})
}
