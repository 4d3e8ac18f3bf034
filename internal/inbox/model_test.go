package inbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley"

	"pgregory.net/rapid"
)

// told is the model's naive memory of one message.
type told struct {
	m     parley.Message
	state State
	n     int // records
}

// inboxModel says what an inbox must answer, by remembering everything.
type inboxModel struct {
	b    *Box
	all  []*told
	keys map[string]*told
	torn int
	tail bool
}

func (s *inboxModel) note(t *rapid.T, m *told, r *Record, err error) {
	if err != nil {
		t.Fatal(err)
	}
	m.state = m.state.after(r)
	m.n++
	s.written()
}

func (s *inboxModel) written() {
	if s.tail {
		s.tail = false
		s.torn++
	}
}

func (s *inboxModel) pick(t *rapid.T) *told {
	if len(s.all) == 0 {
		t.Skip("no message")
	}
	// Mostly the oldest open one, as in life.
	if rapid.IntRange(0, 2).Draw(t, "oldest") > 0 {
		for _, m := range s.all {
			if m.state.Open() {
				return m
			}
		}
	}
	return rapid.SampledFrom(s.all).Draw(t, "message")
}

func (s *inboxModel) Post(t *rapid.T) {
	m := parley.Message{
		From: rapid.SampledFrom([]parley.Name{"a", "b"}).Draw(t, "from"), To: "x",
		Body: rapid.SampledFrom([]string{"1", "2", "3", "4", "5", "6", "7", "long " + strings.Repeat("z", 30)}).Draw(t, "body"),
	}
	if rapid.Bool().Draw(t, "keyed") {
		m.Key = fmt.Sprint(rapid.IntRange(0, 30).Draw(t, "key"))
	}
	want := s.keys[m.Key]
	for _, o := range s.all {
		if m.Key == "" && o.state.Open() && o.m.From == m.From && o.m.Body == m.Body {
			want = o
		}
	}
	if m.Key != "" {
		if have, ok, err := s.b.Keyed(m.Key); err != nil || ok != (want != nil) || ok && have.ID != want.m.ID {
			t.Fatalf("key %s gives %v %s, %v", m.Key, ok, have.ID, err)
		}
	}
	stored, dup, err := s.b.Post(m)
	if err != nil {
		t.Fatal(err)
	}
	if want != nil {
		// Several identical open ones can only differ by key: any of them will do.
		if !dup || stored.Key != "" && m.Key != "" && stored.ID != want.m.ID || stored.Body != want.m.Body && m.Key == "" {
			t.Fatalf("want %s again, got %s, dup %v", want.m.ID, stored.ID, dup)
		}
		return
	}
	if dup {
		t.Fatalf("%+v is called a repetition of %+v", m, stored)
	}
	s.written()
	o := &told{m: stored, n: 1}
	if s.all = append(s.all, o); m.Key != "" {
		s.keys[m.Key] = o
	}
}

func (s *inboxModel) Attempt(t *rapid.T) {
	m := s.pick(t)
	r := &Record{Kind: KindAttempt, Attempt: &parley.Attempt{ID: m.m.ID}}
	s.note(t, m, r, s.b.Attempt(*r.Attempt))
}

func (s *inboxModel) Receipt(t *rapid.T) {
	m := s.pick(t)
	o := rapid.SampledFrom([]parley.Outcome{parley.Submitted, parley.Submitted, parley.Queued, parley.Deferred, parley.Unknown, parley.Gone}).Draw(t, "outcome")
	r := &Record{Kind: KindReceipt, Receipt: &parley.Receipt{ID: m.m.ID, Outcome: o}}
	s.note(t, m, r, s.b.Receipt(*r.Receipt))
}

func (s *inboxModel) Fact(t *rapid.T) {
	m := s.pick(t)
	k := rapid.SampledFrom([]parley.FactKind{parley.Seen, parley.Answered, NotLanded, "later"}).Draw(t, "fact")
	r := &Record{Kind: KindFact, Fact: &parley.Fact{ID: m.m.ID, Kind: k}}
	s.note(t, m, r, s.b.Fact(*r.Fact))
}

func (s *inboxModel) Read(t *rapid.T) {
	n := rapid.SampledFrom([]int{1, 2, 20}).Draw(t, "n")
	var ids []parley.ID
	for range n {
		ids = append(ids, s.pick(t).m.ID)
	}
	if err := s.b.MarkRead("x", ids...); err != nil {
		t.Fatal(err)
	}
	wrote := false
	for _, m := range s.all {
		if slices.Contains(ids, m.m.ID) && !m.state.Read {
			m.state.Read, wrote = true, true
			m.n++
		}
	}
	if wrote {
		s.written()
	}
}

