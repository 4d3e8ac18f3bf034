package courier

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/term/termtest"
)

// TestResidueAfterItsReceipt: the attempt has an end, unknown, and its text
// stands in the box: it is settled like one that a killed sender left.
func TestResidueAfterItsReceipt(t *testing.T) {
	for name, c := range map[string]struct {
		fail  func(w *world) // what the first send meets
		heal  func(w *world)
		why   parley.Reason
		note  string
		after parley.Outcome
	}{
		"drawn too late": {func(w *world) { w.fake.Within = once(w, "paste", func() { w.fake.Freeze() }) },
			func(w *world) { w.fake.Do(func(f *fake) { f.Thaw() }) }, parley.ReasonNoEcho, "entered", parley.Submitted},
		"a dialog came": {func(w *world) { w.fake.Before = refuse(w, "press", 1, func() { w.agent.turn = "asking" }) },
			func(w *world) { w.fake.Do(func(*fake) { w.agent.idle() }) }, parley.ReasonAsking, "entered", parley.Submitted},
		"a key that was erased": {func(w *world) { w.fake.Before = refuse(w, "press", 1, func() { w.fake.Box.Type("z") }) },
			func(w *world) {
				w.fake.Do(func(f *fake) { f.Box.Draft = strings.TrimSuffix(f.Box.Draft, "z") })
			}, parley.ReasonMixed, "entered", parley.Submitted},
		"the key was lost": {func(w *world) { w.agent.loseKeys = 9 }, func(w *world) { w.agent.loseKeys = 0 },
			parley.ReasonNotEntered, "cleared key-pressed", parley.Unknown},
	} {
		for _, seen := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				in(t, func(w *world) {
					m := w.from("lead", "hello")
					c.fail(w)
					r := w.deliver(m, 0)
					if r.Outcome != parley.Unknown || r.Reason != c.why {
						t.Fatalf("%+v", r)
					}
					w.fake.Do(func(f *fake) { f.Before, f.Within = nil, nil })
					c.heal(w)
					if seen {
						w.status() // looks, and touches nothing
						w.pressed("clear", 0)
					}
					w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Submitted, "", parley.Entered)
					if e := w.entry(m); e.Outcome != c.after {
						t.Errorf("%+v", e.Receipt)
					}
					w.noted(c.note)
					w.agrees(*w.entry(m).Receipt)
					if told := w.mailOf("lead"); len(told) != 1 || !strings.Contains(told[0], string(m.ID)) || !strings.Contains(told[0], string(c.after)) {
						t.Errorf("told %q", told)
					}
				})
			})
		}
	}
}

func once(w *world, verb string, do func()) func(*termtest.Fake, termtest.Call) {
	return func(_ *termtest.Fake, c termtest.Call) {
		if c.Verb == verb && c.N == 1 {
			do()
		}
	}
}

// TestResidueLooked: verbs that look close the attempt and press nothing; the
// next delivery settles its text all the same.
func TestResidueLooked(t *testing.T) {
	in(t, func(w *world) {
		m := w.from("lead", "hello")
		w.leave(m, pasted)
		w.wants(w.awaitEnd(m), parley.Unknown, parley.ReasonInterrupted, parley.Pasted)
		if h := w.status().Health; !strings.HasPrefix(h, "residue: ") {
			t.Errorf("status says %q", h)
		}
		w.noted()
		w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Submitted, "", parley.Entered)
		w.wants(*w.entry(m).Receipt, parley.Submitted, "", parley.Entered)
		w.noted("entered")
		if told := w.mailOf("lead"); len(told) != 2 || !strings.Contains(told[1], "submitted") {
			t.Errorf("told %q", told)
		}
	})
}

// TestResidueOfItsOwn: who asks again for the very message has its end.
func TestResidueOfItsOwn(t *testing.T) {
	in(t, func(w *world) {
		m := w.from("lead", "hello")
		w.leave(m, pasted)
		w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
		w.noted("entered")
	})
	in(t, func(w *world) {
		m := w.from("lead", "hello")
		w.leave(m, pressed)
		w.wants(w.deliver(m, 0), parley.Unknown, parley.ReasonCleared, parley.Entered)
		w.noted("cleared key-pressed")
	})
}

