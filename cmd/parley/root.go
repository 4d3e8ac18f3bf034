package main

import (
	"strings"

	"github.com/spf13/cobra"
)

const long = `parley lets interactive AI agents in terminals (Claude Code, Codex, Pi, ...) send
each other messages. It types into the real program's own input box as a careful
person would, proves what it can, and says honestly what it cannot.

Nothing is typed into a dialog, a menu, a shell, or a box that holds somebody's
draft: then the message is saved and deferred. A message is never typed twice.`

// root builds the command tree. Every verb opens its own app, so that a verb
// that needs no state (version, explain --frame) touches none.
func root(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "parley",
		Short: "messages between AI agents that live in terminals",
		Long:  long,
		Example: `  parley send backend "the API changed, see docs/api.md"   type a message to an agent
  git diff | parley send reviewer -                        the body from a pipe
  parley status                                            who is there, and what they do
  parley inbox                                             what was said to me`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if strings.Contains(err.Error(), "duration") {
			return usagef("%w: write 90s, 5m or 0 (see `%s --help`)", err, c.CommandPath())
		}
		return usagef("%w (see `%s --help`)", err, c.CommandPath())
	})
	f := cmd.PersistentFlags()
	f.StringVar(&a.team, "team", "", "team (default $PARLEY_TEAM, parley.toml, main)")
	f.StringVar(&a.socket, "tmux-socket", "", "tmux server, a name or a path (default that of $TMUX)")
	cmd.Args = cobra.ArbitraryArgs
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return unknownVerb(c, args[0])
	}
	cmd.AddCommand(sendCmd(a), deliverCmd(a), inboxCmd(a), logCmd(a), waitCmd(a), joinCmd(a), leaveCmd(a),
		statusCmd(a), explainCmd(a), dialectCmd(a), doctorCmd(a), practiceCmd(), versionCmd())
	cmd.InitDefaultCompletionCmd()
	for _, c := range cmd.Commands() {
		c.Args = usageArgs(c.Args)
		for _, sub := range c.Commands() {
			sub.Args = usageArgs(sub.Args)
		}
		if c.Name() == "completion" {
			c.Short = "completion of verbs and of agents' names, for your shell"
			c.Example = "  source <(parley completion bash)\n  parley completion zsh > \"${fpath[1]}/_parley\"\n  parley completion fish > ~/.config/fish/completions/parley.fish"
		}
	}
	return cmd
}

func unknownVerb(c *cobra.Command, verb string) error {
	if near := c.SuggestionsFor(verb); len(near) > 0 {
		return usagef("no verb %q: did you mean %s?", verb, strings.Join(near, " or "))
	}
	return usagef("no verb %q: `parley help` lists them", verb)
}

// usageArgs makes a wrong number of arguments a usage error (exit 2).
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(c, args); err != nil {
			return usagef("usage: %s (examples: `%s --help`)", strings.TrimSuffix(c.UseLine(), " [flags]"), c.CommandPath())
		}
		return nil
	}
}
