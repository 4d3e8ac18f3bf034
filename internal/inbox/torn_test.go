package inbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley"
)

// TestTornTail cuts the last record short at every byte, as a crash does.
func TestTornTail(t *testing.T) {
	whole := newBox(t)
	first := post(t, whole, parley.Message{Body: "first", Key: "k"})
	must(t, whole.Receipt(parley.Receipt{ID: first.ID, Outcome: parley.Deferred}))
	start, err := whole.End()
	must(t, err)
	post(t, whole, parley.Message{Body: "second } \"", Key: "cut"})
	text, err := os.ReadFile(whole.Path())
	must(t, err)
	dir := t.TempDir()
	for n := int(start); n < len(text); n++ {
		b := Open(filepath.Join(dir, "x.jsonl"))
		must(t, os.WriteFile(b.Path(), text[:n], 0o600))
		tail := int64(n) - start
		tornTailIsSkipped(t, b, "first")
		if torn, err := b.Torn(); err != nil || torn.Tail != tail {
			t.Fatalf("cut at %d: %+v %v", n, torn, err)
		}
		third := post(t, b, parley.Message{Body: "third"})
		post(t, b, parley.Message{Body: "again", Key: "cut"}) // the torn one holds no key
		must(t, b.Receipt(parley.Receipt{ID: third.ID, Outcome: parley.Submitted}))
		tornTailIsSkipped(t, b, "first third again")
		want := Torn{Lines: 1, Last: start}
		if tail == 0 {
			want = Torn{}
		}
		if torn, err := b.Torn(); err != nil || torn != want {
			t.Fatalf("cut at %d: %+v %v, want %+v", n, torn, err, want)
		}
		now, err := os.ReadFile(b.Path())
		must(t, err)
		if string(now[:n]) != string(text[:n]) {
			t.Fatalf("cut at %d: what was torn has been edited", n)
		}
		if rep, err := b.Check(); err != nil || rep.Wrong != "" || len(rep.Torn) != want.Lines || len(rep.Bad) != 0 {
			t.Fatalf("cut at %d: %+v %v", n, rep, err)
		}
	}
}

func tornTailIsSkipped(t *testing.T, b *Box, want string) {
	t.Helper()
	es, err := b.Last(9)
	must(t, err)
	if bodies(es) != want {
		t.Fatalf("last: %q, want %q", bodies(es), want)
	}
	es, err = b.Unread()
	must(t, err)
	if bodies(es) != want {
		t.Fatalf("unread: %q, want %q", bodies(es), want)
	}
}

// TestTornFirstLine: the crash came in the first write of all.
func TestTornFirstLine(t *testing.T) {
	one := newBox(t)
	post(t, one, parley.Message{Body: "lost"})
	text, err := os.ReadFile(one.Path())
	must(t, err)
	dir := t.TempDir()
	for n := range len(text) {
		b := Open(filepath.Join(dir, "x.jsonl"))
		must(t, os.WriteFile(b.Path(), text[:n], 0o600))
		post(t, b, parley.Message{Body: "first"})
		tornTailIsSkipped(t, b, "first")
	}
}

// TestTornTwice: the append that closes a torn tail is cut short itself.
func TestTornTwice(t *testing.T) {
	b := newBox(t)
	post(t, b, parley.Message{Body: "first"})
	for n := range len(tornMark) {
		f, err := os.OpenFile(b.Path(), os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = f.WriteString(`{"kind":"mood"}` + tornMark[:n])
		must(t, err)
		f.Close()
		m := post(t, b, parley.Message{Body: "next"})
		must(t, b.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Saved}))
		if torn, _ := b.Torn(); torn.Lines != n+1 || torn.Tail != 0 {
			t.Fatalf("%d: %+v", n, torn)
		}
		if rep, _ := b.Check(); len(rep.Torn) != n+1 || len(rep.Bad) != 0 || rep.Wrong != "" {
			t.Fatalf("%d: %+v", n, rep)
		}
	}
}

// TestDamagedBody: a byte in the middle of the file has rotted. What is whole
// is still found and goes on.
func TestDamagedBody(t *testing.T) {
	b := newBox(t)
	post(t, b, parley.Message{Body: "one"})
	post(t, b, parley.Message{Body: "rotten"})
	three := post(t, b, parley.Message{Body: "three"})
	text, err := os.ReadFile(b.Path())
	must(t, err)
	must(t, os.WriteFile(b.Path(), []byte(strings.Replace(string(text), `"rotten"`, `"rot"en"`, 1)), 0o600))
	tornTailIsSkipped(t, b, "one three")
	es, err := b.OpenMessages()
	must(t, err)
	if bodies(es) != "one three" {
		t.Errorf("open: %s", bodies(es))
	}
	must(t, b.Receipt(parley.Receipt{ID: three.ID, Outcome: parley.Submitted}))
	post(t, b, parley.Message{Body: "rotten"})
	if rep, err := b.Check(); err != nil || len(rep.Bad) != 1 {
		t.Errorf("%+v %v", rep, err)
	}
}
