package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
)

// waiting is one call of wait.
type waiting struct {
	what, after string
	json        bool
	patience    courier.Patience
}

func waitCmd(a *app) *cobra.Command {
	var w waiting
	c := &cobra.Command{
		Use:   "wait ID|NAME",
		Short: "wait for a message's end, or for what an agent does",
		Long: `With a message's id or tag: waits until it has its end, and exits as send would.
With a name: waits until the agent is idle or asking, or until a message is in its
inbox. Nothing is typed. Exit 6 if the time runs out; --timeout 0 is one look.

--for message waits until there is an unread message, and prints the oldest. Only
the recipient's own "parley inbox" marks it as read; with --after ID anybody can
wait for the first message behind that one, read or not, and so follow an inbox.`,
		Example: `  parley wait 7k3m9x2p
  parley wait backend --for idle --timeout 10m
  parley wait lead --for message
  parley wait lead --for message --after 7k3m9x2p`,
		Args:              cobra.ExactArgs(1),
		Annotations:       map[string]string{receipts: "one, of an ID"},
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case !cmd.Flags().Changed("timeout"):
				w.patience.Wait = courier.Forever
			case w.patience.Wait < 0:
				return usagef("--timeout cannot be negative")
			}
			if w.after != "" && w.what != "message" {
				return usagef("--after goes with --for message")
			}
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			return a.wait(cmd.Context(), c, args[0], w)
		},
	}
	f := c.Flags()
	f.StringVar(&w.what, "for", "", "idle, asking or message (of a NAME); end (of an ID)")
	f.StringVar(&w.after, "after", "", "with --for message: the first one behind the message with this id or tag")
	f.DurationVar(&w.patience.Wait, "timeout", 0, "give up after this long; 0: one look (default: never)")
	f.BoolVar(&w.json, "json", false, "what came of it as one JSON object")
	_ = c.RegisterFlagCompletionFunc("for", cobra.FixedCompletions([]string{"idle", "asking", "message", "end"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) wait(ctx context.Context, c *courier.Courier, arg string, w waiting) error {
	switch w.what {
	case "idle", "asking":
		return a.waitTurn(ctx, c, arg, w)
	case "message":
		return a.waitMessage(ctx, c, arg, w)
	case "", "end":
		return a.waitEnd(ctx, c, arg, w)
	}
	return usagef("--for is idle, asking, message or end, not %q", w.what)
}

func (a *app) waitEnd(ctx context.Context, own *courier.Courier, arg string, w waiting) error {
	c, e, err := a.find(own, arg, nil)
	if err != nil {
		if _, refused := courier.Refused(err); w.what == "" && refused {
			err = usagef("%w; of an agent say what to wait for: --for idle, asking or message", err)
		}
		return err
	}
	r, ok, err := c.AwaitEnd(ctx, e.Message.To, e.Message.ID, w.patience)
	if ok {
		return a.report(ctx, w.json, []result{{c: c, receipt: r}})
	}
	err = notInTime(ctx, arg, err)
	if _, said := err.(code); said && !w.json { // how it stands
		r.ID = e.Message.ID
		if r.Touched == "" {
			r.Touched = parley.None
		}
		fmt.Fprintln(stderr, lastLine(r))
	}
	return err
}

func (a *app) waitTurn(ctx context.Context, c *courier.Courier, arg string, w waiting) error {
	p, err := a.place(ctx, c, arg, nil)
	if err != nil {
		return err
	}
	s, ok, err := p.c.AwaitTurn(ctx, p.name, w.what, w.patience)
	switch {
	case !ok:
		return notInTime(ctx, arg, err)
	case w.json:
		printJSON(s)
	default:
		fmt.Printf("%s is %s\n", p.name, s.Turn)
	}
	return nil
}

func (a *app) waitMessage(ctx context.Context, c *courier.Courier, arg string, w waiting) error {
	v, err := a.whose(ctx, c, []string{arg})
	if err != nil {
		return err
	}
	v.warnOfStranger(ctx)
	after, err := v.behind(w.after)
	if err != nil {
		return err
	}
	e, ok, err := v.c.AwaitMessage(ctx, v.name, after, w.patience)
	if ok && !v.mine && after == "" {
		fmt.Fprintf(stderr, "parley: only %s marks it as read; `--after %s` waits for the next one\n", v.name, e.Message.ID.Tag())
	}
	switch {
	case !ok:
		return notInTime(ctx, arg, err)
	case w.json:
		printJSON(lineOf(e))
	default:
		fmt.Println(lineText(e))
	}
	return nil
}

// notInTime ends a wait without what was waited for: an error, or somebody
// stopped it, or its time is over.
func notInTime(ctx context.Context, what string, err error) error {
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "parley: stopped while waiting for %s\n", what)
		return code(1)
	case err != nil:
		return err
	}
	fmt.Fprintf(stderr, "parley: the time ran out while waiting for %s\n", what)
	return code(6)
}
