package durable

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func lines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(b), "\n")
}

func TestAppendLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "team", "roster.jsonl")
	for _, line := range []string{`{"n":1}`, ``, `{"n":2}`} {
		if err := AppendLine(t.Context(), path, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(lines(t, path), "|"); got != "{\"n\":1}\n|\n|{\"n\":2}\n|" {
		t.Errorf("%q", got)
	}
	for p, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if st, err := os.Stat(p); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", p, st.Mode(), err)
		}
	}
	given := []byte("{}xx")[:2] // room behind it is somebody's
	if err := AppendLine(t.Context(), path, given); err != nil || string(given[:4]) != "{}xx" {
		t.Errorf("%q %v", given[:4], err)
	}
	if err := AppendLine(t.Context(), path, []byte("a\nb")); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("two lines: %v", err)
	}
}

// TestAppendLineToTorn: cut at every byte, the line that was torn never counts
// again, also where only its newline was missing; the next one is whole.
func TestAppendLineToTorn(t *testing.T) {
	whole := "{\"n\":1}\n{\"n\":2}\n"
	for cut := range len(whole) + 1 {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(whole[:cut]), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := AppendLine(t.Context(), path, []byte(`{"n":3}`)); err != nil {
				t.Fatal(err)
			}
		}
		ended := whole[:strings.LastIndexByte(whole[:cut], '\n')+1]
		want := ended
		if len(ended) < cut {
			want = whole[:cut] + " <torn>\n"
		}
		want += "{\"n\":3}\n{\"n\":3}\n"
		if b, _ := os.ReadFile(path); string(b) != want {
			t.Errorf("cut at %d: %q, want %q", cut, b, want)
		}
	}
}

func TestAppendLineConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "x")
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 10 {
				if err := AppendLine(t.Context(), path, fmt.Appendf(nil, "writer %d line %d", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	next := map[int]int{}
	for _, l := range lines(t, path)[:80] {
		var w, i int
		if _, err := fmt.Sscanf(l, "writer %d line %d\n", &w, &i); err != nil || i != next[w] {
			t.Errorf("%q: %v, line %d is due", l, err, next[w])
		}
		next[w]++
	}
}

func TestAppendLineFails(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o600)
	for _, c := range []struct {
		path string
		want error
	}{
		{full, syscall.ENOSPC},
		{filepath.Join(file, "x"), syscall.ENOTDIR},
		{dir, syscall.EISDIR},
	} {
		err := AppendLine(t.Context(), c.path, []byte("x"))
		if !errors.Is(err, c.want) || strings.Count(err.Error(), c.path) > 1 {
			t.Errorf("%s: %v, want %v", c.path, err, c.want)
		}
	}
	path := filepath.Join(dir, "held")
	f, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := AppendLine(ctx, path, []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("locked by another: %v", err)
	}
	if b, _ := os.ReadFile(path); len(b) != 0 {
		t.Errorf("written without the lock: %q", b)
	}
}

// TestTailFails: an end that cannot be read is an error, not an empty file.
func TestTailFails(t *testing.T) {
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "x"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("half a line")
	if _, _, err := tail(f); err == nil {
		t.Error("read from a file that is open for writing only")
	}
	f.Close()
	if _, _, err := tail(f); err == nil {
		t.Error("found the end of a closed file")
	}
}
