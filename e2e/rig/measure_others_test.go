//go:build measure

package rig

// The same figures for the other CLIs, and what becomes of texts on the way:
//
//	go test -tags measure -timeout 60m -v -run 'TestMeasureOthers/gemini' ./e2e/rig

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/modelstub"
)

const (
	settleTrials = 20 // for each kind of text and each settle time
	textTrials   = 3
	soon         = 6 * time.Second // no request by then: Enter has not submitted
)

func TestMeasureOthers(t *testing.T) {
	for _, cli := range Others {
		t.Run(cli.String(), func(t *testing.T) {
			t.Run("settle", func(t *testing.T) { measureSettle(t, cli) })
			t.Run("tokens", func(t *testing.T) { measureTokens(t, cli) })
			t.Run("two-pastes", func(t *testing.T) { measureTwo(t, cli) })
			t.Run("texts", func(t *testing.T) { measureTexts(t, cli) })
			t.Run("busy", func(t *testing.T) { measureBusy(t, cli, "Enter") })
		})
	}
	t.Run("qwen-queue", func(t *testing.T) { measureBusy(t, CLI{"qwen", "0.24.4"}, "C-q") })
	t.Run("gemini-rule", measureGeminiRule)
	t.Run("qwen-long", measureQwenLong)
}

// busyMarks stand on the screen while the CLI works.
var busyMarks = map[string][]string{
	"gemini": {"(esc to cancel", "Queued (press"}, "qwen": {"esc to cancel", "queued"}, "grok": {"[stop]", "Queued ·"},
	"copilot": {" Working", "Cancelling", "[pending"}, "opencode": {"esc interrupt", "QUEUED"},
	"cline": {"(esc to cancel)", "Queued messages"}, "droid": {"(Press ESC to stop)"}, "vibegrok": {"esc to interrupt"},
}

func calm(a *Agent) {
	a.Until("an idle, empty box", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == "" && !busy(a, l) && ended(a)
	})
}

func busy(a *Agent, l Look) bool {
	screen := l.String()
	return slices.ContainsFunc(busyMarks[a.CLI.Name], func(m string) bool { return strings.Contains(screen, m) })
}

// ended is true when no answer is being written.
func ended(a *Agent) bool {
	for _, p := range a.Stub.Prompts() {
		if !p.Side && p.Ended.IsZero() {
			return false
		}
	}
	return true
}

// awaited is the first request that says text, if it comes within d.
func awaited(a *Agent, text string, d time.Duration) (modelstub.Prompt, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	p, err := a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return !p.Side && p.Says(text) })
	return p, err == nil
}

func said(a *Agent, text string) int {
	n := 0
	for _, p := range a.Stub.Prompts() {
		if !p.Side && p.Says(text) {
			n++
		}
	}
	return n
}

// pasted pastes text and waits until the box ends in tail.
func pasted(a *Agent, text, tail string) time.Duration {
	begin := time.Now()
	pasteSeen(a, text, tail)
	return time.Since(begin)
}

func pause(a *Agent, d time.Duration) {
	if d > 0 {
		a.Within(d, func(Look) bool { return false })
	}
}

// enter presses Enter after a settle time, once more when no request comes and the text
// still stands, and says what came of it.
func enter(a *Agent, text, tag string, settle time.Duration) (end string, wait time.Duration) {
	pause(a, settle)
	pressed := time.Now()
	a.Keys("Enter")
	p, ok := awaited(a, tag, soon)
	if !ok {
		box, _ := a.Box()
		if !strings.Contains(box, tag) {
			end = "gone, no request, "
		} else {
			end = "first Enter swallowed, "
		}
		a.Keys("Enter")
		if p, ok = awaited(a, tag, verdict); !ok {
			return end + "second too", 0
		}
	}
	switch got := p.Text; {
	case got == text:
		end += "exact"
	case strings.TrimSpace(got) == strings.TrimSpace(text):
		end += "exact but for white space at the ends"
	default:
		end += fmt.Sprintf("other %.60q", strings.ReplaceAll(got, text, "TEXT"))
	}
	calm(a)
	if n := said(a, tag); n != 1 {
		end += fmt.Sprintf(", %d times", n)
	}
	return end, p.At.Sub(pressed)
}

func measureSettle(t *testing.T, cli CLI) {
	for _, kind := range []struct {
		name string
		text func(int) string
	}{{"one line", oneLine}, {"three lines", threeLines}} {
		if cli.Name == "vibegrok" && kind.name == "three lines" {
			continue // newlines break its box: never to be read
		}
		begin := time.Now()
		a := New(t).Start(cli, Opts{})
		start := time.Since(begin)
		number := 0
		for _, settle := range []int{0, 50, 100, 150} {
			tally := map[string]int{}
			var seen, model times
			for range settleTrials {
				calm(a)
				number++
				text := kind.text(number)
				tag := fmt.Sprintf("[#%08x]", number)
				if cli.Name == "opencode" && kind.name == "three lines" {
					seen = append(seen, pastedToken(a, text))
				} else {
					seen = append(seen, pasted(a, text, tag))
				}
				end, wait := enter(a, text, tag, time.Duration(settle)*time.Millisecond)
				tally[end]++
				model = append(model, wait)
			}
			t.Logf("RESULT %s settle=%dms %s: %s; paste→seen %v; Enter→model %v", cli, settle, kind.name, tallied(tally), seen, model)
		}
		t.Logf("RESULT %s start %v; %s", cli, start.Round(10*time.Millisecond), load())
		a.Stop()
	}
}

