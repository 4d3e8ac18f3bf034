package inbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/e2e/duel"
)

// BenchmarkAppend sets Post beside a raw write and fsync of as many bytes, in
// turns of 200 each. Eight raw writers share no lock.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 8} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			box := newBox(b)
			f, err := os.OpenFile(filepath.Join(b.TempDir(), "raw"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			must(b, err)
			defer f.Close()
			var n atomic.Int64
			post := func() error {
				_, _, err := box.Post(parley.Message{From: "lead", To: "x", Body: fmt.Sprint(n.Add(1), benchBody)})
				return err
			}
			must(b, post())
			line := make([]byte, lastLine(b, box))
			var d duel.Duel
			d.Run(20, func(int) float64 { return together(b, writers, post) },
				func(int) float64 {
					return together(b, writers, func() error {
						if _, err := f.Write(line); err != nil {
							return err
						}
						return f.Sync()
					})
				})
			d.Report(b, "ms/append")
			b.ReportMetric(1000/d.Ours.At(0.5), "appends/s")
			b.ReportMetric(1000/d.Base.At(0.5), "base-appends/s")
		})
	}
}

func lastLine(b *testing.B, box *Box) int {
	text, err := os.ReadFile(box.Path())
	must(b, err)
	lines := strings.SplitAfter(string(text), "\n")
	return len(lines[len(lines)-2])
}

// together has so many writers make 200 appends in all, and returns the
// milliseconds of one.
func together(b *testing.B, writers int, f func() error) float64 {
	const appends = 200
	var left atomic.Int64
	left.Store(appends)
	var wg sync.WaitGroup
	begin := time.Now()
	for range writers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return duel.Milliseconds(time.Since(begin)) / appends
}

// BenchmarkCommand is the whole of two commands with 10, 10⁴ and 10⁶ records
// in the inbox, all sizes in turns: `send --mailbox` against a program that
// makes one write and one fsync and nothing else, `inbox -n 3` against
// `tail -n 3` of the same file.
func BenchmarkCommand(b *testing.B) {
	bin, least := duel.Build(b, "parley/cmd/parley"), duel.Baseline(b)
	home := b.TempDir()
	command := func(n int, args ...string) *exec.Cmd {
		c := exec.Command(bin, args...)
		c.Env, c.Dir = []string{"HOME=" + home, "USER=dana", "PATH=/usr/bin:/bin", "PARLEY_HOME=" + stateOf(home, n)}, home
		return c
	}
	sends, reads := make([]duel.Duel, len(sizes)), make([]duel.Duel, len(sizes))
	for _, n := range sizes {
		dir := Dir(stateOf(home, n), "main")
		must(b, os.MkdirAll(dir, 0o700))
		bigBoxAt(b, File(dir, "x"), n, true)
	}
	for i := range 60 {
		for at, n := range sizes {
			sends[at].Run(1, func(int) float64 {
				return duel.Timed(b, command(n, "send", "--mailbox", "x", fmt.Sprint(i, " ", time.Now().UnixNano(), " ", benchBody)))
			}, func(int) float64 {
				return duel.Timed(b, exec.Command(least, "append", filepath.Join(home, "raw"), strings.Repeat("x", 600)))
			})
			reads[at].Run(1, func(int) float64 { return duel.Timed(b, command(n, "inbox", "x", "-n", "3")) },
				func(int) float64 {
					return duel.Timed(b, exec.Command("tail", "-n", "3", File(Dir(stateOf(home, n), "main"), "x")))
				})
		}
	}
	for at, n := range sizes {
		b.Run(fmt.Sprintf("send-mailbox/records=%d", n), func(b *testing.B) { sends[at].Report(b, "ms") })
		b.Run(fmt.Sprintf("inbox-last3/records=%d", n), func(b *testing.B) { reads[at].Report(b, "ms") })
	}
}

func stateOf(home string, records int) string {
	return filepath.Join(home, fmt.Sprint("state", records))
}
