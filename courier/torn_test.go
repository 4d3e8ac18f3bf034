package courier

import (
	"bytes"
	"os"
	"testing"

	"parley"
)

// tear cuts the inbox off within its last record, n bytes from the end.
func (w *world) tear(n int) {
	w.Helper()
	path := w.c.Inbox("buddy").Path()
	b, err := os.ReadFile(path)
	must(w, err)
	must(w, os.WriteFile(path, b[:len(b)-n], 0o600))
}

func (w *world) lastRecord() int {
	w.Helper()
	b, err := os.ReadFile(w.c.Inbox("buddy").Path())
	must(w, err)
	return len(b) - (bytes.LastIndexByte(b[:len(b)-1], '\n') + 1)
}

// TestTornReceipt: the machine died in the middle of writing the receipt, at
// whichever byte. The message was typed, and is never typed again.
func TestTornReceipt(t *testing.T) {
	for cut := 1; ; cut += 41 {
		more := true
		for mute, want := range map[bool]parley.Outcome{false: parley.Submitted, true: parley.Unknown} {
			in(t, func(w *world) {
				w.agent.mute = mute
				m := w.post("hello")
				w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
				if more = cut < w.lastRecord(); !more {
					return
				}
				w.tear(cut)
				r := w.deliver(m, 0)
				if r.Outcome != want || r.Touched != parley.Entered {
					t.Errorf("%d bytes short: %+v", cut, r)
				}
				w.wants(w.send("the next one", 0), parley.Submitted, "", parley.Entered)
				if len(w.agent.said) != 2 {
					t.Errorf("said %q", w.agent.said)
				}
			})
		}
		if !more {
			return
		}
	}
}

// TestTornAttempt: it died in the middle of writing the attempt, and so before
// anything was typed. The message goes out with the next parley, once.
func TestTornAttempt(t *testing.T) {
	for cut := 1; ; cut += 41 {
		more := true
		in(t, func(w *world) {
			m := w.post("hello")
			w.killAt = killAt{"paste", 1, false}
			killed(func() { w.deliver(m, 0) })
			w.killAt = killAt{}
			if more = cut < w.lastRecord(); !more {
				return
			}
			w.tear(cut)
			w.wants(w.deliver(m, 0), parley.Submitted, "", parley.Entered)
			if len(w.agent.said) != 1 {
				t.Errorf("said %q", w.agent.said)
			}
		})
		if !more {
			return
		}
	}
}

// TestTornMessage: it died in the middle of saving. Nobody was given an id, so
// that the sender sends again, and one message is there.
func TestTornMessage(t *testing.T) {
	in(t, func(w *world) {
		size := 0
		for cut := 1; cut == 1 || cut < size; cut += 23 {
			w.post("hello")
			size = w.lastRecord()
			w.tear(cut)
			if es, err := w.c.Inbox("buddy").Last(10); err != nil || len(es) != 0 {
				t.Fatalf("%d bytes short: %d messages, %v", cut, len(es), err)
			}
		}
		w.wants(w.send("hello", 0), parley.Submitted, "", parley.Entered)
		if len(w.agent.said) != 1 {
			t.Errorf("said %q", w.agent.said)
		}
	})
}

// TestUnrecorded: an attempt that cannot be written down is not made; an end
// that cannot is told as what it is.
func TestUnrecorded(t *testing.T) {
	for _, verb := range []string{"look", "press"} {
		in(t, func(w *world) {
			m := w.post("hello")
			path := w.c.Inbox("buddy").Path()
			w.fake.Before = refuse(w, verb, 1, func() { must(t, os.Rename(path, path+".away")) })
			_, err := w.c.Deliver(w.Context(), m.To, m.ID, Patience{})
			if err == nil {
				t.Fatal("no error")
			}
			typed := len(w.fake.Events()) > 0
			if says := bytes.Contains([]byte(err.Error()), []byte("do not send it again")); typed != says || typed != (verb == "press") {
				t.Errorf("typed %v, and the error says: %v", typed, err)
			}
		})
	}
}