// folded reports a token in the box.
func folded(box string) bool {
	return slices.ContainsFunc([]string{"[Pasted", "[Paste #", "[Saved pasted", " lines]"}, func(s string) bool { return strings.Contains(box, s) })
}

// pastedToken pastes text and waits until the box shows a token.
func pastedToken(a *Agent, text string) time.Duration {
	begin := time.Now()
	a.Paste(text)
	a.Until("a token", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && folded(box)
	})
	return time.Since(begin)
}

// measureTokens finds what is folded, and into what.
func measureTokens(t *testing.T, cli CLI) {
	a := New(t).Start(cli, Opts{})
	try := func(what, text, tail string) {
		calm(a)
		a.Paste(text)
		l, ok := a.Within(5*time.Second, func(l Look) bool {
			box, ok := a.BoxIn(l)
			return ok && (folded(box) || strings.HasSuffix(squeeze(box), squeeze(tail)))
		})
		box, _ := a.BoxIn(l)
		show := "literal"
		if !ok {
			show = fmt.Sprintf("end not in the box, which begins %.30q", box)
			t.Logf("%s\n%s", what, l)
		} else if folded(box) {
			show = box
		}
		end, _ := enter(a, text, tail, 300*time.Millisecond)
		t.Logf("RESULT %s token %s: %s; %s", cli, what, show, end)
	}
	for i, n := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11} {
		tail := fmt.Sprintf("[#beef%04x]", i)
		try(fmt.Sprintf("%d lines", n), strings.Repeat("short\n", n-1)+tail, tail)
	}
	for i, n := range []int{149, 150, 151, 200, 201, 250, 300, 350, 400, 401, 425, 450, 499, 500, 501, 800, 801, 1000, 1001, 5000, 10000, 10001} {
		tail := fmt.Sprintf("[#feed%04x]", i)
		try(fmt.Sprintf("%d characters", n), strings.Repeat("word ", n/5+1)[:n-len(tail)]+tail, tail)
	}
	for i, n := range []int{400, 700} { // of two UTF-16 units each
		tail := fmt.Sprintf("[#dead%04x]", i)
		try(fmt.Sprintf("%d emoji", n), strings.Repeat("🙂", n)+tail, tail)
	}
}

// measureTwo pastes a signature, sees it, pastes a body of 40 lines, and enters.
func measureTwo(t *testing.T, cli CLI) {
	if cli.Name == "vibegrok" {
		return // as above
	}
	a := New(t).Start(cli, Opts{})
	boxes, ends := map[string]int{}, map[string]int{}
	var seen times
	for n := range pasteTrials {
		calm(a)
		tag := fmt.Sprintf("[#abcd%04x]", n)
		sign := "lead " + tag + ": "
		pasted(a, sign, "lead "+tag+":")
		begin := time.Now()
		a.Paste(body(n))
		last := fmt.Sprintf("%d.40 line of a body that is long", n)
		l, ok := a.Within(5*time.Second, func(l Look) bool {
			box, ok := a.BoxIn(l)
			return ok && (folded(box) || strings.Contains(squeeze(box), squeeze(last)))
		})
		if ok {
			seen = append(seen, time.Since(begin))
		}
		box, _ := a.BoxIn(l)
		boxes[fmt.Sprintf("%.80s", mask(box, n))]++
		end, _ := enter(a, sign+body(n), tag, 150*time.Millisecond)
		ends[mask(end, n)]++
	}
	t.Logf("RESULT %s two pastes; body seen %v; box %s; %s; %s", cli, seen, counts(boxes), tallied(ends), load())
}

// measureTexts says what the model gets of texts that CLIs may change.
func measureTexts(t *testing.T, cli CLI) {
	a := New(t).Start(cli, Opts{})
	for i, text := range []string{
		"tab\there", "line\n\tindented", "cafe\u0301", "zero\u200bwidth", "bidi \u202edef\u202c end", "iso \u2066jkl\u2069 end",
		"👩‍👩‍👧‍👦 family", "क्\u200dष می\u200cخواهم", "no\u00a0break", "soft\u00adhyphen", "back\\",
		"ask @bob", "use $x", "/help me", "!ls", "two  spaces", "first\n\n\nlast", "markup <b>x</b> & [Pasted text]",
		"thumb 👍🏽", "flag 🏳️‍🌈", // last: the flag breaks Copilot's screen in tmux 3.3a for good
	} {
		got := map[string]int{}
		for n := range textTrials {
			calm(a)
			tag := fmt.Sprintf("[#%04x%04x]", 0xface, i*16+n)
			msg := "lead: " + text + " " + tag
			a.Paste(msg)
			if _, ok := a.Within(5*time.Second, func(l Look) bool {
				box, ok := a.BoxIn(l)
				return ok && (strings.HasSuffix(squeeze(box), squeeze(tag)) || folded(box))
			}); !ok {
				t.Logf("%q is not seen\n%s", text, a.Capture())
			}
			pause(a, 300*time.Millisecond)
			a.Keys("Enter")
			p, ok := awaited(a, tag, soon)
			if !ok {
				a.Keys("Enter")
				p, ok = awaited(a, tag, verdict)
			}
			switch {
			case !ok:
				got["NOT SENT"]++
			case p.Text == msg:
				got["exact"]++
			default:
				got[strings.ReplaceAll(p.Text, tag, "TAG")]++
			}
		}
		t.Logf("RESULT %s text %+q: %s", cli, text, counts(got))
	}
}

