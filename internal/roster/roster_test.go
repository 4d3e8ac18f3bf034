package roster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley"
	"parley/internal/dialect"
	"parley/internal/proc"
)

func write(t *testing.T, r Roster, ms ...Member) {
	t.Helper()
	for _, m := range ms {
		if err := r.Write(context.Background(), m); err != nil {
			t.Fatal(err)
		}
	}
}

func prove(t *testing.T, r Roster, name parley.Name, identity, session string) {
	t.Helper()
	if err := r.Prove(context.Background(), name, identity, session); err != nil {
		t.Fatal(err)
	}
}

// TestSession: a proven session stays with the process that it was proven of,
// and never brings back a name or follows it to another process.
func TestSession(t *testing.T) {
	old, anew := Member{Kind: Joined, Name: "a", Identity: "one"}, Member{Kind: Joined, Name: "a", Identity: "two"}
	for _, c := range []struct {
		name string
		do   func(Roster)
		want string // identity/session, "" = no such name
	}{
		{"nobody", func(r Roster) { prove(t, r, "a", "one", "s") }, ""},
		{"proven", func(r Roster) { write(t, r, old); prove(t, r, "a", "one", "s") }, "one/s"},
		{"the last proof stands", func(r Roster) { write(t, r, old); prove(t, r, "a", "one", "s"); prove(t, r, "a", "one", "t") }, "one/t"},
		{"joined again", func(r Roster) {
			write(t, r, old)
			prove(t, r, "a", "one", "s")
			again := old
			again.Purpose = "more"
			write(t, r, again)
		}, "one/s"},
		{"another process", func(r Roster) { write(t, r, old); prove(t, r, "a", "one", "s"); write(t, r, anew) }, "two/"},
		{"a proof too late", func(r Roster) { write(t, r, old, anew); prove(t, r, "a", "one", "s") }, "two/"},
		{"left", func(r Roster) {
			write(t, r, old)
			prove(t, r, "a", "one", "s")
			left := old
			left.Kind = Left
			write(t, r, left)
			prove(t, r, "a", "one", "t")
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := In(t.TempDir())
			c.do(r)
			m, known, err := r.Member("a")
			got := ""
			if known {
				got = m.Identity + "/" + m.Session
			}
			if err != nil || got != c.want {
				t.Errorf("%q, want %q (%v)", got, c.want, err)
			}
		})
	}
}

// TestProofRace: a line that was written while the name went to another
// process, or left, counts for nothing. Both orders of the two appends.
func TestProofRace(t *testing.T) {
	dir := t.TempDir()
	r := In(dir)
	write(t, r, Member{Kind: Joined, Name: "a", Identity: "one"}, Member{Kind: Left, Name: "a", Identity: "one"})
	f, err := os.OpenFile(filepath.Join(dir, "roster.jsonl"), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintln(f, `{"kind":"session","name":"a","identity":"one","session":"s"}`)
	if _, known, err := r.Member("a"); known || err != nil {
		t.Errorf("a proof has brought a name back (%v)", err)
	}
}

// TestHasLeft: a name is off for the process that bore it, and for no other,
// until a later line says something else.
func TestHasLeft(t *testing.T) {
	found, left := Member{Kind: Found, Name: "a", Identity: "one"}, Member{Kind: Left, Name: "a", Identity: "one"}
	again := found
	again.Kind = Joined
	for _, c := range []struct {
		name  string
		lines []Member
		want  bool
	}{
		{"nobody", nil, false},
		{"there", []Member{found}, false},
		{"left", []Member{found, left}, true},
		{"joined again", []Member{found, left, again}, false},
		{"another since", []Member{found, left, {Kind: Found, Name: "a", Identity: "two"}}, false},
		{"another name", []Member{{Kind: Left, Name: "b", Identity: "one"}}, false},
	} {
		r := In(t.TempDir())
		write(t, r, c.lines...)
		lines, err := r.Lines()
		if HasLeft(lines, "a", "one") != c.want || HasLeft(lines, "a", "three") || err != nil {
			t.Errorf("%s: %+v, %v", c.name, lines, err)
		}
		if _, known, _ := r.Member("a"); known == c.want && len(c.lines) > 1 {
			t.Errorf("%s: is a member: %v", c.name, known)
		}
	}
}

// TestWriteTwice: what stands already is not written again.
func TestWriteTwice(t *testing.T) {
	dir := t.TempDir()
	r := In(dir)
	m := Member{Kind: Found, Name: "a", Identity: "one"}
	write(t, r, m)
	prove(t, r, "a", "one", "s")
	prove(t, r, "a", "one", "s")
	write(t, r, m, m)
	b, err := os.ReadFile(filepath.Join(dir, "roster.jsonl"))
	if n := strings.Count(string(b), "\n"); n != 2 || err != nil {
		t.Errorf("%d lines, want 2 (%v):\n%s", n, err, b)
	}
}

// me is a line about this very process, which runs.
func me(t *testing.T, kind string, name parley.Name, session string) Member {
	t.Helper()
	p, err := proc.Read(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	return Member{Kind: kind, Name: name, Identity: fmt.Sprintf("x agent=%d@%s y", p.PID, p.Start), Session: session}
}

// TestInDaemon: a session names an agent only if it is one running agent's.
func TestInDaemon(t *testing.T) {
	running := me(t, Found, "a", "s")
	joined := running
	joined.Kind, joined.Name = Joined, "b"
	ended := Member{Kind: Joined, Name: "c", Identity: "x agent=1@never y", Session: "s"}
	other := Member{Kind: Joined, Name: "d", Session: "s"}
	parent, err := proc.Read(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	other.Identity = fmt.Sprintf("x agent=%d@%s y", parent.PID, parent.Start)
	for _, c := range []struct {
		name    string
		members []Member
		session string
		want    string
	}{
		{"proven", []Member{running}, "s", "a"},
		{"the given name comes first", []Member{running, joined}, "s", "b"},
		{"another session", []Member{running}, "t", ""},
		{"no session", []Member{running}, "", ""},
		{"its agent has ended", []Member{ended}, "s", ""},
		{"one of two has ended", []Member{ended, running}, "s", "a"},
		{"two agents", []Member{running, other}, "s", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := In(t.TempDir())
			write(t, r, c.members...)
			sp, err := inDaemon(r, c.session)
			if err != nil || string(sp.Name) != c.want || !sp.Agent || !sp.Daemon {
				t.Errorf("%+v, want %q (%v)", sp, c.want, err)
			}
		})
	}
}

// TestHanded: the daemon's word is believed, not what was made of it below.
func TestHanded(t *testing.T) {
	set, err := dialect.Load("")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := set.CLI("codex")
	env := func(v string) func(string) string { return func(string) string { return v } }
	if got := handed(d, proc.Process{PID: os.Getpid()}, env("s")); got != "s" {
		t.Errorf("right below the daemon: %q", got)
	}
	// This test's parent was handed no session.
	if got := handed(d, proc.Process{PID: os.Getppid()}, env("forged")); got != "" {
		t.Errorf("set further down: %q", got)
	}
}
