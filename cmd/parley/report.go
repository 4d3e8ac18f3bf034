package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"parley"
	"parley/courier"
)

// report prints what became of each message and ends with the worst exit code.
func (a *app) report(ctx context.Context, asJSON bool, results []result) error {
	worst := 0
	for _, r := range results {
		worst = worse(worst, r.exit())
		switch {
		case r.err != nil:
			a.sayError(r, asJSON)
		case asJSON:
			printJSON(receiptLine{Receipt: r.receipt, At: stamp(r.receipt.At)})
			a.say(ctx, r, true)
		default:
			a.say(ctx, r, false)
		}
	}
	if worst == 0 {
		return nil
	}
	return code(worst)
}

// sayError tells what could not be recorded.
func (a *app) sayError(r result, asJSON bool) {
	fmt.Fprintf(stderr, "parley: %s: %v\n", r.to, a.exact(r.err.Error()))
	f := failed{ID: r.id, To: string(r.to), Error: r.err.Error()}
	var u courier.Unrecorded
	if errors.As(r.err, &u) {
		f.Touched = u.Receipt.Touched
	}
	if refusal, refused := courier.Refused(r.err); refused {
		f.Touched, f.Reason = parley.None, refusal.Reason
	}
	f.print(asJSON)
}

func (r result) exit() int {
	if r.err != nil {
		return 1
	}
	return r.receipt.Outcome.ExitCode()
}

// worse orders exit codes: 5 > 1 > 4 > 3 > 0.
func worse(a, b int) int {
	rank := map[int]int{0: 0, 3: 1, 4: 2, 1: 3, 5: 4}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// say tells a person, and ends with the line that a caller without JSON reads.
func (a *app) say(ctx context.Context, res result, asJSON bool) {
	r := res.receipt
	if !asJSON {
		fmt.Println(sentence(r))
	}
	if r.Outcome == parley.Deferred {
		fmt.Fprintf(stderr, "parley: saved as %s; do not send it again (%s tries again)\n", r.ID, a.exact("`parley deliver "+r.ID.Tag()+"`"))
	}
	if asJSON {
		return
	}
	if do := res.c.Advice(ctx, r, a.ownTeam()); do != "" {
		fmt.Fprintln(stderr, "parley:", a.exact(do))
	}
	fmt.Fprintln(stderr, lastLine(r))
}

// ownTeam is the caller's team, once it is known to be one.
func (a *app) ownTeam() string {
	t, _ := a.teamName()
	return t
}

var ownCommand = regexp.MustCompile("`parley [^`]*`")

// exact gives the commands in a sentence the flags by which this one was
// called: without them they could mean another team or tmux server.
func (a *app) exact(s string) string {
	return ownCommand.ReplaceAllStringFunc(s, func(c string) string {
		if strings.Contains(c, "--help") {
			return c
		}
		for _, f := range [][2]string{{" --tmux-socket ", a.socket}, {" --team ", a.team}} {
			if f[1] != "" && !strings.Contains(c, f[0]) {
				c = "`parley" + f[0] + f[1] + strings.TrimPrefix(c, "`parley")
			}
		}
		return c
	})
}

// sentence is a receipt in words, no stronger than its evidence.
func sentence(r parley.Receipt) string {
	var evidence []string
	for _, e := range r.Evidence {
		evidence = append(evidence, string(e))
	}
	seen := ""
	if len(evidence) > 0 {
		seen = " (" + strings.Join(evidence, ", ") + ")"
	}
	s := fmt.Sprintf("%s: %s%s", r.To, r.Outcome, seen)
	if m := r.Reason.Meaning(); m.Means != "" {
		s += ", because " + m.Means
	}
	if r.Altered {
		var c []string
		for _, x := range r.Changes {
			c = append(c, string(x))
		}
		s += "; the text was altered: " + strings.Join(c, ", ")
	}
	return s
}

func printJSON(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		fmt.Fprintln(stderr, "parley:", err)
		return
	}
	fmt.Println(string(b))
}

// progress tells a person at a terminal what a wait is for; nobody else.
func progress(quiet bool) func(courier.Waiting) {
	if quiet || !term.IsTerminal(int(stderr.Fd())) {
		return func(courier.Waiting) {}
	}
	var mu sync.Mutex
	last := ""
	return func(w courier.Waiting) {
		mu.Lock()
		defer mu.Unlock()
		line := fmt.Sprintf("parley: waiting for %s: %s (%ds of %ds)", w.For, w.Why.Meaning().Means,
			int(time.Since(w.Since).Seconds()), int(w.Until.Sub(w.Since).Seconds()))
		if line != last {
			fmt.Fprintln(stderr, line)
			last = line
		}
	}
}
