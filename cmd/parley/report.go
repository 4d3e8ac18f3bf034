package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"parley"
	"parley/courier"
)

// report prints what became of each message and ends with the worst exit code.
func report(asJSON bool, results []result) error {
	worst := 0
	for _, r := range results {
		worst = worse(worst, r.exit())
		switch {
		case r.err != nil:
			sayError(r, asJSON)
		case asJSON:
			printJSON(receiptLine{Receipt: r.receipt, At: stamp(r.receipt.At)})
			say(r.receipt, true)
		default:
			say(r.receipt, false)
		}
	}
	if worst == 0 {
		return nil
	}
	return code(worst)
}

// sayError tells what could not be recorded.
func sayError(r result, asJSON bool) {
	fmt.Fprintf(stderr, "parley: %s: %v\n", r.to, r.err)
	if asJSON {
		printJSON(failed{r.id, r.to, r.err.Error()})
		return
	}
	fmt.Fprintf(stderr, "parley: id=%s outcome= touched= reason=\n", r.id)
}

// lastLine makes a refusal or an error end as every receipt does, for a caller
// that reads no JSON.
func lastLine(asJSON bool, err error) error {
	var c code
	if err == nil || asJSON || errors.As(err, &c) {
		return err
	}
	n := tell(err)
	r, _ := courier.Refused(err)
	fmt.Fprintf(stderr, "parley: id= outcome= touched=none reason=%s\n", r.Reason)
	return code(n)
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
func say(r parley.Receipt, asJSON bool) {
	if !asJSON {
		fmt.Println(sentence(r))
	}
	if r.Outcome == parley.Deferred {
		fmt.Fprintf(stderr, "parley: saved as %s; do not send it again (`parley deliver %s` tries again)\n", r.ID, r.ID.Tag())
	}
	if do := whatToDo(r); do != "" && !asJSON {
		fmt.Fprintln(stderr, "parley:", do)
	}
	if !asJSON {
		fmt.Fprintf(stderr, "parley: id=%s outcome=%s touched=%s reason=%s\n", r.ID, r.Outcome, r.Touched, r.Reason)
	}
}

// whatToDo is the advice for a receipt's reason, with its own id and name.
func whatToDo(r parley.Receipt) string {
	return strings.NewReplacer("deliver ID", "deliver "+r.ID.Tag(), "wait NAME", "wait "+string(r.To), "explain NAME", "explain "+string(r.To),
		"join --as NAME", "join --as "+string(r.To), "--file PATH NAME", "--file PATH "+string(r.To)).Replace(r.Reason.Meaning().Do)
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
