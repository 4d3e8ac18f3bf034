package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
	"parley/internal/roster"
	"parley/internal/term"
	"parley/internal/term/tmux"
)

func joinCmd(a *app) *cobra.Command {
	var j courier.Enrolment
	var as string
	var asJSON bool
	c := &cobra.Command{
		Use:   "join",
		Short: "give the agent in a pane a name",
		Long: `Enrols the agent that runs in a pane. Not needed for an agent that is alone in a
tmux session: the session's name is its name.

Without --pane this must run inside the agent, or in its pane.`,
		Example: "  parley join --as backend --pane %3\n  parley join --as reviewer --purpose \"reads every diff\"",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			if as != "" {
				if j.Name, err = parley.ParseName(as); err != nil {
					return usage{err}
				}
				if a.isPerson(j.Name) {
					return courier.Refusal{Reason: parley.ReasonNameTaken, Say: fmt.Sprintf("%s is the person: give the agent another name", j.Name)}
				}
			}
			if j.Target, err = a.pane(cmd.Context(), c, j.Target.Pane); err != nil {
				return err
			}
			m, err := c.Join(cmd.Context(), j)
			if err != nil {
				return err
			}
			if asJSON {
				printJSON(memberLine{m, stamp(m.At)})
			} else {
				fmt.Printf("%s is the %s in pane %s\n", m.Name, m.CLI, m.Target.Pane)
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&as, "as", "", "the name (default: that of the pane's tmux session)")
	f.StringVar(&j.Target.Pane, "pane", "", "the pane, as %N (default: the one this runs in)")
	f.StringVar(&j.CLI, "cli", "", "which CLI it must be (default: as recognised)")
	f.StringVar(&j.Purpose, "purpose", "", "what the agent is for")
	f.BoolVar(&asJSON, "json", false, "the roster's line as one JSON object")
	return c
}

// pane is the target of a pane's number, or of the pane from which this
// process descends: $TMUX_PANE alone is believed by nobody.
func (a *app) pane(ctx context.Context, c *courier.Courier, pane string) (term.Target, error) {
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return term.Target{}, usage{err}
	}
	if pane == "" {
		t, ok, err := c.PaneAbove(ctx, socket)
		if err != nil {
			return t, err
		}
		if !ok {
			return t, usagef("this does not run in a tmux pane: name one with --pane %%N (`tmux list-panes -a` lists them)")
		}
		return t, nil
	}
	if !tmux.ValidPane(pane) {
		return term.Target{}, usagef("--pane is a pane's id such as %%3, not %q: names and indexes can hit another pane", pane)
	}
	return term.Target{Driver: "tmux", Socket: socket, Pane: pane}, nil
}

func leaveCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "leave NAME",
		Short: "forget a name; its inbox stays",
		Long: `Takes a name off the roster. Its inbox stays, and nothing more is typed for it: what
is sent to it is refused, what waits is not carried. Its process stays without the
name, also where that is its tmux session's, until "parley join" gives it one. Another
process of that name is found as ever.`,
		Example:           "  parley leave backend",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			p, err := a.place(cmd.Context(), c, args[0], nil)
			if err != nil {
				return err
			}
			m, err := p.c.Leave(cmd.Context(), p.name)
			if err != nil {
				return err
			}
			if asJSON {
				printJSON(memberLine{m, stamp(m.At)})
			} else {
				fmt.Printf("%s has left\n", p.name)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the roster's line as one JSON object")
	return c
}

// memberLine is a roster's line as `join --json` prints it.
type memberLine struct {
	roster.Member
	At stamp `json:"at"`
}
