package person

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/practice"
)

func TestMain(m *testing.M) {
	if os.Getenv("PARLEY_PRACTICE_TEST") == "agent" {
		os.Exit(practice.Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// replay is what a box with no one else in it would have submitted.
func replay(keys string) (submitted []string, draft string) {
	var box []rune
	for _, r := range keys {
		switch r {
		case '\r':
			submitted, box = append(submitted, string(box)), nil
		case 0x7f:
			box = box[:len(box)-1]
		default:
			box = append(box, r)
		}
	}
	return submitted, string(box)
}

func TestRecordsAreWhatTheKeysSay(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			var keys bytes.Buffer
			p := New(&keys, Options{Seed: seed})
			if err := p.Live(t.Context(), 8); err != nil {
				t.Fatal(err)
			}
			submitted, draft := replay(keys.String())
			if got := p.Submitted(); !slices.Equal(got, submitted) || p.Draft() != draft {
				t.Fatalf("seed %d: keys say %q and %q, records %q and %q", seed, submitted, draft, got, p.Draft())
			}
		})
	}
}

func TestSameSeedSameKeys(t *testing.T) {
	run := func(seed uint64) (s string) {
		synctest.Test(t, func(t *testing.T) {
			var keys bytes.Buffer
			New(&keys, Options{Seed: seed}).Live(t.Context(), 5)
			s = keys.String()
		})
		return s
	}
	if run(1) != run(1) || run(1) == run(2) {
		t.Error("the seed does not decide")
	}
}

func TestNoticesForeignText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys bytes.Buffer
		box := "mine lead: hello [#abcd1234]"
		p := New(&keys, Options{See: func() (string, error) {
			if strings.HasSuffix(keys.String(), "\x15") {
				box = ""
			}
			return box, nil
		}})
		p.Type(t.Context(), "mine ")
		if ok, err := p.Submit(t.Context()); ok || err != nil {
			t.Fatalf("submitted: %v %v", ok, err)
		}
		var kinds []Kind
		for _, a := range p.Acts() {
			kinds = append(kinds, a.Kind)
		}
		if want := []Kind{Typed, Noticed, Cleared}; !slices.Equal(kinds, want) || strings.Contains(keys.String(), "\r") {
			t.Errorf("did %q with %q", kinds, keys.String())
		}
	})
}

func TestEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		var keys bytes.Buffer
		p := New(&keys, Options{Seed: 3})
		if err := p.Live(ctx, 1000); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
		if _, draft := replay(keys.String()); draft != p.Draft() {
			t.Errorf("keys left %q, records say %q", draft, p.Draft())
		}
	})
}

// desk is the practice agent in a tmux server of its own.
type desk struct {
	t    *testing.T
	tmux []string
	log  string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	if testing.Short() {
		t.Skip("needs tmux and time")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run, err := os.MkdirTemp("", "person") // short: a socket's path is limited
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, log: filepath.Join(dir, "log"),
		tmux: []string{"tmux", "-u", "-S", filepath.Join(run, "tmux"), "-f", "/dev/null"}}
	d.run("new-session", "-d", "-s", "desk", "-x", "80", "-y", "24",
		fmt.Sprintf("exec env PARLEY_PRACTICE_TEST=agent %s --home %s --log %s", self, dir, d.log))
	pid, err := strconv.Atoi(strings.TrimSpace(d.run("display-message", "-p", "#{pid}")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(pid, syscall.SIGTERM)
		os.RemoveAll(run)
	})
	for end := time.Now().Add(10 * time.Second); !strings.Contains(d.run("capture-pane", "-p"), "»\u00a0"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no box")
		}
	}
	return d
}

func (d *desk) run(args ...string) string {
	d.t.Helper()
	out, err := exec.Command(d.tmux[0], append(slices.Clone(d.tmux[1:]), args...)...).CombinedOutput()
	if err != nil {
		d.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// box reads the agent's input box off the screen.
func (d *desk) box() (string, error) {
	var rows []string
	in := false
	for row := range strings.Lines(d.run("capture-pane", "-p", "-t", "desk")) {
		row = strings.TrimRight(row, "\n")
		switch {
		case strings.HasPrefix(row, "»\u00a0"):
			rows, in = []string{strings.TrimPrefix(row, "»\u00a0")}, true
		case strings.HasPrefix(row, "━━━"):
			in = false
		case in:
			rows = append(rows, row)
		}
	}
	if rows == nil {
		return "", errors.New("no box on screen")
	}
	if len(rows) == 1 && strings.HasPrefix(rows[0], "Say something,") {
		return "", nil
	}
	return strings.Join(rows, "\n"), nil
}

func TestAtTheAgent(t *testing.T) {
	for _, how := range []string{"attached", "bare"} {
		t.Run(how, func(t *testing.T) {
			d := newDesk(t)
			keys := Bare(d.tmux, "desk:0.0")
			if how == "attached" {
				c, err := Attach(d.tmux, "desk", 80, 25)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				for d.run("list-clients") == "" {
					time.Sleep(10 * time.Millisecond)
				}
				keys = c
			}
			p := New(keys, Options{Seed: 7, Speed: 15, See: d.box})
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			if err := p.Live(ctx, 6); err != nil {
				t.Fatal(err)
			}
			var got []string
			for end := time.Now().Add(5 * time.Second); len(got) < 6 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				got = nil
				events, err := practice.ReadLog(d.log)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range events {
					if e.Kind == "submit" {
						got = append(got, e.Text)
					}
				}
			}
			if !slices.Equal(got, p.Submitted()) {
				t.Errorf("the agent got %q, the person submitted %q", got, p.Submitted())
			}
		})
	}
}