// Tear leaves what a crash in mid-write leaves: part of a line, or all of it
// but the newline.
func (s *inboxModel) Tear(t *rapid.T) {
	if len(s.all) == 0 {
		t.Skip("no file yet")
	}
	text, err := os.ReadFile(s.b.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	last := bytes.TrimSuffix(lines[len(lines)-1], []byte("\n"))
	if len(last) == 0 {
		last = []byte("{")
	}
	s.raw(t, last[:rapid.IntRange(1, len(last)).Draw(t, "bytes")])
	s.tail = true
}

// Foreign writes a line of a kind that is not known, or no record at all.
func (s *inboxModel) Foreign(t *rapid.T) {
	if len(s.all) == 0 || s.tail {
		t.Skip("no whole file")
	}
	s.raw(t, []byte(rapid.SampledFrom([]string{
		`{"kind":"mood","id":"x","mood":"good"}`, `{"kind":"fact","id":"`, `[]`, ``, `null`, `{"kind":"message","id":"01"}`,
	}).Draw(t, "line")+"\n"))
}

func (s *inboxModel) raw(t *rapid.T, b []byte) {
	f, err := os.OpenFile(s.b.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.Write(b)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *inboxModel) Check(t *rapid.T) {
	var open, unread, all []*told
	for _, m := range s.all {
		if all = append(all, m); m.state.Open() {
			open = append(open, m)
		}
		if !m.state.Read {
			unread = append(unread, m)
		}
	}
	n := rapid.IntRange(0, 5).Draw(t, "n")
	es, err := s.b.OpenMessages()
	s.same(t, "open", open, es, err)
	es, err = s.b.Unread()
	s.same(t, "unread", unread, es, err)
	es, err = s.b.Last(n)
	s.same(t, "last", all[max(0, len(all)-n):], es, err)
	if o, u, err := s.b.Counts(); o != len(open) || u != len(unread) || err != nil {
		t.Fatalf("counts %d %d %v, want %d %d", o, u, err, len(open), len(unread))
	}
	if len(all) == 0 {
		return
	}
	if rep, err := s.b.Check(); err != nil || rep.Wrong != "" || rep.Messages != len(all) {
		t.Fatalf("check: %+v %v", rep, err)
	}
	if torn, err := s.b.Torn(); err != nil || torn.Lines != s.torn || torn.Tail > 0 != s.tail {
		t.Fatalf("torn: %+v %v, want %d %v", torn, err, s.torn, s.tail)
	}
	m := rapid.SampledFrom(all).Draw(t, "found")
	rs, err := s.b.Log(string(m.m.ID))
	if err != nil || len(rs) != m.n {
		t.Fatalf("log of %s: %d records, want %d, %v", m.m.ID, len(rs), m.n, err)
	}
}

func (s *inboxModel) same(t *rapid.T, what string, want []*told, es []Entry, err error) {
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != len(es) {
		t.Fatalf("%s: %d, want %d", what, len(es), len(want))
	}
	for i, e := range es {
		w := want[i]
		if e.Message.ID != w.m.ID || e.Message.Body != w.m.Body || e.State != w.state {
			t.Fatalf("%s %d: %+v, want %+v", what, i, e, w)
		}
	}
}

func TestModel(t *testing.T) {
	defer func(n int) { listed = n }(listed)
	root, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		listed = rapid.SampledFrom([]int{1, 3, 32}).Draw(t, "listed")
		n++
		s := &inboxModel{b: Open(filepath.Join(root, fmt.Sprint(n), "x.jsonl")), keys: map[string]*told{}}
		t.Repeat(rapid.StateMachineActions(s))
	})
}

// TestEdited: someone deletes lines in an editor. The offsets behind them are
// wrong then; the answers are not.
func TestEdited(t *testing.T) {
	b := newBox(t)
	for i := range 40 {
		m := post(t, b, parley.Message{Body: fmt.Sprint(i), Key: fmt.Sprint("k", i)})
		if i%4 == 0 {
			must(t, b.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Submitted}))
		}
	}
	text, err := os.ReadFile(b.Path())
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	must(t, os.WriteFile(b.Path(), []byte(strings.Join(append(lines[:11:11], lines[12:]...), "")), 0o600))
	es, err := b.OpenMessages()
	must(t, err)
	if len(es) != 30 {
		t.Fatalf("%d open: %s", len(es), bodies(es))
	}
	if m, ok, err := b.Keyed("k20"); !ok || err != nil || m.Body != "20" {
		t.Errorf("k20 gives %v %v %q", ok, err, m.Body)
	}
	if _, dup, err := b.Post(parley.Message{From: "lead", Body: "other", Key: "k3"}); !dup || err != nil {
		t.Errorf("k3 forgotten: %v", err)
	}
	m := post(t, b, parley.Message{Body: "new", Key: "new"})
	must(t, b.Attempt(parley.Attempt{ID: es[7].Message.ID}))
	must(t, b.Receipt(parley.Receipt{ID: es[7].Message.ID, Outcome: parley.Submitted}))
	must(t, b.MarkRead("backend", es[0].Message.ID))
	if _, dup, err := b.Post(parley.Message{From: "lead", Body: "other", Key: "k30"}); !dup || err != nil {
		t.Errorf("k30 forgotten: %v", err)
	}
	if rep, err := b.Check(); err != nil || rep.Wrong != "" {
		t.Errorf("%+v %v", rep, err)
	}
	if e, ok, err := b.Find(string(m.ID)); !ok || err != nil || e.Message.Body != "new" {
		t.Errorf("%v %v", ok, err)
	}
}
