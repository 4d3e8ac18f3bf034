package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley"
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

func namesOf(args []string) ([]parley.Name, error) {
	var out []parley.Name
	for _, s := range args {
		n, err := parley.ParseName(s)
		if err != nil {
			return nil, usage{err}
		}
		out = append(out, n)
	}
	return out, nil
}
