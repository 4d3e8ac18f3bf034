package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"parley/courier"
)

func waitCmd(a *app) *cobra.Command {
	var what string
	var timeout time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "wait ID|NAME",
		Short: "wait for a message's end, or for what an agent does",
		Long: `With a message's id or tag: waits until it has its end, and exits as send would.
With a name: waits until the agent is idle or asking, or until a message comes
into its inbox. Nothing is typed. Exit 6 if the time runs out.`,
		Example: `  parley wait 7k3m9x2p
  parley wait backend --for idle --timeout 10m
  parley wait lead --for message`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			if timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, timeout)
				defer cancel()
			}
			return a.wait(ctx, c, args[0], what, asJSON)
		},
	}
	c.Flags().StringVar(&what, "for", "", "idle, asking or message (of a NAME); end (of an ID)")
	c.Flags().DurationVar(&timeout, "timeout", 0, "give up after this long (default: never)")
	c.Flags().BoolVar(&asJSON, "json", false, "what came of it as one JSON object")
	_ = c.RegisterFlagCompletionFunc("for", cobra.FixedCompletions([]string{"idle", "asking", "message", "end"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) wait(ctx context.Context, c *courier.Courier, arg, what string, asJSON bool) error {
	switch what {
	case "idle", "asking":
		return a.waitTurn(ctx, c, arg, what, asJSON)
	case "message":
		return a.waitMessage(ctx, c, arg, asJSON)
	case "", "end":
		c, e, err := a.find(c, arg, nil)
		if err != nil {
			if _, refused := courier.Refused(err); what == "" && refused {
				err = usagef("%w; of an agent say what to wait for: --for idle, asking or message", err)
			}
			return err
		}
		r, ok, err := c.AwaitEnd(ctx, e.Message.To, e.Message.ID)
		if err != nil {
			return err
		}
		if !ok {
			return runOut(ctx, arg)
		}
		return report(asJSON, []result{{receipt: r}})
	}
	return usagef("--for is idle, asking, message or end, not %q", what)
}

func (a *app) waitTurn(ctx context.Context, c *courier.Courier, arg, what string, asJSON bool) error {
	p, err := a.place(ctx, c, arg, nil)
	if err != nil {
		return err
	}
	s, ok, err := p.c.AwaitTurn(ctx, p.name, what)
	if err != nil {
		return err
	}
	if !ok {
		return runOut(ctx, arg)
	}
	if asJSON {
		printJSON(s)
	} else {
		fmt.Printf("%s is %s\n", p.name, s.Turn)
	}
	return nil
}

func (a *app) waitMessage(ctx context.Context, c *courier.Courier, arg string, asJSON bool) error {
	p, err := a.place(ctx, c, arg, nil)
	if err != nil {
		return err
	}
	e, ok, err := p.c.AwaitMessage(ctx, p.name)
	if err != nil {
		return err
	}
	if !ok {
		return runOut(ctx, arg)
	}
	if asJSON {
		printJSON(lineOf(e))
	} else {
		fmt.Println(lineText(e))
	}
	return nil
}

// runOut ends a wait: its time is over, or somebody stopped it.
func runOut(ctx context.Context, what string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		fmt.Fprintf(stderr, "parley: stopped while waiting for %s\n", what)
		return code(1)
	}
	fmt.Fprintf(stderr, "parley: the time ran out while waiting for %s\n", what)
	return code(6)
}
