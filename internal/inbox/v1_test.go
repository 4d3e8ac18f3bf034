package inbox

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
)

var makeV1 = flag.Bool("make-v1", false, "write testdata/v1 anew: only ever before a first release")

// v1 is a small inbox with one of everything, torn lines and lines of a later
// version among it.
func v1(t *testing.T, path string) {
	b := Open(path)
	now := time.Date(2026, 11, 30, 16, 22, 36, 123e6, time.UTC)
	b.now = func() time.Time { now = now.Add(7 * time.Millisecond); return now }
	raw := func(s string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(s)
		must(t, err)
		must(t, f.Close())
	}
	one := post(t, b, parley.Message{Body: "run the tests\nthen say <ok> & ü", Key: "k1", Meant: "tmux:%3 pid 4711", Changes: []parley.Change{"tabs"}})
	must(t, b.Attempt(parley.Attempt{ID: one.ID, Step: parley.StepPaste, Target: "tmux:%3 pid 4711", CLI: "claude"}))
	must(t, b.Attempt(parley.Attempt{ID: one.ID, Step: parley.StepPress, Target: "tmux:%3 pid 4711", CLI: "claude"}))
	must(t, b.Receipt(parley.Receipt{ID: one.ID, To: "backend", From: "lead", Outcome: parley.Submitted, Door: parley.Typed,
		Touched: parley.Entered, Evidence: []parley.Evidence{parley.InBox, parley.LeftBox}, TookMS: 231}))
	raw(`{"kind":"message","id":"01K","at":"2026-11-30T16:22:36`) // a crash
	two := post(t, b, parley.Message{From: "qa", Body: "a reply", Key: "k2", ReplyTo: one.ID, Claimed: true})
	raw(`{"kind":"mood","id":"` + string(two.ID) + `","mood":"good","since":{"v":9}}` + "\n") // a later version
	must(t, b.Receipt(parley.Receipt{ID: two.ID, Outcome: parley.Deferred, Touched: parley.None, Reason: "draft"}))
	must(t, b.Fact(parley.Fact{ID: one.ID, Kind: parley.Seen, Note: "transcript"}))
	three := post(t, b, parley.Message{Body: "only kept", Mailbox: true})
	must(t, b.Receipt(parley.Receipt{ID: three.ID, Outcome: parley.Saved, Touched: parley.None}))
	must(t, b.MarkRead("backend", one.ID, three.ID))
	raw(strings.TrimSuffix(`{"kind":"fact","id":"`+string(two.ID)+`","fact":{"id":"`+string(two.ID)+`","kind":"read"}}`, "}")) // another one, at the end
}

// TestV1 pins the format: this file must be readable for ever.
func TestV1(t *testing.T) {
	golden := filepath.Join("testdata", "v1", "backend.jsonl")
	if *makeV1 {
		must(t, os.MkdirAll(filepath.Dir(golden), 0o755))
		os.Remove(golden)
		v1(t, golden)
	}
	text, err := os.ReadFile(golden)
	must(t, err)
	b := Open(filepath.Join(t.TempDir(), "backend.jsonl"))
	must(t, os.WriteFile(b.Path(), text, 0o600))

	type answers struct {
		All, Open, Unread []Entry
		Torn              Torn
		Check             Report
		Log               []json.RawMessage // of the second message, lines as they stand
	}
	var a answers
	a.All, err = b.Last(99)
	must(t, err)
	a.Open, err = b.OpenMessages()
	must(t, err)
	a.Unread, err = b.Unread()
	must(t, err)
	a.Torn, err = b.Torn()
	must(t, err)
	a.Check, err = b.Check()
	must(t, err)
	rs, err := b.Log(a.All[1].Message.ID.Tag())
	must(t, err)
	for _, r := range rs {
		a.Log = append(a.Log, r.Line)
	}
	got, err := json.MarshalIndent(a, "", "  ")
	must(t, err)
	want := filepath.Join("testdata", "v1", "answers.json")
	if *makeV1 {
		must(t, os.WriteFile(want, append(got, '\n'), 0o644))
	}
	text, err = os.ReadFile(want)
	must(t, err)
	if !bytes.Equal(bytes.TrimSpace(text), got) {
		t.Errorf("testdata/v1 is read as\n%s", got)
	}
	// It goes on: keys are known, a new record fits behind the torn tail.
	if m, dup, err := b.Post(parley.Message{From: "x", Body: "x", Key: "k1"}); !dup || err != nil || m.ID != a.All[0].Message.ID {
		t.Errorf("k1: %v %v", m, err)
	}
	must(t, b.MarkRead("backend", a.All[1].Message.ID))
	if open, unread, _ := b.Counts(); open != 0 || unread != 0 {
		t.Errorf("%d open, %d unread", open, unread)
	}
}

// FuzzReader: whatever stands in the file, reading neither fails nor finds
// more than there is, and an append after it counts.
func FuzzReader(f *testing.F) {
	golden, err := os.ReadFile(filepath.Join("testdata", "v1", "backend.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	for i := 0; i < len(golden); i += 97 {
		f.Add(golden[i:])
		f.Add(append(bytes.Clone(golden[:i]), golden[min(i+31, len(golden)):]...))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b := Open(filepath.Join(t.TempDir(), "x.jsonl"))
		must(t, os.WriteFile(b.Path(), text, 0o600))
		es, err := b.Last(3)
		must(t, err)
		for _, e := range es {
			b.Find(string(e.Message.ID)) // may be refused: offsets can be anything
			b.Log(e.Message.ID.Tag())
		}
		b.OpenMessages()
		b.Unread()
		b.Check()
		m, dup, err := b.Post(parley.Message{From: "f", Body: "after all that", Key: "f"})
		if err != nil || dup {
			return // a later format, or offsets that only seem right
		}
		es, err = b.Last(1)
		must(t, err)
		if len(es) != 1 || es[0].Message.ID != m.ID {
			t.Fatalf("posted %s, the last is %v", m.ID, es)
		}
	})
}
