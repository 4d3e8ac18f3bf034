package courier

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
)

// TestOlderFirst: what was deferred goes out before what is newer, oldest
// first, and each by one walk of its own.
func TestOlderFirst(t *testing.T) {
	in(t, func(w *world) {
		w.fake.Box.Draft = "half a thought"
		var ms []parley.Message
		for i := range 5 {
			m := w.post(fmt.Sprintf("message %d", i))
			w.wants(w.deliver(m, 0), parley.Deferred, parley.ReasonDraft, parley.None)
			ms = append(ms, m)
		}
		w.fake.Box.Draft = ""
		w.wants(w.deliver(ms[2], 0), parley.Submitted, "", parley.Entered)
		w.said(0, 1, 2)
		for i, m := range ms {
			want := parley.Submitted
			if i > 2 {
				want = parley.Deferred // nobody asked for what is newer
			}
			if e := w.entry(m); e.Outcome != want {
				t.Errorf("message %d: %+v", i, e.State)
			}
			w.legal(m.ID)
		}
		w.wants(w.send("message 5", 0), parley.Submitted, "", parley.Entered)
		w.said(0, 1, 2, 3, 4, 5)
	})
}

// said holds the conversation against "message N" in order.
func (w *world) said(numbers ...int) {
	w.Helper()
	if len(w.agent.said) != len(numbers) {
		w.Errorf("said %q, want %v", w.agent.said, numbers)
		return
	}
	for i, n := range numbers {
		if !strings.HasPrefix(w.agent.said[i], fmt.Sprintf("lead: message %d [#", n)) {
			w.Errorf("said %q as number %d, want message %d", w.agent.said[i], i, n)
		}
	}
}

// One that can never be typed, for what it is, waits and holds nobody up.
func TestTooLongHoldsNobodyUp(t *testing.T) {
	in(t, func(w *world) {
		long := w.post("message 0 " + strings.Repeat("x", 100))
		w.wants(w.deliver(long, time.Minute), parley.Deferred, parley.ReasonTooLong, parley.None)
		w.wants(w.send("message 1", 0), parley.Submitted, "", parley.Entered)
		w.wants(w.deliver(long, 0), parley.Deferred, parley.ReasonTooLong, parley.None)
		w.wants(w.send("message 2", 0), parley.Submitted, "", parley.Entered)
		w.said(1, 2)
		w.legal(long.ID)
	}, shortTexts)
}

// An older one that cannot go holds the newer ones back; one that ends without
// success does not, and its sender is told.
func TestOlderHoldsBack(t *testing.T) {
	in(t, func(w *world) {
		w.agent.turn = "working"
		older, _, err := w.c.Post(w.Context(), Draft{From: "lead", To: "buddy", Body: "only when idle", When: "idle"})
		must(t, err)
		w.wants(w.send("message 1", 0), parley.Deferred, parley.ReasonWorking, parley.None)
		w.agent.turn = ""
		w.wants(w.send("message 2", 0), parley.Submitted, "", parley.Entered)
		w.wants(*w.entry(older).Receipt, parley.Submitted, "", parley.Entered)
	})
	in(t, func(w *world) {
		older := w.post("message 0")
		w.fake.Before = nil
		w.agent.loseKeys = 9
		lost := w.post("message 1")
		r := w.deliver(lost, 0)
		w.wants(r, parley.Deferred, parley.ReasonResidue, parley.None)
		w.wants(*w.entry(older).Receipt, parley.Unknown, parley.ReasonNotEntered, parley.Entered)
		w.toldOnce(string(older.ID), "not-entered")
	})
	in(t, func(w *world) { // meant for a process that is not there any more
		older := w.post("message 0")
		w.fake.Do(func(f *fake) { f.Replace(); f.Box.OnPaste, f.Box.OnKey = w.agent.paste, w.agent.key })
		w.joins("buddy")
		w.wants(w.send("message 1", 0), parley.Submitted, "", parley.Entered)
		w.wants(*w.entry(older).Receipt, parley.Gone, parley.ReasonWrongProcess, parley.None)
		w.toldOnce(string(older.ID), "gone", "wrong-process")
		w.said(1)
	})
}

