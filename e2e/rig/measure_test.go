//go:build measure

package rig

// What a sender needs to know about each CLI's keyboard, as figures:
//
//	go test -tags measure -timeout 60m -v -run 'TestMeasure/pi@1.6.0' ./e2e/rig
//
// One CLI runs at a time. Times include the tmux calls: one look takes some 5 ms.

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/modelstub"
)

const (
	idleTrials    = 50 // for each of two kinds of text
	workingTrials = 12
	pasteTrials   = 20 // for each way to paste
	verdict       = 8 * time.Second
	tokenPatience = 2 * time.Second
)

// A key that submits when the CLI is idle, and one that queues when it works. Codex 0.98's
// Tab does nothing when it is idle.
func keys(c CLI) (idle, working string) {
	switch {
	case c.Name == "pi":
		return "M-Enter", "M-Enter"
	case c.Name == "codex" && older(c.Version, "0.149.0"):
		return "Enter", "Tab"
	case c.Name == "codex":
		return "Tab", "Tab"
	}
	return "Enter", "Enter"
}

func TestMeasure(t *testing.T) {
	for _, cli := range All {
		t.Run(cli.String(), func(t *testing.T) {
			t.Run("idle/one-line", func(t *testing.T) { measureIdle(t, cli, oneLine) })
			t.Run("idle/three-lines", func(t *testing.T) { measureIdle(t, cli, threeLines) })
			idleKey, key := keys(cli)
			t.Run("working/"+key, func(t *testing.T) { measureWorking(t, cli, key) })
			if idleKey != key {
				t.Run("working/"+idleKey, func(t *testing.T) { measureWorking(t, cli, idleKey) })
			}
			for _, way := range []string{"joined", "seen-first", "seen-each"} {
				t.Run("two-pastes/"+way, func(t *testing.T) { measurePastes(t, cli, way) })
			}
		})
	}
}

func oneLine(n int) string { return fmt.Sprintf("lead: trial %d is one line only [#%08x]", n, n) }

func threeLines(n int) string {
	return fmt.Sprintf("lead: trial %d has three lines\nthis is the second\nand the third [#%08x]", n, n)
}

// idle is false while a turn runs, as far as the screen or the CLI's files tell.
func idle(a *Agent, l Look) bool {
	switch a.CLI.Name {
	case "codex":
		for _, r := range l.Title {
			if r >= 0x2800 && r <= 0x28ff {
				return false
			}
		}
		return !strings.Contains(l.String(), "esc to interrupt")
	case "claude":
		return claudeListens(a, l) && !strings.Contains(l.String(), "esc to interrupt")
	}
	return !strings.Contains(l.String(), " Working ─")
}

func rest(a *Agent) {
	a.Until("an idle, empty box", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == "" && idle(a, l)
	})
}

// send pastes text, presses key as soon as the text is seen, and returns how long the
// box took to be empty. It is false if the box keeps the text.
func send(a *Agent, text, key string) (seen, let time.Duration, ok bool) {
	begin := time.Now()
	a.Paste(text)
	a.Until("the text in the box", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && squeeze(box) == squeeze(text)
	})
	seen = time.Since(begin)
	begin = time.Now()
	a.Keys(key)
	_, ok = a.Within(verdict, func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == ""
	})
	return seen, time.Since(begin), ok
}

// asked counts the requests of the conversation that say text, after waiting for one.
func asked(a *Agent, text string) (first modelstub.Prompt, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), verdict)
	defer cancel()
	first, err := a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return !p.Side && p.Says(text) })
	if err != nil {
		return first, 0
	}
	for _, p := range a.Stub.Prompts() {
		if !p.Side && p.Says(text) {
			n++
		}
	}
	return first, n
}

func measureIdle(t *testing.T, cli CLI, text func(int) string) {
	key, _ := keys(cli)
	a := New(t).Start(cli, Opts{})
	var seen, let, model times
	tally := map[string]int{}
	for n := range idleTrials {
		rest(a)
		msg := text(n + 1)
		s, l, ok := send(a, msg, key)
		pressed := time.Now().Add(-l)
		if !ok {
			tally["kept in the box"]++
			t.Logf("trial %d: kept\n%s", n, a.Capture())
			a.Keys("Enter")
			asked(a, msg)
			continue
		}
		seen, let = append(seen, s), append(let, l)
		p, count := asked(a, msg)
		switch {
		case count == 0:
			tally["lost or changed"]++
			t.Logf("trial %d: lost or changed\n%s", n, a.Capture())
		case count > 1:
			tally["twice"]++
		case p.Text != msg:
			tally["not alone"]++
			t.Logf("trial %d: the model got %q", n, p.Text)
		default:
			tally["exactly once"]++
			model = append(model, p.At.Sub(pressed))
		}
	}
	t.Logf("RESULT %s %s key=%s %v; paste→seen %v; key→box empty %v; key→model %v; %s",
		cli, t.Name(), key, tally, seen, let, model, load())
}

