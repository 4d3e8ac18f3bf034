package e2e

// Figures, with the baseline of each measured in turns with it. They are
// printed, never asserted; docs/BENCH.md says how to repeat them.

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/e2e/duel"
)

// pairs is how many pairs a figure takes.
func pairs() int { return times(40, 100, 200) }

// BenchmarkStatus is a look at 50 agents by one `parley status`, against one
// `tmux capture-pane` for each pane, which reads and proves nothing.
func BenchmarkStatus(b *testing.B) {
	const agents = 50
	s := newStage(b)
	var buddies []*buddy
	for i := range agents {
		buddies = append(buddies, s.practice(fmt.Sprintf("agent%02d", i), ""))
	}
	s.parley("status") // writes all of them down
	var d duel.Duel
	d.Run(times(15, 20, 40), func(int) float64 {
		begin := time.Now()
		r := s.parley("status", "--json")
		took := duel.Milliseconds(time.Since(begin))
		if n := strings.Count(r.out, `"turn":"idle"`); n != agents {
			b.Fatalf("%d of %d agents are seen idle\n%s%s", n, agents, r.out, r.err)
		}
		return took
	}, func(int) float64 {
		begin := time.Now()
		for _, a := range buddies {
			s.rig.Tmux("capture-pane", "-e", "-p", "-t", a.pane)
		}
		return duel.Milliseconds(time.Since(begin))
	})
	d.Report(b, "ms")
}

// BenchmarkSendPractice is the whole of `parley send` to an idle practice
// agent, receipt and all, against the naive paste and Enter: the cost of the
// walk alone, with a program that takes no time.
func BenchmarkSendPractice(b *testing.B) {
	s := newStage(b)
	a := s.practice("buddy", "")
	taken := func(text string) time.Time {
		var at time.Time
		s.until("submitted: "+text, func() bool {
			for _, e := range a.events() {
				if e.Kind == "submit" && strings.Contains(e.Text, text) {
					at = e.Wall
				}
			}
			return !at.IsZero()
		})
		return at
	}
	var d duel.Duel
	d.Run(pairs(), func(i int) float64 {
		text := fmt.Sprintf("ours %d of the messages", i)
		begin := time.Now()
		s.parley("send", "buddy", text)
		took := duel.Milliseconds(taken(text).Sub(begin))
		a.sees("enter sends")
		return took
	}, func(i int) float64 {
		text := fmt.Sprintf("base %d of the messages", i)
		begin := time.Now()
		s.naive(a.pane, text)
		return duel.Milliseconds(taken(text).Sub(begin))
	})
	d.Report(b, "ms")
}

// naive types as scripts do: it looks at nothing.
func (s *stage) naive(pane, text string) {
	s.Helper()
	c := exec.Command("tmux", "-u", "-S", s.rig.Socket(), "load-buffer", "-b", "naive", "-", ";",
		"paste-buffer", "-p", "-d", "-b", "naive", "-t", pane, ";", "send-keys", "-t", pane, "Enter")
	c.Env = s.env()
	c.Stdin = strings.NewReader(text)
	if out, err := c.CombinedOutput(); err != nil {
		s.Fatalf("naive: %v\n%s", err, out)
	}
}

// BenchmarkMemory is the peak memory of a `parley send`, against a program
// that writes one line.
func BenchmarkMemory(b *testing.B) {
	s := newStage(b)
	s.practice("buddy", "")
	least := duel.Baseline(b)
	for name, args := range map[string][]string{
		"typed": {"send", "buddy", "hello there"}, "mailbox": {"send", "--mailbox", "buddy", "hello there"}} {
		b.Run(name, func(b *testing.B) {
			var d duel.Duel
			d.Run(10, func(i int) float64 {
				c := s.command(append(args[:len(args)-1:len(args)-1], fmt.Sprint("hello number ", i))...)
				return peak(b, c.Env, least, c.Args...)
			}, func(i int) float64 {
				return peak(b, nil, least, least, "append", s.home+"/raw", "hello there")
			})
			d.Report(b, "MB")
		})
	}
}

func peak(b *testing.B, env []string, least string, args ...string) float64 {
	b.Helper()
	c := exec.Command(least, append([]string{"peak"}, args...)...)
	c.Env, c.Stderr = env, os.Stderr
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%v: %v", args, err)
	}
	kib, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kib) * 1024 / 1e6
}

// BenchmarkBinary is the size of the program as `go build` makes it, and as it
// is shipped.
func BenchmarkBinary(b *testing.B) {
	for name, flags := range map[string][]string{"plain": nil, "shipped": {"-trimpath", "-ldflags", "-s -w"}} {
		b.Run(name, func(b *testing.B) {
			info, err := os.Stat(duel.Build(b, "parley/cmd/parley", flags...))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(info.Size())/1e6, "MB")
		})
	}
}
