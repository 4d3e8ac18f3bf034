package inbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
)

func newBox(t testing.TB) *Box {
	t.Helper()
	return Open(File(Dir(t.TempDir(), "main"), "backend"))
}

func post(t testing.TB, b *Box, m parley.Message) parley.Message {
	t.Helper()
	m.To = "backend"
	if m.From == "" {
		m.From = "lead"
	}
	stored, dup, err := b.Post(m)
	if err != nil || dup {
		t.Fatalf("Post(%q): dup %v, %v", m.Body, dup, err)
	}
	return stored
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func bodies(es []Entry) string {
	var s []string
	for _, e := range es {
		s = append(s, e.Message.Body)
	}
	return strings.Join(s, " ")
}

func TestWalk(t *testing.T) {
	b := newBox(t)
	m := post(t, b, parley.Message{Body: "one <&> ü"})
	post(t, b, parley.Message{Body: "two"})
	must(t, b.Attempt(parley.Attempt{ID: m.ID, Step: parley.StepPaste, Target: "%3"}))
	must(t, b.Attempt(parley.Attempt{ID: m.ID, Step: parley.StepPress}))
	must(t, b.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Queued, Touched: parley.Entered}))
	es, err := b.OpenMessages()
	must(t, err)
	if bodies(es) != "one <&> ü two" || len(es[0].Attempts) != 2 || es[0].Receipt.Outcome != parley.Queued || es[0].Tried {
		t.Fatalf("open: %+v", es)
	}
	must(t, b.Fact(parley.Fact{ID: m.ID, Kind: parley.Seen}))
	es, err = b.OpenMessages()
	must(t, err)
	if bodies(es) != "two" {
		t.Fatalf("open: %s", bodies(es))
	}
	for _, name := range []string{string(m.ID), strings.ToLower(string(m.ID)), m.ID.Tag(), strings.ToUpper(m.ID.Tag())} {
		e, ok, err := b.Find(name)
		must(t, err)
		if !ok || e.Message.ID != m.ID || len(e.Facts) != 1 {
			t.Errorf("Find(%s): %v %+v", name, ok, e)
		}
	}
	rs, err := b.Log(string(m.ID))
	must(t, err)
	if len(rs) != 5 || rs[0].Kind != KindMessage || rs[4].Fact.Kind != parley.Seen {
		t.Errorf("Log: %+v", rs)
	}
	text, err := os.ReadFile(b.Path())
	must(t, err)
	if !strings.Contains(string(text), "one <&> ü") {
		t.Error("grep would not find the body as it was written")
	}
}

func TestStates(t *testing.T) {
	receipt := func(o parley.Outcome) *Record {
		return &Record{Kind: KindReceipt, Receipt: &parley.Receipt{Outcome: o}}
	}
	fact := func(k parley.FactKind) *Record { return &Record{Kind: KindFact, Fact: &parley.Fact{Kind: k}} }
	attempt := &Record{Kind: KindAttempt}
	type steps []*Record
	for _, tt := range []struct {
		name string
		do   steps
		open bool
	}{
		{"new", nil, true},
		{"read before any receipt", steps{fact(parley.Read)}, true},
		{"attempt", steps{attempt}, true},
		{"saved", steps{receipt(parley.Saved)}, false},
		{"submitted", steps{attempt, attempt, receipt(parley.Submitted)}, false},
		{"gone", steps{receipt(parley.Gone)}, false},
		{"unknown", steps{attempt, receipt(parley.Unknown)}, false},
		{"unknown, proved later", steps{attempt, receipt(parley.Unknown), receipt(parley.Submitted)}, false},
		{"deferred", steps{receipt(parley.Deferred)}, true},
		{"deferred and read", steps{receipt(parley.Deferred), fact(parley.Read)}, false},
		{"read and deferred", steps{fact(parley.Read), receipt(parley.Deferred)}, false},
		{"deferred, read, tried all the same", steps{receipt(parley.Deferred), fact(parley.Read), attempt}, true},
		{"queued", steps{attempt, receipt(parley.Queued)}, true},
		{"queued and read", steps{attempt, receipt(parley.Queued), fact(parley.Read)}, true},
		{"queued and answered", steps{attempt, receipt(parley.Queued), fact(parley.Answered)}, true},
		{"queued and seen", steps{attempt, receipt(parley.Queued), fact(parley.Seen)}, false},
		{"seen before its receipt", steps{attempt, fact(parley.Seen), receipt(parley.Queued)}, false},
		{"queued and lost", steps{attempt, receipt(parley.Queued), fact(NotLanded)}, false},
	} {
		var s State
		for _, r := range tt.do {
			s = s.after(r)
		}
		if s.Open() != tt.open {
			t.Errorf("%s: open %v", tt.name, s.Open())
		}
	}
}

