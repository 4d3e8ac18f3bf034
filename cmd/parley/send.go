package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
)

// sendFlags are the flags of send; its walk is in courier.
type sendFlags struct {
	from, when, key, file string
	mailbox, json         bool
	wait                  time.Duration
}

func sendCmd(a *app) *cobra.Command {
	var f sendFlags
	c := &cobra.Command{
		Use:   "send TO[,TO...] [TEXT | -]",
		Short: "type a message into an agent's input box, once",
		Long: `Saves the message in the recipient's inbox, then types it into the agent's own
input box as "NAME: TEXT [#tag]", and reports what was proven. TO is a name, or
name@team for an agent of another team, which reads "NAME of TEAM: TEXT [#tag]".

Standard input is the message for -, or where there is no TEXT; beside TEXT it is
not read.

Nothing is typed into a draft, a dialog, a menu or a shell. Then the message is
deferred (exit 3): it is saved, do not send it again.

Exit 0: submitted, queued or saved. 3: deferred, nothing typed. 4: gone, the agent
is not there. 5: unknown, typed but not proven: do not send it again. 2: refused,
nothing saved. 1: an error.`,
		Example: `  parley send backend "please rebase onto main"
  git log -1 | parley send reviewer -
  parley send a,b "stand-up in five minutes" --json
  parley send --mailbox lead "no hurry: notes are in docs/notes.md"
  parley send --file plan.md backend "the plan, please read it"`,
		Args:              cobra.MinimumNArgs(1),
		Annotations:       map[string]string{receipts: "one for each recipient"},
		ValidArgsFunction: a.completeNames,
		RunE: func(c *cobra.Command, args []string) error {
			return a.send(c.Context(), f, args)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.from, "from", "", "who speaks, where that cannot be proven (marked as claimed)")
	fl.BoolVar(&f.mailbox, "mailbox", false, "only save: nothing is typed")
	fl.DurationVar(&f.wait, "wait", time.Minute, "how long to wait for a draft, a dialog, a lock; 0: one look")
	fl.StringVar(&f.when, "when", "now", "now, or idle: do not type while the agent works")
	fl.StringVar(&f.key, "key", "", "the same key to the same recipient is the same message")
	fl.StringVar(&f.file, "file", "", "type a short poke that names this file")
	fl.BoolVar(&f.json, "json", false, "one JSON object for each recipient on stdout")
	_ = c.RegisterFlagCompletionFunc("when", cobra.FixedCompletions([]string{"now", "idle"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) send(ctx context.Context, f sendFlags, args []string) error {
	if f.when != "now" && f.when != "idle" {
		return usagef("--when is now or idle, not %q", f.when)
	}
	if f.wait < 0 {
		return usagef("--wait cannot be negative")
	}
	body, err := f.body(args[1:])
	if err != nil {
		return err
	}
	c, err := a.open(progress(f.json))
	if err != nil {
		return err
	}
	to, err := a.places(ctx, c, args[0], progress(f.json))
	if err != nil {
		return err
	}
	who, err := a.speaker(ctx, c, f.from)
	if err != nil {
		return err
	}
	d := courier.Draft{From: who.name, Claimed: who.claimed, Agent: who.agent, Body: body, Key: f.key, Mailbox: f.mailbox}
	if f.when == "idle" {
		d.When = f.when
	}
	results, err := a.postAll(ctx, d, to)
	if err != nil {
		return err
	}
	carryAll(ctx, results, f.wait)
	if !readsInput(args[1:], f.file != "") && inputLeft() {
		fmt.Fprintln(stderr, "parley: what stands on standard input is not in the message: TEXT is all of it (- in its place sends what is piped)")
	}
	return a.report(ctx, f.json, results)
}

// places reads TO[,TO...]; a name given twice counts once.
func (a *app) places(ctx context.Context, own *courier.Courier, list string, notice func(courier.Waiting)) ([]place, error) {
	var out []place
	for s := range strings.SplitSeq(list, ",") {
		p, err := a.place(ctx, own, s, notice)
		if err != nil {
			return nil, refusedFor{written(s), err}
		}
		if !slices.ContainsFunc(out, func(q place) bool { return q.name == p.name && q.team == p.team }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// postAll saves the message for every recipient, or for none if one of them is
// refused. What cannot be saved is told beside what was.
func (a *app) postAll(ctx context.Context, d courier.Draft, to []place) ([]result, error) {
	mine, err := a.teamName()
	if err != nil {
		return nil, err
	}
	drafts := make([]courier.Draft, len(to))
	for i, p := range to {
		drafts[i] = d
		drafts[i].To = p.name
		if p.team != "" { // there, the bare name would be somebody else's
			drafts[i].From = parley.Name(string(d.From) + "@" + mine)
		}
		if err := p.c.Check(ctx, drafts[i]); err != nil {
			return nil, about(p, err)
		}
	}
	var out []result
	for i, p := range to {
		r := result{c: p.c, to: p.name}
		var m parley.Message
		m, _, r.err = p.c.Post(ctx, drafts[i])
		if _, refused := courier.Refused(r.err); refused && i == 0 {
			return nil, about(p, r.err) // something has come between check and post
		}
		if r.err == nil {
			r.id = m.ID
		}
		out = append(out, r)
	}
	return out, nil
}

// about says of which recipient a refusal is, unless it is of the text.
func about(p place, err error) error {
	if r, refused := courier.Refused(err); refused && (r.Reason == "" || r.Reason == parley.ReasonTooLong) {
		return err
	}
	return refusedFor{p.as, err}
}

// result is what became of one recipient's message.
type result struct {
	c       *courier.Courier
	to      parley.Name
	id      parley.ID // "" if it could not be saved
	receipt parley.Receipt
	err     error
}

// carryAll carries each message that was saved; one recipient never waits for
// another.
func carryAll(ctx context.Context, rs []result, wait time.Duration) {
	var wg sync.WaitGroup
	for i := range rs {
		if r := &rs[i]; r.err == nil {
			wg.Go(func() { r.receipt, r.err = r.c.Deliver(ctx, r.to, r.id, courier.Patience{Wait: wait}) })
		}
	}
	wg.Wait()
}

// body is the text to send: the arguments, or standard input, or a poke that
// names a file.
func (f sendFlags) body(args []string) (string, error) {
	text, err := textOf(args, f.file != "")
	if err != nil || f.file == "" {
		return text, err
	}
	path, err := filepath.Abs(f.file)
	if err != nil {
		return "", usage{err}
	}
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", usagef("--file %s: not a file that can be read", f.file)
	}
	if text == "" {
		text = "please read this file"
	}
	return fmt.Sprintf("%s: %s", strings.TrimRight(text, " \n"), path), nil
}
