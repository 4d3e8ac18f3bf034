// Package duel measures two things in turns, ours, theirs, ours, theirs, so
// that whatever else the machine does falls on both. It gives figures and
// never judges: no test fails because of time.
package duel

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Sample is a series of measurements of one thing.
type Sample []float64

// At is the value at a part of the sorted series: At(0.5) is the median.
func (s Sample) At(part float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(part*float64(len(sorted))))]
}

// Duel holds what was measured, of one pair at one index.
type Duel struct{ Ours, Base Sample }

// Run takes n pairs more. Each function is told the pair's number.
func (d *Duel) Run(n int, ours, base func(i int) float64) {
	for i := range n {
		d.Ours = append(d.Ours, ours(i))
		d.Base = append(d.Base, base(i))
	}
}

// Report gives the figures to the benchmark: median and 95th percentile of
// both, and the medians of difference and ratio within a pair.
func (d *Duel) Report(b *testing.B, unit string) {
	var beyond, ratio Sample
	for i, o := range d.Ours {
		beyond = append(beyond, o-d.Base[i])
		ratio = append(ratio, o/d.Base[i])
	}
	b.ReportMetric(0, "ns/op") // leaves it out
	b.ReportMetric(d.Ours.At(0.5), "p50-"+unit)
	b.ReportMetric(d.Ours.At(0.95), "p95-"+unit)
	b.ReportMetric(d.Base.At(0.5), "base-p50-"+unit)
	b.ReportMetric(d.Base.At(0.95), "base-p95-"+unit)
	b.ReportMetric(beyond.At(0.5), "beyond-"+unit)
	b.ReportMetric(ratio.At(0.5), "ratio")
}

// Milliseconds is a duration as figures hold it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Timed runs a command to its end and returns its milliseconds.
func Timed(tb testing.TB, c *exec.Cmd) float64 {
	tb.Helper()
	begin := time.Now()
	out, err := c.CombinedOutput()
	took := Milliseconds(time.Since(begin))
	if err != nil {
		tb.Fatalf("%v: %v\n%s", c.Args, err, out)
	}
	return took
}

// Build builds a program of this module, without libc as `make build` does, and
// returns where it lies.
func Build(tb testing.TB, pkg string, flags ...string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), filepath.Base(pkg))
	c := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), pkg)...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		tb.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return path
}

// Baseline builds the program that does the least; see its own words.
func Baseline(tb testing.TB) string { return Build(tb, "parley/e2e/duel/testdata/baseline") }