// TestWhenIdle: asked to wait for the turn's end, nothing is typed into a
// working agent, and the end of the turn lets it out.
func TestWhenIdle(t *testing.T) {
	in(t, func(w *world) {
		w.agent.turn = "working"
		m, _, err := w.c.Post(w.Context(), Draft{From: "lead", To: "buddy", Body: "message 0", When: "idle"})
		must(t, err)
		w.wants(w.deliver(m, 0), parley.Deferred, parley.ReasonWorking, parley.None)
		time.AfterFunc(5*time.Second, func() { w.fake.Do(func(*fake) { w.agent.idle() }) })
		w.wants(w.deliver(m, time.Minute), parley.Submitted, "", parley.Entered)
		w.said(0)
	})
}

// TestSameMessage: the same key, or the same words while they are open, are
// the same message. H23, H24, H25.
func TestSameMessage(t *testing.T) {
	in(t, func(w *world) {
		send := func(d Draft) (parley.ID, bool, parley.Receipt) {
			d.From, d.To = "lead", "buddy"
			m, again, err := w.c.Post(w.Context(), d)
			must(t, err)
			return m.ID, again, w.deliver(m, 0)
		}
		w.fake.Box.Draft = "half a thought"
		first, again, _ := send(Draft{Body: "message 0"})
		for range 20 {
			id, again, r := send(Draft{Body: "message 0"})
			if id != first || !again {
				t.Fatalf("%s again %v, want %s", id, again, first)
			}
			w.wants(r, parley.Deferred, parley.ReasonDraft, parley.None)
		}
		if other, same, _ := send(Draft{Body: "message 1"}); other == first || again || same {
			t.Error("other words are another message")
		}
		w.fake.Box.Draft = ""
		id, _, r := send(Draft{Body: "message 0"})
		w.wants(r, parley.Submitted, "", parley.Entered)
		if id != first {
			t.Errorf("%s, want %s", id, first)
		}
		if id, again, _ := send(Draft{Body: "message 0"}); id == first || again {
			t.Error("said again after its end, it is said again")
		}
		keyed, _, _ := send(Draft{Body: "message 2", Key: "k"})
		for range 3 {
			id, again, r := send(Draft{Body: "message\x00 2", Key: "k"}) // the same once it is cleaned
			w.wants(r, parley.Submitted, "", parley.Entered)
			if id != keyed || !again {
				t.Errorf("the same key gave %s, want %s", id, keyed)
			}
		}
		w.said(0, 1, 0, 2)
	})
}

// TestKeyTaken: a key stands for one message. Another one under it is refused,
// never taken for the first: its words would be lost.
func TestKeyTaken(t *testing.T) {
	in(t, func(w *world) {
		why := parley.ReasonKeyTaken
		d := Draft{From: "lead", To: "buddy", Body: "message 0", Key: "k"}
		m, _, err := w.c.Post(w.Context(), d)
		must(t, err)
		w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
		for says, change := range map[string]func(*Draft){
			"its text is another one;":                              func(d *Draft) { d.Body += "1" },
			"it is from lead, not qa;":                              func(d *Draft) { d.From = "qa" },
			"it answers another message;":                           func(d *Draft) { d.ReplyTo = m.ID },
			"it is from lead, not qa, and its text is another one;": func(d *Draft) { d.From, d.Body, d.Mailbox = "qa", "x", true },
		} {
			other := d
			change(&other)
			got, _, err := w.c.Post(w.Context(), other)
			for _, err := range []error{err, w.c.Check(w.Context(), other)} {
				r, refused := Refused(err)
				if !refused || r.Reason != why || !strings.Contains(r.Say, string(m.ID)) || !strings.Contains(r.Say, says) {
					t.Errorf("%v, want %s", err, says)
				}
			}
			if got.ID != "" {
				t.Errorf("%s: %s comes back", says, got.ID)
			}
		}
		d.Mailbox, d.When, d.Claimed = true, "idle", true // how it goes is not what it says
		if got, again, err := w.c.Post(w.Context(), d); err != nil || !again || got.ID != m.ID {
			t.Errorf("%v %v %v, want %s", got.ID, again, err, m.ID)
		}
		w.said(0)
	})
}