// TestH24SaidTwice: a sender that tries again does not put a second copy there.
func TestH24SaidTwice(t *testing.T) {
	b := newBox(t)
	first := post(t, b, parley.Message{Body: "build", Key: "k1"})
	for _, tt := range []struct {
		name string
		m    parley.Message
		dup  bool
	}{
		{"same key", parley.Message{From: "lead", Body: "build", Key: "k1"}, true},
		{"same key, another body", parley.Message{From: "lead", Body: "build it", Key: "k1"}, true},
		{"identical, no key", parley.Message{From: "lead", Body: "build"}, true},
		{"identical, another key", parley.Message{From: "lead", Body: "build", Key: "k2"}, false},
		{"another sender", parley.Message{From: "qa", Body: "build"}, false},
		{"another way", parley.Message{From: "lead", Body: "build", Mailbox: true}, false},
		{"a reply", parley.Message{From: "lead", Body: "build", ReplyTo: first.ID}, false},
	} {
		m, dup, err := b.Post(tt.m)
		must(t, err)
		if dup != tt.dup || dup && m.ID == "" {
			t.Errorf("%s: dup %v %+v", tt.name, dup, m)
		}
	}
	meant := post(t, b, parley.Message{Body: "restart", Meant: "pid 1"})
	again := post(t, b, parley.Message{Body: "restart", Meant: "pid 2"})
	if meant.ID == again.ID {
		t.Error("meant for two processes, saved as one")
	}
	must(t, b.Receipt(parley.Receipt{ID: first.ID, Outcome: parley.Submitted}))
	if m, dup, _ := b.Post(parley.Message{From: "lead", Body: "build", Key: "k1"}); !dup || m.ID != first.ID {
		t.Error("a key was forgotten when its message was closed")
	}
	if m, ok, err := b.Keyed("k1"); !ok || err != nil || m.ID != first.ID || m.Body != "build" {
		t.Errorf("the key gives %v %v %+v", ok, err, m)
	}
	if m, ok, err := b.Keyed("k3"); ok || err != nil {
		t.Errorf("a key that nobody gave has %+v, %v", m, err)
	}
	if again := post(t, b, parley.Message{Body: "again"}); again.ID == first.ID {
		t.Error("no new message")
	}
}

func TestIdenticalInABacklog(t *testing.T) {
	b := newBox(t)
	for i := range 3 * listed {
		post(t, b, parley.Message{Body: strings.Repeat("x", i+1)})
	}
	for i := range 3 * listed {
		m := parley.Message{From: "lead", Body: strings.Repeat("x", i+1)}
		if _, dup, err := b.Post(m); !dup || err != nil {
			t.Fatalf("message %d: dup %v %v", i, dup, err)
		}
	}
	es, err := b.OpenMessages()
	must(t, err)
	if len(es) != 3*listed {
		t.Fatalf("%d open", len(es))
	}
	must(t, b.Receipt(parley.Receipt{ID: es[2*listed].Message.ID, Outcome: parley.Submitted}))
	post(t, b, parley.Message{Body: es[2*listed].Message.Body})
}

func TestClockGoesBack(t *testing.T) {
	b := newBox(t)
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	b.now = func() time.Time { return now }
	var last parley.Message
	for i := range 20 {
		m := post(t, b, parley.Message{Body: strings.Repeat("y", i+1)})
		if m.ID <= last.ID || m.At.Before(last.At) || m.ID.Tag() == last.ID.Tag() {
			t.Fatalf("%v %s after %v %s", m.At, m.ID, last.At, last.ID)
		}
		if last = m; i%3 == 0 {
			now = now.Add(-time.Minute)
		}
		if e, ok, err := b.Find(string(m.ID)); !ok || err != nil || e.Message.ID != m.ID {
			t.Fatalf("not found: %v %v", ok, err)
		}
	}
}

