package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
)

// listed is what `dialect list --json` prints of one dialect.
type listed struct {
	CLI       string   `json:"cli"`
	Name      string   `json:"name"`
	Status    string   `json:"status"` // proven or unproven
	Tested    []string `json:"tested"`
	Consent   bool     `json:"consent"`   // unproven, and the config lets parley type by it
	Installed string   `json:"installed"` // its program on this machine; "" if none is found
	File      string   `json:"file"`
	Replaces  string   `json:"replaces"` // the file in whose place it is read; "" if none
}

func (a *app) listed(d *dialect.Dialect, here map[string]string) listed {
	return listed{CLI: d.CLI, Name: d.Name, Status: d.Status, Tested: append([]string{}, d.Tested...),
		Consent: !d.Proven() && slices.Contains(a.conf.Unproven, d.CLI), Installed: here[d.CLI], File: d.File, Replaces: d.Replaces}
}

func dialectListCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "every dialect: proven on which versions, whose file, installed here or not",
		Long: `Lists the dialects that parley brings along and yours. One of yours for the same CLI
is read in the place of ours. An unproven one is typed by only where the config lists
its CLI under "unproven". Exit 1 if a file has a mistake (until it is mended, every
verb that needs dialects refuses).`,
		Example: "  parley dialect list\n  parley dialect list --json | jq -r 'select(.installed != \"\").cli'",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := a.read(); err != nil {
				return err
			}
			set, wrong := dialects()
			here := installed(set)
			var all []listed
			for _, name := range set.Names() {
				d, _ := set.CLI(name)
				all = append(all, a.listed(d, here))
			}
			if err := list(all, asJSON); err != nil {
				return err
			}
			for _, err := range wrong {
				fmt.Fprintln(stderr, "parley:", err)
			}
			if len(wrong) > 0 {
				return code(1)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each dialect")
	return c
}

func list(all []listed, asJSON bool) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	if !asJSON {
		fmt.Fprintln(w, "CLI\tNAME\tSTATUS\tTESTED\tINSTALLED\tFILE")
	}
	for _, l := range all {
		if asJSON {
			printJSON(l)
			continue
		}
		status, file, here := l.Status, l.File, l.Installed
		if l.Consent {
			status += " (you consent)"
		}
		if l.Replaces != "" {
			file += " (in the place of " + l.Replaces + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", l.CLI, l.Name, status, dash(strings.Join(l.Tested, " ")), dash(here), file)
	}
	return w.Flush()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func joined(s []string) string { return strings.Join(s, ", ") }
