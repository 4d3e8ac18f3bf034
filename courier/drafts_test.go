package courier

import (
	"testing"
	"time"

	"parley"
)

// TestAfterADraft: a sender that saw a draft of somebody whom the terminal does
// not know types in the moment in which it has gone; the next sender, for two
// seconds, does not. H12, H15.
func TestAfterADraft(t *testing.T) {
	for name, c := range map[string]struct {
		after    time.Duration // from the draft's end to the send
		attached bool
		reason   parley.Reason
	}{
		"at once":         {200 * time.Millisecond, false, ""},
		"then not":        {time.Second, false, parley.ReasonTyping},
		"nor a bit later": {1900 * time.Millisecond, false, parley.ReasonTyping},
		"then again":      {2100 * time.Millisecond, false, ""},
		"known keys wait": {time.Second, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(w *world) {
				w.fake.Box.Draft = "half a thought"
				w.wants(w.send("hello", 0), parley.Deferred, parley.ReasonDraft, parley.None)
				w.fake.Box.Draft = ""
				if c.attached {
					w.fake.State.PersonAt = time.Now().Add(-time.Minute)
				}
				time.Sleep(c.after)
				r := w.send("hello again", 0)
				if c.reason == "" {
					w.wants(r, parley.Submitted, "", parley.Entered)
				} else {
					w.wants(r, parley.Deferred, c.reason, parley.None)
				}
			})
		})
	}
}

// TestHitsTheMoment: who waits for such a draft looks often, so as to type
// right behind its end.
func TestHitsTheMoment(t *testing.T) {
	in(t, func(w *world) {
		w.fake.Box.Draft = "half a thought"
		time.AfterFunc(3*time.Second, func() { w.fake.Do(func(f *fake) { f.Box.Draft = "" }) })
		w.wants(w.send("hello", time.Minute), parley.Submitted, "", parley.Entered)
		looks := 0
		for _, c := range w.fake.Calls() {
			if c.Verb == "paste" {
				break
			}
			looks++
		}
		if looks < int(3*time.Second/draftEvery)-5 {
			t.Errorf("%d looks in three seconds", looks)
		}
	})
}