// measureBusy sends while a slow answer streams.
func measureBusy(t *testing.T, cli CLI, key string) {
	a := New(t).Start(cli, Opts{})
	var let times
	tally := map[string]int{}
	for n := range pasteTrials {
		calm(a)
		slow := fmt.Sprintf("lead: STUB:slow=1500ms go [#5100%04x]", n)
		a.Submit(slow)
		first := a.Prompt(slow)
		a.Until("a growing answer", func(l Look) bool { return time.Since(first.At) > 400*time.Millisecond })
		tag := fmt.Sprintf("[#b0b0%04x]", n)
		text := "lead: sent while it works " + tag
		pasted(a, text, tag)
		pause(a, a.recipe.settle)
		begin := time.Now()
		a.Keys(key)
		if _, ok := a.Within(soon, func(l Look) bool { box, ok := a.BoxIn(l); return ok && box == "" }); ok {
			let = append(let, time.Since(begin))
		}
		tally[outcome(t, a, slow, text, tag)]++
	}
	t.Logf("RESULT %s busy key=%s: %s; key→box empty %v; %s", cli, key, tallied(tally), let, load())
}

// outcome says what became of a text that was sent into the answer to slow.
func outcome(t *testing.T, a *Agent, slow, text, tag string) string {
	t.Helper()
	p, ok := awaited(a, tag, verdict)
	first := a.Prompt(slow)
	if !ok {
		box, _ := a.Box()
		t.Logf("not sent\n%s", a.Capture())
		if strings.Contains(box, tag) {
			a.Keys("Enter")
			awaited(a, tag, verdict)
			return "kept in the box"
		}
		return "gone, never sent"
	}
	end := "sent"
	switch {
	case first.Cut:
		end += ", the answer was cut"
	case first.Ended.IsZero() || p.At.Before(first.Ended):
		end += ", before the answer's end"
	}
	calm(a)
	if n := said(a, tag); n != 1 {
		end += fmt.Sprintf(", %d times", n)
	}
	if p.Text != text {
		t.Logf("text %q tail %q", p.Text, p.Tail)
		return end + ", not alone"
	}
	return end + ", exact"
}

// measureGeminiRule sends by the rule that the figures gave: seen, settled, entered,
// verified, at most one more Enter.
func measureGeminiRule(t *testing.T) {
	a := New(t).Start(CLI{"gemini", "0.61.0"}, Opts{})
	tally := map[string]int{}
	var took times
	for n := 1; n <= 100; n++ {
		calm(a)
		tag := fmt.Sprintf("[#%08x]", n)
		text := [...]string{oneLine(n), threeLines(n), "lead " + tag + ": " + body(n) + " " + tag, "lead: " + strings.Repeat("word ", 90) + tag}[n%4]
		begin := time.Now()
		if n%4 == 2 {
			sign, rest, _ := strings.Cut(text, ": ")
			pasted(a, sign+": ", sign+":")
			pastedToken(a, rest)
		} else {
			pasted(a, text, tag)
		}
		end, _ := enter(a, text, tag, 150*time.Millisecond)
		tally[end]++
		took = append(took, time.Since(begin))
	}
	t.Logf("RESULT gemini rule: %s; paste→answered %v; %s", tallied(tally), took, load())
}

// measureQwenLong sends long texts, Enter when the token is seen.
func measureQwenLong(t *testing.T) {
	a := New(t).Start(CLI{"qwen", "0.24.4"}, Opts{})
	tally := map[string]int{}
	var seen times
	for n := 1; n <= 100; n++ {
		calm(a)
		tag := fmt.Sprintf("[#%08x]", n)
		text := "lead " + tag + ": " + [...]string{body(n), strings.Repeat("word ", 1000) + "end", strings.Repeat(body(n)+"\n", 30) + "end"}[n%3]
		seen = append(seen, pastedToken(a, text))
		end, _ := enter(a, text, tag, 0)
		tally[end]++
	}
	t.Logf("RESULT qwen long: %s; token seen %v; %s", tallied(tally), seen, load())
}

func tallied(m map[string]int) string {
	var out []string
	for what, n := range m {
		out = append(out, fmt.Sprintf("%d %s", n, what))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}
