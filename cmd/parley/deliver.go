package main

import (
	"time"

	"github.com/spf13/cobra"

	"parley"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.open(progress(asJSON))
			if err != nil {
				return err
			}
			e, err := c.FindAnywhere(args[0])
			if err != nil {
				return err
			}
			return report(asJSON, deliverAll(cmd.Context(), c, []parley.Message{e.Message}, wait))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the receipt as one JSON object")
	c.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for a draft, a dialog or a lock to clear; 0 looks once")
	return c
}
