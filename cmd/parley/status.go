package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
)

func statusCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status [NAME...]",
		Short: "who is there, and what each is doing",
		Long: `Looks at every agent that joined and every tmux session with one agent in it.
A name whose agent was started anew is taken up again. Nothing is typed.`,
		Example:           "  parley status\n  parley status backend --json",
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			all, err := a.statuses(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			if asJSON {
				for _, s := range all {
					printJSON(s)
				}
				return nil
			}
			if len(args) == 0 {
				defer a.tellStrays(cmd.Context(), c)
			}
			if len(all) == 0 {
				fmt.Println("nobody yet: start an agent in a tmux session of its own (tmux new -s backend claude), or `parley join` one")
				return nil
			}
			w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tCLI\tTURN\tBOX\tWAITING\tUNREAD\tHEALTH")
			for _, s := range all {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", s.Name, strings.TrimSpace(s.CLI+" "+s.Version), s.Turn, s.Composer, s.Waiting, s.Unread, s.Health)
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each agent")
	return c
}

// tellStrays names the agents that stand there and have no name.
func (a *app) tellStrays(ctx context.Context, c *courier.Courier) {
	all, err := c.Strays(ctx)
	if err != nil {
		fmt.Fprintln(stderr, "parley:", err)
	}
	for _, s := range all {
		fmt.Fprintf(stderr, "parley: a %s in pane %s has no name, because %s: %s\n", s.CLI, s.Pane, s.Why,
			a.exact("`parley join --as "+s.May+" --pane "+s.Pane+"`"))
	}
}

// statuses looks at the named agents, or at all of the caller's team.
func (a *app) statuses(ctx context.Context, own *courier.Courier, args []string) ([]courier.Status, error) {
	if len(args) == 0 {
		return own.Status(ctx, nil)
	}
	var out []courier.Status
	for _, s := range args {
		p, err := a.place(ctx, own, s, nil)
		if err != nil {
			return out, err
		}
		one, err := p.c.Status(ctx, []parley.Name{p.name})
		if err != nil {
			return out, err
		}
		out = append(out, one...)
	}
	return out, nil
}
