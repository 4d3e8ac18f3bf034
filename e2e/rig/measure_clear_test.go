//go:build measure

package rig

// What takes our own text out of a box again, as figures:
//
//	go test -tags measure -timeout 60m -v -run 'TestMeasureClear/pi@1.6.0' ./e2e/rig

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	clearTrials  = 25 // for each kind of text, idle
	clearWorking = 20
	clearKey     = "C-u"
)

// clearTexts are what parley leaves in a box, each as its pastes.
func clearTexts(n int) map[string][]string {
	tag := fmt.Sprintf("[#c1ea%04x]", n)
	return map[string][]string{
		"one line":        {fmt.Sprintf("lead: trial %d is one line only %s", n, tag)},
		"three lines":     {fmt.Sprintf("lead: trial %d has three lines\nthis is the second\nand the third %s", n, tag)},
		"wraps":           {fmt.Sprintf("lead: trial %d %s %s", n, strings.Repeat("goes on and on ", 25), tag)},
		"signature alone": {fmt.Sprintf("lead %s: ", tag)},
		"folded":          {fmt.Sprintf("lead %s: ", tag), body(n)},
	}
}

func TestMeasureClear(t *testing.T) {
	for _, cli := range All {
		t.Run(cli.String(), func(t *testing.T) {
			a := New(t).Start(cli, Opts{})
			for _, kind := range []string{"one line", "three lines", "wraps", "signature alone", "folded"} {
				t.Run(kind, func(t *testing.T) { measureClear(t, a, kind, false, clearTrials) })
			}
			t.Run("empty box", func(t *testing.T) { measureClearEmpty(t, a) })
			for _, kind := range []string{"one line", "three lines"} {
				t.Run("working, "+kind, func(t *testing.T) { measureClear(t, a, kind, true, clearWorking) })
			}
		})
	}
}

// measureClear pastes a text, presses the key until the box is empty, a look after each, and
// then sends a line: it must arrive alone.
func measureClear(t *testing.T, a *Agent, kind string, working bool, trials int) {
	idleKey, workKey := keys(a.CLI)
	first := 16 * len(a.Stub.Prompts()) // no number twice
	tally, steps := map[string]int{}, map[string]int{}
	var took times
	for n := first; n < first+trials; n++ {
		rest(a)
		key := idleKey
		slow := fmt.Sprintf("lead: STUB:slow=4000ms go [#510e%04x]", n)
		if working {
			send(a, slow, idleKey)
			a.Until("the turn", func(Look) bool { return a.slowRuns(slow) })
			key = workKey
		}
		pasteAll(a, clearTexts(n)[kind])
		presses, shapes, d, ok := clearBox(a)
		took = append(took, d...)
		steps[strings.Join(shapes, " → ")]++
		if !ok {
			tally["not cleared"]++
			t.Logf("trial %d: not cleared after %d keys\n%s", n, presses, a.Capture())
			a.Keys("C-c")
			continue
		}
		end := fmt.Sprintf("empty after %d", presses)
		if working {
			if p, count := asked(a, slow); count != 1 || p.Cut {
				end += ", the turn was cut"
			}
		}
		msg := oneLine(n)
		if _, _, ok := send(a, msg, key); !ok {
			end += ", and the next stayed"
		}
		if p, count := asked(a, msg); count != 1 || p.Text != msg {
			end += ", and the next was not exact"
			t.Logf("trial %d: %d× %q", n, count, p.Text)
		}
		tally[end]++
	}
	t.Logf("RESULT %s %s %s key=%s %v; rows %v; key→drawn %v; %s", a.CLI, t.Name(), kind, clearKey, tally, steps, took, load())
}

// measureClearEmpty presses the key in an empty box, as where it comes too late.
func measureClearEmpty(t *testing.T, a *Agent) {
	key, _ := keys(a.CLI)
	first := 16 * len(a.Stub.Prompts())
	tally := map[string]int{}
	for n := first; n < first+clearTrials; n++ {
		rest(a)
		a.Keys(clearKey, clearKey)
		a.Ready()
		msg := oneLine(n)
		end := "the next was exact"
		if _, _, ok := send(a, msg, key); !ok {
			end = "the next stayed"
		}
		if p, count := asked(a, msg); count != 1 || p.Text != msg {
			end = "the next was not exact"
		}
		tally[end]++
	}
	t.Logf("RESULT %s %s key=%s twice %v; %s", a.CLI, t.Name(), clearKey, tally, load())
}

func pasteAll(a *Agent, texts []string) {
	for i, text := range texts {
		if i == 0 {
			pasteSeen(a, text, text)
			continue
		}
		before, _ := a.Box()
		a.Paste(text)
		a.Still("the body", func(l Look) bool { box, ok := a.BoxIn(l); return ok && box != before })
	}
	a.Still("the text", func(l Look) bool { box, ok := a.BoxIn(l); return ok && box != "" })
}

// clearBox presses the key as long as that changes the box, and tells how many rows were left
// after each.
func clearBox(a *Agent) (presses int, rows []string, took times, empty bool) {
	box, _ := a.Box()
	rows = append(rows, shape(box))
	for presses < 40 {
		before := a.Look()
		was, _ := a.BoxIn(before)
		begin := time.Now()
		a.Keys(clearKey)
		presses++
		l, changed := a.Within(2*time.Second, func(l Look) bool {
			box, ok := a.BoxIn(l)
			// 2.0.20 parks the terminal's cursor elsewhere: the box alone tells.
			return ok && (box != was || l.X != before.X || l.Y != before.Y || l.String() != before.String())
		})
		if !changed {
			return presses, append(rows, "no change"), took, false
		}
		took = append(took, time.Since(begin))
		box, _ := a.BoxIn(l)
		rows = append(rows, shape(box))
		if box == "" {
			return presses, rows, took, true
		}
		if !strings.HasPrefix(squeeze(was), squeeze(box)) {
			return presses, append(rows, fmt.Sprintf("no beginning of it: %q", box)), took, false
		}
	}
	return presses, rows, took, false
}

// shape is the rows of a box by their lengths.
func shape(box string) string {
	if box == "" {
		return "empty"
	}
	var out []string
	for _, r := range strings.Split(box, "\n") {
		out = append(out, fmt.Sprint(len([]rune(r))))
	}
	return strings.Join(out, "+")
}
