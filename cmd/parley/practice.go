package main

import (
	"os"

	"github.com/spf13/cobra"

	"parley/internal/practice"
)

func practiceCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "practice",
		Short: "the bundled practice agent, for demos and first steps",
		Long: `A small terminal program with an input box. It answers every prompt with
"You said: ...", and takes /work SECONDS, /ask, /draft TEXT, /menu and /quit.`,
		Example:            "  tmux new-session -s buddy parley practice\n  parley send buddy hello",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := practice.Main(cmd.Context(), args, os.Stdin, os.Stdout); n != 0 {
				return code(n)
			}
			return nil
		},
	}
}
