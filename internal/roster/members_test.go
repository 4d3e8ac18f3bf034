package roster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/term"
)

func names(t *testing.T, r Roster) string {
	t.Helper()
	all, err := r.Members()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range all {
		out = append(out, string(m.Name)+"="+m.Identity)
	}
	return strings.Join(out, " ")
}

func TestLastLineStands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "team")
	r := In(dir)
	if got := names(t, r); got != "" {
		t.Errorf("no file: %q", got)
	}
	for _, step := range []struct {
		m    Member
		want string
	}{
		{Member{Kind: Joined, Name: "a", Identity: "1"}, "a=1"},
		{Member{Kind: Found, Name: "b", Identity: "2"}, "a=1 b=2"},
		{Member{Kind: Joined, Name: "a", Identity: "3"}, "a=3 b=2"},
		{Member{Kind: Left, Name: "a", Identity: "3"}, "b=2"},
		{Member{Kind: Left, Name: "nobody"}, "b=2"},
		{Member{Kind: Found, Name: "a", Identity: "4"}, "a=4 b=2"},
	} {
		write(t, r, step.m)
		if got := names(t, r); got != step.want {
			t.Errorf("after %+v: %q, want %q", step.m, got, step.want)
		}
	}
	if m, known, err := r.Member("b"); err != nil || !known || m.Identity != "2" {
		t.Errorf("%+v %v %v", m, known, err)
	}
	if m, known, err := r.Member("nobody"); err != nil || known || m.Name != "" {
		t.Errorf("%+v %v %v", m, known, err)
	}
}

// A line that would only repeat what stands, but for its time, is not written.
func TestRepeatIsNotWritten(t *testing.T) {
	r := In(t.TempDir())
	m := Member{Kind: Found, Name: "a", CLI: "x", Target: term.Target{Driver: "tmux", Socket: "/s", Pane: "%1"}, Identity: "1", At: time.Unix(1, 0)}
	write(t, r, m)
	before, _ := os.Stat(r.path)
	m.At = time.Unix(2, 0)
	write(t, r, m)
	if after, _ := os.Stat(r.path); after.Size() != before.Size() {
		t.Errorf("%d bytes became %d", before.Size(), after.Size())
	}
	m.Purpose = "new"
	write(t, r, m)
	if got, _, _ := r.Member("a"); got.Purpose != "new" {
		t.Errorf("%+v", got)
	}
}

// TestTornRoster: cut at every byte, the line that was torn never counts, the
// lines before it do, and the next one is whole.
func TestTornRoster(t *testing.T) {
	dir := t.TempDir()
	r := In(dir)
	write(t, r, Member{Kind: Joined, Name: "a", Identity: "1"})
	first, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, r, Member{Kind: Joined, Name: "a", Identity: "2"})
	whole, _ := os.ReadFile(r.path)
	for cut := len(first); cut < len(whole); cut++ {
		if err := os.WriteFile(r.path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := names(t, r); got != "a=1" {
			t.Fatalf("cut at %d: %q", cut, got)
		}
		write(t, r, Member{Kind: Found, Name: "b", Identity: "3"})
		if got := names(t, r); got != "a=1 b=3" {
			t.Fatalf("cut at %d, then written to: %q", cut, got)
		}
	}
}

// Fields of a later version are no reason to lose a name; lines that are no
// members are passed over.
func TestUnknownInRoster(t *testing.T) {
	r := In(t.TempDir())
	text := `{"kind":"join","name":"a","identity":"1","colour":"red","nested":{"x":[1]},"at":"2026-11-30T00:00:00Z"}
not JSON at all
{"kind":"join","name":""}
{"kind":"join","name":7}

["a list"]
{"kind":"join","name":"b","identity":"2","purpose":"` + strings.Repeat("long ", 300000) + `"}
`
	if err := os.WriteFile(r.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := names(t, r); got != "a=1 b=2" {
		t.Errorf("%.40q", got)
	}
	write(t, r, Member{Kind: Joined, Name: "c", Identity: "3"})
	if b, _ := os.ReadFile(r.path); !strings.HasPrefix(string(b), text) {
		t.Error("what stood there was changed")
	}
}

func TestRosterFails(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "roster.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := In(dir)
	if _, err := r.Members(); err == nil || !strings.Contains(err.Error(), "read roster") {
		t.Errorf("a folder was read: %v", err)
	}
	if err := r.Write(t.Context(), Member{Kind: Joined, Name: "a"}); err == nil {
		t.Error("a folder was written to")
	}
}

func FuzzMembers(f *testing.F) {
	f.Add([]byte(`{"kind":"join","name":"a"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := In(t.TempDir())
		os.WriteFile(r.path, b, 0o600)
		if _, err := r.Members(); err != nil {
			t.Error(err)
		}
		_, _, _ = r.Member(parley.Name("a"))
	})
}
