package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bigRecord is a conversation of 300 MB with one prompt of ours near its end:
// lines of 200 bytes to 150 KB, as tools' results are.
func bigRecord(b *testing.B, behind int) string { return sized(b, 300<<20, behind) }

func sized(b testing.TB, size, behind int) string {
	path := filepath.Join(b.TempDir(), "record.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	ours := `{"type":"user","message":{"role":"user","content":"lead: go on ` + tag + `"}}` + "\n"
	words := strings.Repeat(`words of an answer [#0000] \"quoted\" `, 4000)
	wrote := false
	for n, i := 0, 0; n < size; i++ {
		if !wrote && n >= size-behind {
			w.WriteString(ours)
			wrote = true
		}
		k := 40 << (i % 12)
		n += k
		w.WriteString(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"`)
		w.WriteString(words[:k])
		w.WriteString(`"}]}}` + "\n")
	}
	if behind > 0 && !wrote {
		w.WriteString(ours)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkSearch(b *testing.B) {
	for name, behind := range map[string]int{"just-written": 1, "8MB-behind": 8 << 20, "not-there": 0} {
		path := bigRecord(b, behind)
		want := 1
		if behind == 0 {
			want = 0
		}
		b.Run(name+"/from-the-end", func(b *testing.B) {
			for b.Loop() {
				if hits, err := Search(path, tag, claude); err != nil || len(hits) != want {
					b.Fatal(len(hits), err)
				}
			}
		})
		b.Run(name+"/up-to-the-first", func(b *testing.B) {
			for b.Loop() {
				if err := Each(path, tag, claude, 0, func(Hit) bool { return false }); err != nil {
					b.Fatal(err)
				}
			}
		})
		st, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/after-a-known-size", func(b *testing.B) {
			for b.Loop() {
				if _, err := SearchAfter(path, tag, claude, st.Size()-64<<10); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/from-the-front", func(b *testing.B) {
			for b.Loop() {
				if n := fromTheFront(b, path); n != want {
					b.Fatal(n)
				}
			}
		})
	}
}

// BenchmarkFollow reads an answer at the end of a record of 318 MB, against a
// reader that goes through all of it.
func BenchmarkFollow(b *testing.B) {
	path := sized(b, 318_000_000, 64<<10)
	any := func(string) bool { return true }
	b.Run("from-the-end", func(b *testing.B) {
		for b.Loop() {
			if s, err := Follow(path, tag, claude, 0, any).Read(); err != nil || s.Text == "" {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("what-was-added", func(b *testing.B) {
		f := Follow(path, tag, claude, 0, any)
		for b.Loop() {
			if s, err := f.Read(); err != nil || s.Text == "" {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("from-the-front", func(b *testing.B) {
		for b.Loop() {
			if answerFromTheFront(b, path) == "" {
				b.Fatal("no answer")
			}
		}
	})
}

// answerFromTheFront is the plain way to an answer: every line is parsed, and
// the last words behind our prompt are kept.
func answerFromTheFront(b *testing.B, path string) string {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<20), maxLine)
	h := thread{t: claude, tag: tag, ours: func(string) bool { return true }}
	for s.Scan() {
		var v any
		if json.Unmarshal(s.Bytes(), &v) == nil {
			h.take(v, 0, bytes.Contains(s.Bytes(), []byte(tag)))
		}
	}
	return h.said.Text
}

// fromTheFront is the plain way: every line, parsed only if it holds the tag.
func fromTheFront(b *testing.B, path string) (n int) {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<20), maxLine)
	for s.Scan() {
		if bytes.Contains(s.Bytes(), []byte(tag)) {
			if _, ok := prompt(s.Bytes(), tag, claude); ok {
				n++
			}
		}
	}
	return n
}
