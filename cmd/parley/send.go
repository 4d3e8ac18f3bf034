package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

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
input box as "NAME: TEXT [#tag]", and reports what was proven.

Nothing is typed into a draft, a dialog, a menu or a shell. Then the message is
deferred (exit 3): it is saved, do not send it again.`,
		Example: `  parley send backend "please rebase onto main"
  git log -1 | parley send reviewer -
  parley send a,b "stand-up in five minutes" --json
  parley send --mailbox lead "no hurry: notes are in docs/notes.md"
  parley send --file plan.md backend "the plan, please read it"`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: a.completeNames,
		RunE:              func(c *cobra.Command, args []string) error { return a.send(c.Context(), f, args) },
	}
	fl := c.Flags()
	fl.StringVar(&f.from, "from", "", "who speaks, where that cannot be proven (marked as claimed)")
	fl.BoolVar(&f.mailbox, "mailbox", false, "only save: nothing is typed")
	fl.DurationVar(&f.wait, "wait", time.Minute, "how long to wait for a draft, a dialog or a lock to clear; 0 looks once")
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
	to, err := parseNames(args[0])
	if err != nil {
		return err
	}
	body, err := f.body(args[1:])
	if err != nil {
		return err
	}
	c, err := a.open(progress(f.json))
	if err != nil {
		return err
	}
	from, claimed, err := a.speaker(ctx, c, f.from)
	if err != nil {
		return err
	}
	d := courier.Draft{From: from, Claimed: claimed, Body: body, Key: f.key, Mailbox: f.mailbox}
	if f.when == "idle" {
		d.When = f.when
	}
	messages, err := postAll(ctx, c, d, to)
	if err != nil {
		return err
	}
	return report(f.json, deliverAll(ctx, c, messages, f.wait))
}

// postAll saves the message for every recipient, or for none if one of them is
// refused.
func postAll(ctx context.Context, c *courier.Courier, d courier.Draft, to []parley.Name) ([]parley.Message, error) {
	for _, n := range to {
		d.To = n
		if err := c.Check(ctx, d); err != nil {
			return nil, err
		}
	}
	var out []parley.Message
	for _, n := range to {
		d.To = n
		m, _, err := c.Post(ctx, d)
		if err != nil {
			return out, err
		}
		out = append(out, m)
	}
	return out, nil
}

// result is what became of one recipient's message.
type result struct {
	receipt parley.Receipt
	err     error
}

// deliverAll carries each message; one recipient never waits for another.
func deliverAll(ctx context.Context, c *courier.Courier, ms []parley.Message, wait time.Duration) []result {
	out := make([]result, len(ms))
	var wg sync.WaitGroup
	for i, m := range ms {
		wg.Go(func() {
			out[i].receipt, out[i].err = c.Deliver(ctx, m.To, m.ID, courier.Patience{Wait: wait})
		})
	}
	wg.Wait()
	return out
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

func textOf(args []string, optional bool) (string, error) {
	switch {
	case len(args) == 1 && args[0] == "-",
		len(args) == 0 && !optional && !term.IsTerminal(int(os.Stdin.Fd())):
		b, err := io.ReadAll(io.LimitReader(os.Stdin, 16<<20))
		if err != nil {
			return "", fmt.Errorf("read standard input: %w", err)
		}
		return strings.TrimSuffix(string(b), "\n"), nil
	case len(args) == 0 && !optional:
		return "", usagef("no message: give TEXT, or - to read standard input")
	}
	return strings.Join(args, " "), nil
}

// parseNames reads TO[,TO...]; a name given twice counts once.
func parseNames(list string) ([]parley.Name, error) {
	var out []parley.Name
	seen := map[parley.Name]bool{}
	for _, s := range strings.Split(list, ",") {
		n, err := parley.ParseName(strings.TrimSpace(s))
		if err != nil {
			return nil, usage{err}
		}
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out, nil
}