// TestResidueOfStrangers: a tag that no inbox here knows, a tag in a person's
// own words, a text of another process, one that went out once.
func TestResidueOfStrangers(t *testing.T) {
	stays := func(t *testing.T, note string, set func(w *world)) {
		t.Run(note, func(t *testing.T) {
			in(t, func(w *world) {
				set(w)
				box := w.fake.Box.Draft
				r := w.deliver(w.from("ops", "the next one"), 2*time.Second)
				w.wants(r, parley.Deferred, parley.ReasonResidue, parley.None)
				if w.fake.Box.Draft != box {
					t.Errorf("the box held %q, and now %q", box, w.fake.Box.Draft)
				}
				w.noted(note)
				w.pressed("clear", 0)
			})
		})
	}
	stays(t, "stays unknown-tag", func(w *world) { w.fake.Box.Draft = "lead: of another state folder [#0123abcd]" })
	stays(t, "stays not-alone", func(w *world) {
		m := w.from("lead", "hello")
		w.leave(m, pasted)
		w.fake.Do(func(f *fake) { f.Box.Draft = "what is [#" + m.ID.Tag() + "]?" })
	})
	stays(t, "stays taken", func(w *world) { // a turn that was interrupted gives its prompt back
		r := w.deliver(w.from("lead", "hello"), 0)
		w.wants(r, parley.Submitted, "", parley.Entered)
		w.fake.Do(func(f *fake) { f.Box.Draft = w.agent.said[0] })
	})
	stays(t, "stays taken", func(w *world) { // so too where its sender never knew
		m := w.from("lead", "hello")
		w.leave(m, killAt{"press", 1, true})
		w.agent.mute = true
		w.fake.Do(func(f *fake) { f.Box.Draft = w.agent.said[0] })
	})
	stays(t, "stays taken", func(w *world) { // quoted, and never typed
		m := w.from("lead", "hello")
		w.fake.Do(func(f *fake) { f.Box.Draft = "lead: hello [#" + m.ID.Tag() + "]" })
	})
	stays(t, "stays wrong-process", func(w *world) {
		m := w.from("lead", "hello")
		w.leave(m, pasted)
		box := w.fake.Box.Draft
		w.fake.Do(func(f *fake) { f.Replace(); f.Box.OnPaste, f.Box.OnKey = w.agent.paste, w.agent.key; f.Box.Draft = box })
		w.joins("buddy")
	})
}

// TestResidueOfNeighbours: the same pane under another name, and in another
// team: the line, the mail and the end are where the message is.
func TestResidueOfNeighbours(t *testing.T) {
	in(t, func(w *world) {
		w.joins("pal")
		m, _, err := w.c.Post(w.Context(), Draft{From: "lead", To: "pal", Body: "hello", Agent: "lead@1"})
		must(t, err)
		w.anyName = true
		w.leave(m, pasted)
		w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Submitted, "", parley.Entered)
		w.noted("entered")
		if e := w.entry(m); e.Outcome != parley.Submitted {
			t.Errorf("%+v", e.Receipt)
		}
	})
	in(t, func(w *world) {
		far := w.c.in("other")
		must(t, far.roster.Write(w.Context(), memberOf(t, w, "buddy")))
		m, _, err := far.Post(w.Context(), Draft{From: "lead@main", To: "buddy", Body: "hello", Agent: "lead@1"})
		must(t, err)
		w.anyName = true
		w.killAt = pressed
		if !killed(func() { far.Deliver(w.Context(), m.To, m.ID, Patience{}) }) {
			t.Fatal("the sender lived")
		}
		w.killAt = killAt{}
		w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Submitted, "", parley.Entered)
		w.noted()
		if n := w.notes("other"); len(n) != 1 || n[0].Did != didClear || n[0].Why != whyPressed || n[0].ID != m.ID {
			t.Errorf("the other team's notes: %+v", n)
		}
		e, _, err := far.Inbox("buddy").Find(string(m.ID))
		if must(t, err); e.Receipt == nil || e.Receipt.Reason != parley.ReasonCleared {
			t.Errorf("%+v", e.Receipt)
		}
		if told := w.mailOf("lead"); len(told) != 1 {
			t.Errorf("told %q", told)
		}
	})
}