// measureWorking sends while a slow answer streams.
func measureWorking(t *testing.T, cli CLI, key string) {
	idleKey, _ := keys(cli)
	a := New(t).Start(cli, Opts{})
	var let, wait times
	tally := map[string]int{}
	for n := range workingTrials {
		rest(a)
		slow := fmt.Sprintf("lead: STUB:slow=2500ms go [#5100%04x]", n)
		if _, _, ok := send(a, slow, idleKey); !ok {
			t.Fatalf("the slow prompt stays in the box\n%s", a.Capture())
		}
		a.Until("the growing answer", func(l Look) bool { return strings.Count(l.String(), "three four five") > 0 || a.slowRuns(slow) })
		msg := oneLine(1000 + n)
		_, l, ok := send(a, msg, key)
		first, _ := asked(a, slow)
		running := first.Ended.IsZero()
		if !ok {
			tally["kept in the box"]++
			t.Logf("trial %d: kept\n%s", n, a.Capture())
			rest(a)
			continue
		}
		p, count := asked(a, msg)
		first, _ = asked(a, slow)
		let, wait = append(let, l), append(wait, p.At.Sub(first.Ended))
		end := fmt.Sprintf("arrived %d×", count)
		if !running {
			end += ", sent too late"
		}
		if first.Cut {
			end += ", answer CUT"
		}
		if count > 0 && p.Text != msg {
			end += ", not alone"
			t.Logf("trial %d: tail %q notes %.300q results %.300q", n, p.Tail, p.Notes, p.Results)
		}
		if count > 0 && p.At.Before(first.Ended) {
			end += ", before the answer's end"
		}
		tally[end]++
	}
	rest(a)
	t.Logf("RESULT %s %s key=%s %v; key→box empty %v; answer's end→model %v; %s", cli, t.Name(), key, tally, let, wait, load())
}

// slowRuns is true some time after the answer to text has begun.
func (a *Agent) slowRuns(text string) bool {
	p, n := asked(a, text)
	return n > 0 && time.Since(p.At) > 500*time.Millisecond
}

// body has 40 lines and 1,500 characters: every CLI folds it into a token.
func body(n int) string {
	var b strings.Builder
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "%d.%02d line of a body that is long\n", n, i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// measurePastes pastes a signature and a body. "joined": in one tmux command line;
// "seen-first": the body when the signature is on screen; "seen-each": then a tag too, when
// the body's token is.
func measurePastes(t *testing.T, cli CLI, way string) {
	a := New(t).Start(cli, Opts{})
	boxes, texts := map[string]int{}, map[string]int{}
	var seen times
	token := func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && (strings.Contains(box, "[Pasted ") || strings.Contains(box, "[paste #"))
	}
	for n := range pasteTrials {
		rest(a)
		sign := fmt.Sprintf("lead [#abcd%04x]: ", n)
		var tag string
		switch way {
		case "joined":
			a.Paste(sign, body(n))
		default:
			pasteSeen(a, sign, sign)
			a.Paste(body(n))
			if way == "seen-each" {
				tag = fmt.Sprintf(" [#abcd%04x]", n)
				a.Until("the token", token)
				pasteSeen(a, tag, tag)
			}
		}
		begin := time.Now()
		l, ok := a.Within(tokenPatience, token)
		if ok {
			seen = append(seen, time.Since(begin))
		}
		box, _ := a.BoxIn(l)
		boxes[mask(box, n)]++
		a.Keys("Enter")
		line := fmt.Sprintf("%d.40 line of a body", n)
		p, count := asked(a, line)
		if count != 1 {
			t.Logf("trial %d: asked %d times\n%s", n, count, a.Capture())
		}
		texts[mask(strings.ReplaceAll(p.Text, body(n), "BODY"), n)]++
	}
	t.Logf("RESULT %s %s; token seen %v; box %s; model %s; %s", cli, t.Name(), seen, counts(boxes), counts(texts), load())
}

// pasteSeen pastes text and waits until the box ends in tail.
func pasteSeen(a *Agent, text, tail string) {
	a.Paste(text)
	a.Until("the pasted "+tail, func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && strings.HasSuffix(squeeze(box), squeeze(tail))
	})
}

// mask removes what differs from trial to trial.
func mask(s string, n int) string {
	s = strings.ReplaceAll(s, fmt.Sprintf("#abcd%04x", n), "#TAG")
	for _, token := range []string{"[Pasted text #", "[paste #", "\n\n<pasted_content id=\"", "</pasted_content id=\""} {
		if i := strings.Index(s, token); i >= 0 {
			rest := strings.TrimLeft(s[i+len(token):], "0123456789abcdef")
			s = s[:i+len(token)] + "N" + rest
		}
	}
	return s
}

func counts(m map[string]int) string {
	var out []string
	for text, n := range m {
		out = append(out, fmt.Sprintf("%d× %q", n, text))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

type times []time.Duration

// String gives the median, the 95th percentile and the maximum.
func (t times) String() string {
	if len(t) == 0 {
		return "-"
	}
	s := slices.Sorted(slices.Values(t))
	ms := func(i int) string { return fmt.Sprintf("%.0f", float64(s[i].Microseconds())/1000) }
	return fmt.Sprintf("p50 %s p95 %s max %s ms (n=%d)", ms(len(s)/2), ms(min(len(s)-1, len(s)*95/100)), ms(len(s)-1), len(s))
}

func load() string {
	data, _ := os.ReadFile("/proc/loadavg")
	return "load " + strings.TrimSpace(string(data))
}
