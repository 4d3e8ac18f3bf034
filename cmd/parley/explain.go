package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/dialect"
	"parley/internal/screen"
)

// explained is what `explain --json` prints.
type explained struct {
	CLI      string           `json:"cli"`
	Version  string           `json:"version,omitempty"`
	Composer dialect.Composer `json:"composer"`
	Draft    string           `json:"draft"`
	Turn     dialect.Turn     `json:"turn"`
	MayType  bool             `json:"may_type"`
	Reason   parley.Reason    `json:"reason"`
	Rule     string           `json:"rule"`
}

func explainCmd(a *app) *cobra.Command {
	var frame, meta, cli string
	var asJSON bool
	c := &cobra.Command{
		Use:   "explain NAME | --frame FILE --cli CLI",
		Short: "what parley sees on a screen, and why it would or would not type",
		Long: `Reads an agent's screen now, or a saved one, through the same code as send. It
draws the screen with what each row was taken for (composer, draft, ghost, status,
footer, dialog), and says in one sentence whether parley would type, and by which
rule of which file. What stands in no part is not looked at.

A frame is the output of tmux capture-pane -e -p; its
meta file (default: the .json beside it) holds cols, rows, cursor_x, cursor_y,
cursor_visible, alternate_on, pane_title, pane_current_command and, where known,
version. Exit 0 whatever the reading says.`,
		Example:           "  parley explain backend\n  parley explain --frame idle.ansi --cli codex --json",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case frame != "" && cli != "" && len(args) == 0:
				return explainFrame(frame, meta, cli, asJSON)
			case frame == "" && len(args) == 1:
				return a.explainLive(cmd, args[0], asJSON)
			}
			return usagef("give a NAME, or --frame FILE with --cli CLI")
		},
	}
	c.Flags().StringVar(&frame, "frame", "", "a saved screen")
	c.Flags().StringVar(&meta, "meta", "", "its meta file")
	c.Flags().StringVar(&cli, "cli", "", "whose screen it is")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	_ = c.RegisterFlagCompletionFunc("cli", completeDialects)
	return c
}

func (a *app) explainLive(cmd *cobra.Command, arg string, asJSON bool) error {
	c, err := a.open(nil)
	if err != nil {
		return err
	}
	p, err := a.place(cmd.Context(), c, arg, nil)
	if err != nil {
		return err
	}
	l, err := p.c.Look(cmd.Context(), p.name)
	if err != nil {
		return err
	}
	e := explained{CLI: l.CLI, Version: l.Version, Composer: l.Reading.Composer, Draft: l.Reading.Draft,
		Turn: l.Reading.Turn, MayType: l.May, Reason: l.Reason, Rule: l.Reading.Rule}
	show(e, l.Dialect, l.Screen, l.Reading, asJSON)
	do := l.Reason.Meaning().Do
	if asJSON || do == "" || strings.Contains(do, " ID`") { // there is no message
		return nil
	}
	team, err := a.teamName()
	if err != nil {
		return err
	}
	fmt.Println(p.c.Advice(cmd.Context(), parley.Receipt{To: p.name, Outcome: parley.Deferred, Reason: l.Reason}, team))
	return nil
}

func explainFrame(path, metaPath, cli string, asJSON bool) error {
	d, err := named(cli)
	if err != nil {
		return err
	}
	s, version, whole, err := readFrame(path, metaPath)
	if err != nil {
		return usage{err}
	}
	r := d.Read(s, version)
	if !whole {
		fmt.Fprintln(stderr, "parley: no meta file: size, cursor and title are not known, so nothing could be typed by this frame (see `parley explain --help`)")
		if r.MayType {
			r.MayType, r.Reason, r.Rule = false, parley.ReasonUnreadable, "unreadable: no meta file ("+r.Rule+")"
		}
	}
	show(explained{CLI: cli, Version: version, Composer: r.Composer, Draft: r.Draft, Turn: r.Turn,
		MayType: r.MayType, Reason: r.Reason, Rule: r.Rule}, d, s, r, asJSON)
	return nil
}

// show prints a reading for a program, or draws it for a person.
func show(e explained, d *dialect.Dialect, s screen.Screen, r dialect.Reading, asJSON bool) {
	if asJSON {
		printJSON(e)
		return
	}
	fmt.Print(picture{s, r.Parts, terminal(os.Stdout)}.String())
	fmt.Println(verdict(e, d))
	if r.Composer == dialect.Unreadable {
		for _, m := range r.Missed {
			fmt.Println("  no box:", m)
		}
	}
}

// verdict says in one sentence whether parley would type now, why, and by
// which rule.
func verdict(e explained, d *dialect.Dialect) string {
	said := "parley would not type now"
	why := e.Reason.Meaning().Means
	if e.MayType {
		said, why = "parley would type now", "its box is empty and it is idle"
		if e.Turn == dialect.Working {
			why = "its box is empty, and its CLI keeps what is typed while it works"
		}
	}
	if why != "" {
		said += ", because " + why
	}
	said += fmt.Sprintf(" (composer: %s, turn: %s", e.Composer, e.Turn)
	if e.Rule != "" {
		said += ", rule: " + e.Rule
	}
	if d != nil {
		if at := d.Where(e.Rule); at != "" {
			said += ", " + at
		}
	}
	return said + ")"
}