// TestTwoResidues: the second sender saw an empty box before the first one's
// text was drawn. Together they are no message of anybody's: both are taken
// out, but only if both may be.
func TestTwoResidues(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		dead          string
		notes         []string
		next          parley.Outcome
	}{
		"one line each":  {"hello", "and I", "", []string{"cleared two", "cleared two"}, parley.Submitted},
		"lines":          {three, three + "!", "", []string{"cleared two", "cleared two"}, parley.Submitted},
		"one is folded":  {folded, "and I", "", []string{"cleared two", "cleared two"}, parley.Submitted},
		"second folded":  {"hello", folded, "", []string{"cleared two", "cleared two"}, parley.Submitted},
		"one has no one": {"hello", "and I", "lead", []string{"stays sender-ended", "stays sender-ended"}, parley.Deferred},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				a, b := w.both(c.first, c.second)
				w.ended[c.dead+"@1"] = true
				r := w.deliver(w.from("ops", "the next one"), 0)
				if r.Outcome != c.next {
					t.Errorf("%+v", r)
				}
				w.noted(c.notes...)
				if c.dead == "" {
					w.wants(*w.entry(a).Receipt, parley.Unknown, parley.ReasonCleared, parley.Pasted)
					w.wants(*w.entry(b).Receipt, parley.Unknown, parley.ReasonCleared, parley.Pasted)
				}
			})
		})
	}
	in(t, func(w *world) { // one is a person's by now: it is edited
		w.both("hello", "and I")
		w.fake.Do(func(f *fake) { f.Box.Draft += " z" })
		w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Deferred, parley.ReasonResidue, parley.None)
		w.noted("stays not-alone", "stays not-alone")
	})
}

// both leaves two texts in the box, one behind the other.
func (w *world) both(first, second string) (a, b parley.Message) {
	w.Helper()
	a, b = w.from("lead", first), w.from("ops", second)
	for _, m := range []parley.Message{a, b} {
		w.anyName = true
		t := compose(m, w.dialect())
		must(w, w.c.Inbox("buddy").Attempt(parley.Attempt{ID: m.ID, Step: parley.StepPaste, At: now()}))
		for _, text := range t.pastes {
			s, err := w.fake.Look(w.Context())
			must(w, err)
			_, err = w.fake.Paste(w.Context(), s, text)
			must(w, err)
		}
	}
	return a, b
}

// TestNoEffect: a key that takes nothing out is pressed once, and the text
// stays for good.
func TestNoEffect(t *testing.T) {
	in(t, func(w *world) {
		m := w.from("lead", three)
		w.leave(m, pressed)
		w.agent.keepRows = 99
		for range 3 {
			r := w.deliver(w.from("ops", "the next one"), 5*time.Second)
			w.wants(r, parley.Deferred, parley.ReasonResidue, parley.None)
			w.pressed("clear", 1)
			if len(w.notes("main")) > 2 {
				t.Errorf("%+v", w.notes("main"))
			}
			must(t, w.c.Inbox("buddy").MarkRead("buddy", r.ID))
		}
		w.noted("stays no-effect", "stays cleared-before")
		w.wants(*w.entry(m).Receipt, parley.Unknown, parley.ReasonInterrupted, parley.Entered)
	})
	in(t, func(w *world) { // half of it is gone by then
		m := w.from("lead", three)
		w.leave(m, pressed)
		w.fake.Before = refuse(w, "clear", 3, func() { w.agent.keepRows = 99 })
		w.wants(w.deliver(w.from("ops", "the next one"), 0), parley.Deferred, parley.ReasonDraft, parley.None)
		w.pressed("clear", 3)
		w.noted("stays no-effect")
	})
}
