package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
)

func deliverCmd(a *app) *cobra.Command {
	var asJSON bool
	var wait time.Duration
	c := &cobra.Command{
		Use:   "deliver ID",
		Short: "try a deferred message again",
		Long: `Tries a deferred message again, after every older one to the same agent. ID is
the message's id or its tag. A message that has its end only gives its receipt.`,
		Example: "  parley deliver 7k3m9x2p",
		Args:    cobra.ExactArgs(1),

		Annotations: map[string]string{receipts: "one"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.deliver(cmd.Context(), args[0], wait, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the receipt as one JSON object")
	c.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for a draft, a dialog, a lock; 0: one look")
	return c
}

func (a *app) deliver(ctx context.Context, id string, wait time.Duration, asJSON bool) error {
	if wait < 0 {
		return usagef("--wait cannot be negative")
	}
	own, err := a.open(progress(asJSON))
	if err != nil {
		return err
	}
	c, e, err := a.find(own, id, progress(asJSON))
	if err != nil {
		return err
	}
	results := []result{{c: c, to: e.Message.To, id: e.Message.ID}}
	carryAll(ctx, results, wait)
	return a.report(ctx, asJSON, results)
}