// TestRefusals: nothing is saved, and the sentence says what to do.
func TestRefusals(t *testing.T) {
	in(t, func(w *world) {
		for _, c := range []struct {
			d    Draft
			why  parley.Reason
			says string
		}{
			{Draft{From: "lead", To: "buddy", Body: strings.Repeat("x", MaxBody+1)}, parley.ReasonTooLong, "--file"},
			{Draft{From: "buddy", To: "buddy", Body: "x"}, parley.ReasonSelf, "itself"},
			{Draft{From: "lead", To: "buddy", Body: " \n\t"}, "", "empty"},
			{Draft{From: "lead", To: "buddy", Body: "\x1b\x00\x7f"}, "", "empty"},
		} {
			m, _, err := w.c.Post(w.Context(), c.d)
			r, refused := Refused(err)
			if !refused || r.Reason != c.why || !strings.Contains(r.Say, c.says) || m.ID != "" {
				t.Errorf("%.40q: %v, want %s", c.d.Body, err, c.why)
			}
			if err := w.c.Check(w.Context(), c.d); err == nil {
				t.Errorf("%.40q: Check says nothing", c.d.Body)
			}
		}
		if es, _ := w.c.Inbox("buddy").Last(10); len(es) != 0 {
			t.Errorf("%d messages were saved", len(es))
		}
		w.wants(w.send(strings.Repeat("x", MaxBody), 0), parley.Submitted, "", parley.Entered)
		m, _, err := w.c.Post(w.Context(), Draft{From: "buddy", To: "buddy", Body: strings.Repeat("x", 2*MaxBody), Mailbox: true})
		if err != nil || w.entry(m).Outcome != parley.Saved {
			t.Errorf("a mailbox takes any length, and notes to oneself: %v", err)
		}
	})
}

// TestManySenders: two hundred at once, one target: each text whole, once, and
// no lock is left. H21.
func TestManySenders(t *testing.T) {
	in(t, func(w *world) {
		const n = 40 // two hundred in e2e, in processes of their own
		var wg sync.WaitGroup
		receipts := make([]parley.Receipt, n)
		for i := range n {
			wg.Go(func() { receipts[i] = w.send(fmt.Sprintf("message %d", i), 10*time.Minute) })
		}
		wg.Wait()
		for _, r := range receipts {
			w.wants(r, parley.Submitted, "", parley.Entered)
		}
		if len(w.agent.said) != n {
			t.Errorf("%d said, want %d", len(w.agent.said), n)
		}
		es, err := w.c.Inbox("buddy").Last(n)
		must(t, err)
		for i, e := range es {
			if !strings.Contains(w.agent.said[i], e.Message.ID.Tag()) {
				t.Errorf("number %d said is %q, the inbox has %s", i, w.agent.said[i], e.Message.Body)
			}
		}
		if _, release, err := w.fake.Hold(w.Context()); err != nil {
			t.Error(err)
		} else {
			release()
		}
	})
}

// TestCancelled: whoever gives up in mid-walk still leaves a receipt that is
// true, and nothing half done.
func TestCancelled(t *testing.T) {
	for _, verb := range []string{"look", "paste", "press"} {
		for n := 1; n <= 6; n++ {
			t.Run(fmt.Sprintf("%s %d", verb, n), func(t *testing.T) {
				in(t, func(w *world) {
					m := w.post("hello")
					ctx, cancel := cancelled(w)
					defer cancel()
					w.fake.Before = refuse(w, verb, n, cancel)
					r, err := w.c.Deliver(ctx, m.To, m.ID, Patience{Wait: time.Minute})
					must(t, err)
					w.agrees(r)
					if r.Outcome != parley.Submitted && r.Outcome != parley.Deferred && r.Outcome != parley.Unknown {
						t.Errorf("%+v", r)
					}
					if r.Touched == parley.None && w.fake.Box.Draft != "" {
						t.Errorf("untouched, but the box holds %q", w.fake.Box.Draft)
					}
				})
			})
		}
	}
}
