package courier

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
)

func TestSubmitted(t *testing.T) {
	for name, body := range map[string]string{"one line": "hello there", "folded": strings.Repeat("a line\n", 9) + "the end"} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				r := w.send(body, 0)
				w.wants(r, parley.Submitted, "", parley.Entered)
				if len(w.agent.said) != 1 || w.agent.answered != 0 || w.checked != 1 {
					t.Errorf("said %q, %d keys", w.agent.said, w.checked)
				}
				if r.TookMS > 500 || r.TookMS < 20 {
					t.Errorf("took %d ms", r.TookMS)
				}
			})
		})
	}
}

// A guard that refuses means that nothing was typed: whoever waits finds the
// message deferred, not unknown, and it goes out once the box is free.
func TestRefusedPasteIsNoAttempt(t *testing.T) {
	for _, wait := range []time.Duration{0, 2 * time.Second} {
		in(t, func(w *world) {
			older := w.post("the older one")
			m := w.post("hello")
			w.fake.Before = refuse(w, "paste", 1, func() { w.fake.Box.Type("half a thought") })
			w.wants(w.deliver(m, wait), parley.Deferred, parley.ReasonDraft, parley.None)
			if e := w.entry(older); e.Outcome != parley.Deferred && e.Outcome != "" || e.Tried {
				t.Errorf("the older one: %+v", e.State)
			}
			w.fake.Do(func(*fake) { w.fake.Box.Draft = "" })
			w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
			w.wants(*w.entry(older).Receipt, parley.Submitted, "", parley.Entered)
		})
	}
}

// One look at a message whose sender was killed settles it for good: it is
// never typed again.
func TestOneLookSettles(t *testing.T) {
	in(t, func(w *world) {
		m := w.post("hello")
		w.killAt = killAt{"paste", 1, true}
		if !killed(func() { w.deliver(m, 0) }) {
			t.Fatal("the sender lived")
		}
		for range 3 {
			w.wants(w.deliver(m, 0), parley.Unknown, parley.ReasonInterrupted, parley.Pasted)
		}
		w.fake.Do(func(*fake) { w.fake.Box.Draft = "" })
		w.wants(w.deliver(m, time.Second), parley.Unknown, parley.ReasonInterrupted, parley.Pasted)
	})
}

// A message that somebody is typing this moment is nobody else's to defer: if
// that sender dies, a deferral in between would have it typed again.
func TestDeferredWhileTyped(t *testing.T) {
	for _, die := range []bool{false, true} {
		in(t, func(w *world) {
			m := w.post("hello")
			var second parley.Receipt
			asked, done := false, make(chan bool)
			w.fake.Before = refuse(w, "press", 1, func() {
				if asked {
					return
				}
				asked = true
				go func() { second = w.deliver(m, 0); close(done) }()
			})
			w.agent.loseKeys = 2
			if die {
				w.killAt = killAt{"look", 100, false}
			}
			killed(func() { w.deliver(m, 0) })
			<-done
			if second.Outcome != parley.Unknown || second.Touched != parley.Entered {
				t.Errorf("the second sender was told %+v", second)
			}
			w.agent.loseKeys = 0
			w.fake.Do(func(*fake) { w.fake.Box.Draft = "" })
			w.wants(w.deliver(m, time.Second), parley.Unknown, second.Reason, parley.Entered)
		})
	}
}

// The pane went away under a message that had been typed in part: what was
// touched stays said, and what the record proves.
func TestGoneAfterAttempt(t *testing.T) {
	for name, remove := range map[string]func(*world){
		"pane": func(w *world) { w.fake.Do((*fake).Remove) },
		"name": func(w *world) { w.leaves() },
	} {
		for _, kept := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, record kept: %v", name, kept), func(t *testing.T) {
				in(t, func(w *world) {
					w.agent.mute = !kept
					m := w.post("hello")
					w.killAt = killAt{"press", 1, true}
					killed(func() { w.deliver(m, 0) })
					remove(w)
					r := w.deliver(m, 0)
					if kept {
						w.wants(r, parley.Submitted, "", parley.Entered)
						return
					}
					w.wants(r, parley.Unknown, parley.ReasonInterrupted, parley.Entered)
				})
			})
		}
	}
}

// What the recipient has read is not typed any more.
func TestReadIsNotTyped(t *testing.T) {
	in(t, func(w *world) {
		never := w.post("never carried")
		w.fake.Box.Draft = "half a thought"
		m := w.post("hello")
		w.wants(w.deliver(m, 0), parley.Deferred, parley.ReasonDraft, parley.None)
		must(t, w.c.Inbox("buddy").MarkRead("buddy", m.ID, never.ID))
		w.fake.Box.Draft = ""
		began := time.Now()
		for _, m := range []parley.Message{m, never} {
			w.wants(w.deliver(m, time.Minute), parley.Deferred, parley.ReasonRead, parley.None)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("waited %v for nothing", d)
		}
		if open, _ := w.c.Inbox("buddy").OpenMessages(); len(open) != 0 {
			t.Errorf("%d messages are still open", len(open))
		}
		w.wants(w.send("the next", 0), parley.Submitted, "", parley.Entered)
		if len(w.agent.said) != 1 {
			t.Errorf("said %q", w.agent.said)
		}
	})
}

// A sender that was killed between the message and its `saved` receipt.
func TestMailboxWithoutReceipt(t *testing.T) {
	in(t, func(w *world) {
		m, _, err := w.c.Inbox("buddy").Post(parley.Message{From: "lead", To: "buddy", Body: "for later", Mailbox: true})
		must(t, err)
		w.wants(w.deliver(m, time.Minute), parley.Saved, "", parley.None)
		again, dup, err := w.c.Post(w.Context(), Draft{From: "lead", To: "nobody", Body: "x", Mailbox: true})
		if err != nil || dup || again.ID == "" {
			t.Fatal(again, dup, err)
		}
		if e := w.entry(again); e.Outcome != parley.Saved || e.Open() {
			t.Errorf("%+v", e.State)
		}
	})
}