func TestNothingThere(t *testing.T) {
	b := newBox(t)
	for _, err := range []error{
		b.Attempt(parley.Attempt{ID: "01J"}), b.Receipt(parley.Receipt{ID: "01J"}),
		b.Fact(parley.Fact{ID: "01J", Kind: parley.Read}), b.MarkRead("backend", "01J"),
	} {
		if !errors.Is(err, ErrNoMessage) {
			t.Errorf("%v", err)
		}
	}
	if es, err := b.Last(3); len(es) != 0 || err != nil {
		t.Errorf("%v %v", es, err)
	}
	if _, err := os.Stat(filepath.Dir(b.Path())); !os.IsNotExist(err) {
		t.Error("looking made a folder")
	}
	post(t, b, parley.Message{Body: "x"})
	if err := b.Receipt(parley.Receipt{ID: "01J"}); !errors.Is(err, ErrNoMessage) {
		t.Errorf("%v", err)
	}
	st, err := os.Stat(b.Path())
	must(t, err)
	dir, err := os.Stat(filepath.Dir(b.Path()))
	must(t, err)
	if st.Mode().Perm() != 0o600 || dir.Mode().Perm() != 0o700 {
		t.Errorf("modes %v %v", st.Mode(), dir.Mode())
	}
}

func TestALaterFormatIsNotAppendedTo(t *testing.T) {
	b := newBox(t)
	must(t, os.MkdirAll(filepath.Dir(b.Path()), 0o700))
	must(t, os.WriteFile(b.Path(), []byte(`{"kind":"inbox","v":2}`+"\n"), 0o600))
	if _, _, err := b.Post(parley.Message{Body: "x"}); err == nil || !strings.Contains(err.Error(), "format is 2") {
		t.Error(err)
	}
}

// TestUntyped: a receipt that says that nothing was typed is recorded only
// while that is true.
func TestUntyped(t *testing.T) {
	attempt := func(t *testing.T, b *Box, id parley.ID) {
		must(t, b.Attempt(parley.Attempt{ID: id, Step: parley.StepPaste}))
	}
	receipt := func(o parley.Outcome) func(*testing.T, *Box, parley.ID) {
		return func(t *testing.T, b *Box, id parley.ID) { must(t, b.Receipt(parley.Receipt{ID: id, Outcome: o})) }
	}
	for _, c := range []struct {
		name   string
		before []func(*testing.T, *Box, parley.ID)
		want   bool
	}{
		{"new", nil, true},
		{"deferred", []func(*testing.T, *Box, parley.ID){receipt(parley.Deferred)}, true},
		{"being typed", []func(*testing.T, *Box, parley.ID){attempt}, false},
		{"being typed after a deferral", []func(*testing.T, *Box, parley.ID){receipt(parley.Deferred), attempt}, false},
		{"refused by the guard", []func(*testing.T, *Box, parley.ID){attempt, receipt(parley.Deferred)}, true},
		{"unknown", []func(*testing.T, *Box, parley.ID){attempt, receipt(parley.Unknown)}, false},
		{"submitted", []func(*testing.T, *Box, parley.ID){attempt, receipt(parley.Submitted)}, false},
		{"queued", []func(*testing.T, *Box, parley.ID){attempt, receipt(parley.Queued)}, false},
		{"gone", []func(*testing.T, *Box, parley.ID){receipt(parley.Gone)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBox(t)
			m := post(t, b, parley.Message{Body: "x"})
			for _, f := range c.before {
				f(t, b, m.ID)
			}
			was, _, err := b.Find(string(m.ID))
			must(t, err)
			ok, err := b.Untyped(parley.Receipt{ID: m.ID, Outcome: parley.Deferred, Reason: parley.ReasonDraft})
			if err != nil || ok != c.want {
				t.Fatalf("%v %v, want %v", ok, err, c.want)
			}
			now, _, err := b.Find(string(m.ID))
			must(t, err)
			if ok && now.Outcome != parley.Deferred || !ok && now.State != was.State {
				t.Errorf("%+v became %+v", was.State, now.State)
			}
		})
	}
	b := newBox(t)
	post(t, b, parley.Message{Body: "x"})
	if ok, err := b.Untyped(parley.Receipt{ID: "01J00000000000000000000000"}); ok || !errors.Is(err, ErrNoMessage) {
		t.Errorf("%v %v", ok, err)
	}
}
