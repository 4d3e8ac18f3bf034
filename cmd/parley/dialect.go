package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
)

func dialectCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "dialect",
		Short: "the files by which parley reads each CLI, and how to teach it a new one",
		Long: `A dialect is a TOML file that says how one CLI is recognised, where its input box
stands and what its dialogs, menus and spinners look like. parley brings some
along; yours lie in ~/.config/parley/dialects ($XDG_CONFIG_HOME) and add to them or
take their place. docs/DIALECTS.md leads from an unknown CLI to a working dialect.`,
		Example: `  parley dialect list
  parley dialect new mycli --pane %3
  parley dialect capture %3 idle --out frames
  parley dialect check mycli
  parley dialect test frames --cli mycli`,
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownVerb(c, args[0])
	}
	c.SuggestionsMinimumDistance = 2
	c.AddCommand(dialectListCmd(a), dialectShowCmd(a), dialectCheckCmd(a), dialectNewCmd(a), dialectCaptureCmd(a), dialectTryCmd(a))
	return c
}

// dialects are all that can be loaded: a mistake in one file does not keep
// people from looking at the others.
func dialects() (dialect.Set, []error) { return dialect.Survey(dialectDir()) }

// named is one of them by name; a file with a mistake is said to be one.
func named(name string) (*dialect.Dialect, error) {
	set, wrong := dialects()
	if d, ok := set.CLI(name); ok {
		return d, nil
	}
	if len(wrong) > 0 {
		return nil, usagef("no dialect for %q (known: %s), and a file with a mistake: %w", name, joined(set.Names()), wrong[0])
	}
	return nil, usagef("no dialect for %q (known: %s)", name, joined(set.Names()))
}

// completeDialects completes names of dialects.
func completeDialects(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	set, _ := dialects()
	return slices.DeleteFunc(set.Names(), func(n string) bool { return slices.Contains(args, n) }), cobra.ShellCompDirectiveNoFileComp
}

// completeOne is completeDialects for the first argument alone.
func completeOne(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeDialects(c, args, to)
}

func dialectShowCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "show NAME",
		Short:             "print a dialect's file, and where it comes from",
		Long:              "Prints the TOML of a dialect as it is read, yours in the place of ours where both\nexist. The first line says where it comes from.",
		Example:           "  parley dialect show codex\n  parley dialect show codex --json | jq -r .file",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeOne,
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := named(args[0])
			if err != nil {
				return err
			}
			set, _ := dialects()
			if asJSON {
				printJSON(struct {
					listed
					TOML string `json:"toml"`
				}{a.listed(d, installed(set)), string(d.Source())})
				return nil
			}
			fmt.Printf("# %s\n", from(d))
			_, err = os.Stdout.Write(d.Source())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object, with the text as \"toml\"")
	return c
}

// from is where a dialect was read from, and whose place it takes.
func from(d *dialect.Dialect) string {
	if d.Replaces != "" {
		return d.File + " (in the place of " + d.Replaces + ")"
	}
	return d.File
}
