package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

var stderr = os.Stderr

// completeNames completes names of agents, also behind commas.
func (a *app) completeNames(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	const how = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 {
		return nil, how
	}
	co, err := a.open(nil)
	if err != nil {
		return nil, how
	}
	head := to[:strings.LastIndex(to, ",")+1]
	var out []string
	for _, n := range co.Names(c.Context()) {
		if strings.HasPrefix(string(n), strings.ToLower(strings.TrimPrefix(to[len(head):], "@"))) {
			out = append(out, head+string(n))
		}
	}
	return out, how
}
