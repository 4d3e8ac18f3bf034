package inbox

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"parley"
)

const benchBody = "please run the tests of the storage package again and tell me which of them fail, and why; then wait for review"

// bigBox is an inbox of n records, three for each message: all closed, nothing
// read, every message keyed; and if old, the first message of all still open.
// It is written raw, without a lock or fsync.
func bigBox(tb testing.TB, n int, old bool) *Box {
	return bigBoxAt(tb, filepath.Join(tb.TempDir(), "x.jsonl"), n, old)
}

func bigBoxAt(tb testing.TB, path string, n int, old bool) *Box {
	tb.Helper()
	b := Open(path)
	b.now = func() time.Time { return time.Now() }
	f, err := os.Create(b.Path())
	must(tb, err)
	out := bufio.NewWriterSize(f, 1<<20)
	w := &writer{view: &view{none: true}, changed: map[parley.ID]message{}, time: time.Now().Add(-time.Hour).UTC().Truncate(time.Millisecond)}
	heads := map[int64]*Record{}
	for i := range max(1, n/3) {
		w.time = w.time.Add(time.Millisecond)
		m := parley.Message{ID: benchID(w.time, i), From: "lead", To: "x", Body: fmt.Sprint(i, benchBody), Key: fmt.Sprint("key", i), At: w.time}
		r := &Record{Kind: KindMessage, ID: m.ID, At: w.time, Message: &m, Sum: bodySum(&m), KeySum: keySum(m.Key)}
		r.Keys, _, err = walk(w.book.Keys, r.KeySum, func(off int64) (sum, []int64, error) { return heads[off].KeySum, heads[off].Keys, nil })
		must(tb, err)
		if w.none {
			must(tb, w.start())
		}
		off := w.next
		w.book.post(off, r.Sum)
		w.book.Keys = off
		bk := w.book
		r.Book = &bk
		must(tb, w.add(r))
		heads[off] = &Record{KeySum: r.KeySum, Keys: r.Keys}
		at := &message{id: m.ID, off: off, last: off, sum: r.Sum}
		must(tb, w.record(at, &Record{Kind: KindAttempt, Attempt: &parley.Attempt{ID: m.ID, Step: parley.StepPaste, At: w.time}}))
		if at.last, at.state.Tried = w.changed[m.ID].last, true; i > 0 || !old {
			must(tb, w.record(at, &Record{Kind: KindReceipt, Receipt: &parley.Receipt{ID: m.ID, Outcome: parley.Submitted, At: w.time}}))
		}
		delete(w.changed, m.ID)
		_, err := out.Write(w.buf)
		must(tb, err)
		w.buf = w.buf[:0]
	}
	must(tb, out.Flush())
	must(tb, f.Sync())
	must(tb, f.Close())
	heads = nil
	debug.FreeOSMemory()
	return b
}

func benchID(at time.Time, i int) parley.ID {
	w := &writer{view: &view{}, time: at}
	id, _, err := w.newID()
	if err != nil {
		panic(err)
	}
	return id
}

var sizes = []int{10, 10_000, 1_000_000}

func BenchmarkPost(b *testing.B) {
	for _, n := range sizes {
		box := bigBox(b, n, true)
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				m, dup, err := box.Post(parley.Message{From: "lead", To: "x", Body: benchBody, Key: fmt.Sprint(b.N, "-", time.Now().UnixNano(), i)})
				if err != nil || dup {
					b.Fatal(dup, err)
				}
				b.StopTimer()
				must(b, box.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Submitted}))
				b.StartTimer()
			}
		})
		b.Run(fmt.Sprintf("same-key/records=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, dup, err := box.Post(parley.Message{Key: "key1", Body: "other"}); err != nil || !dup {
					b.Fatal(dup, err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range sizes {
		box := bigBox(b, n, true)
		old, err := box.OpenMessages()
		must(b, err)
		for _, q := range []struct {
			name string
			f    func() (int, error)
			want int
		}{
			{"last3", func() (int, error) { es, err := box.Last(3); return len(es), err }, min(3, n/3)},
			{"open", func() (int, error) { es, err := box.OpenMessages(); return len(es), err }, 1},
			{"counts", func() (int, error) { n, _, err := box.Counts(); return n, err }, 1},
			{"receipt-of-the-old-one", func() (int, error) {
				return 1, box.Receipt(parley.Receipt{ID: old[0].Message.ID, Outcome: parley.Deferred})
			}, 1},
		} {
			b.Run(fmt.Sprintf("%s/records=%d", q.name, n), func(b *testing.B) {
				for b.Loop() {
					if got, err := q.f(); err != nil || got != q.want {
						b.Fatal(got, err)
					}
				}
			})
		}
	}
}
