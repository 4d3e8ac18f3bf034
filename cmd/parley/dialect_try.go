package main

import (
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/dialect"
)

// tried is what `dialect test --json` prints of one frame.
type tried struct {
	Frame    string           `json:"frame"`
	CLI      string           `json:"cli"`
	Version  string           `json:"version"`
	State    string           `json:"state"`
	Composer dialect.Composer `json:"composer"`
	Turn     dialect.Turn     `json:"turn"`
	MayType  bool             `json:"may_type"`
	Reason   parley.Reason    `json:"reason"`
	Rule     string           `json:"rule"`
	Where    string           `json:"where"`  // file and line of the rule; "" if no rule decided
	Result   string           `json:"result"` // ok, wrong, danger (it would type, and must not) or unjudged
	Wrong    string           `json:"wrong"`  // in what it differs from the labels
	missed   []string
}

func dialectTryCmd(a *app) *cobra.Command {
	var cli string
	var asJSON, onlyWrong bool
	c := &cobra.Command{
		Use:   "test DIR",
		Short: "read labelled frames by a dialect, and say where it differs from the labels",
		Long: `Reads every frame of a folder (STATE.ansi with STATE.json, or CLI/VERSION/STATE.ansi)
through the same code as send, and holds the reading against the folder's expect.tsv:
columns state, composer (empty, draft, none), turn (idle, working, asking, unknown),
may_type (yes, no), and cli and version where they are known; "-" is not judged.

Exit 1 if a reading differs. "danger": it would type where it must not. At the end
stands what of the dialect no frame has shown: nobody knows whether that is right.`,
		Example: "  parley dialect test frames --cli mycli\n  parley dialect test frames --wrong\n  parley dialect test frames --json | jq -r 'select(.result == \"danger\").frame'",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			frames, err := readFrames(args[0])
			if err != nil {
				return err
			}
			all, unused, err := try(frames, cli)
			if err != nil {
				return err
			}
			return printTried(all, unused, onlyWrong, asJSON)
		},
	}
	c.Flags().StringVar(&cli, "cli", "", "by which dialect (default: as the table says)")
	c.Flags().BoolVar(&onlyWrong, "wrong", false, "only the frames that differ")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each frame")
	_ = c.RegisterFlagCompletionFunc("cli", completeDialects)
	return c
}

// try reads the frames, in their order, and names what of the dialects none of
// them has shown. With a CLI it takes the frames of that CLI or, if none is
// said to be of it, all of them.
func try(frames []labelled, cli string) (all []tried, unused []string, err error) {
	frames = ofCLI(frames, cli)
	seen := map[string][]dialect.Frame{}
	for _, f := range frames {
		by := cli
		if by == "" {
			by = f.cli
		}
		if by == "" {
			return nil, nil, usagef("%s: the table does not say whose it is: name a dialect with --cli", f.path)
		}
		d, err := named(by)
		if err != nil {
			return nil, nil, err
		}
		if err := f.load(); err != nil {
			return nil, nil, err
		}
		seen[by] = append(seen[by], f.Frame)
		all = append(all, judged(d, f))
	}
	for by, frames := range seen {
		d, err := named(by)
		if err != nil {
			return nil, nil, err
		}
		for _, u := range d.Unused(frames) {
			unused = append(unused, d.CLI+": "+u)
		}
	}
	slices.Sort(unused)
	return all, unused, nil
}

// ofCLI leaves out what is said to be of another CLI, unless everything is.
func ofCLI(frames []labelled, cli string) []labelled {
	if cli == "" || !slices.ContainsFunc(frames, func(f labelled) bool { return f.cli == cli }) {
		return frames
	}
	return slices.DeleteFunc(slices.Clone(frames), func(f labelled) bool { return f.cli != cli && f.cli != "" })
}

func judged(d *dialect.Dialect, f labelled) tried {
	j := d.Judge([]dialect.Frame{f.Frame})[0]
	r := j.Reading
	t := tried{Frame: f.path, CLI: d.CLI, Version: f.Version, State: f.Name, Composer: r.Composer, Turn: r.Turn,
		MayType: r.MayType, Reason: r.Reason, Rule: r.Rule, Where: d.Where(r.Rule), Result: "ok", Wrong: j.Wrong}
	if r.Composer == dialect.Unreadable {
		t.missed = r.Missed
	}
	switch {
	case j.Danger:
		t.Result = "danger"
	case j.Wrong != "":
		t.Result = "wrong"
	case !j.Labels:
		t.Result = "unjudged"
	}
	return t
}

func (t tried) bad() bool { return t.Result == "wrong" || t.Result == "danger" }

// printTried prints the table and ends with exit code 1 if a frame differs.
func printTried(all []tried, unused []string, onlyWrong, asJSON bool) error {
	count := map[string]int{}
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	if !asJSON {
		fmt.Fprintln(w, "RESULT\tSTATE\tCOMPOSER\tTURN\tMAY TYPE\tRULE")
	}
	for _, t := range all {
		count[t.Result]++
		switch {
		case onlyWrong && !t.bad():
		case asJSON:
			printJSON(t)
		default:
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%v\t%s\n", t.Result, t.State, t.Composer, t.Turn, t.MayType, t.Rule)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !asJSON {
		explainTried(all)
	}
	for _, u := range unused {
		fmt.Fprintln(stderr, "parley: no frame has shown", u)
	}
	fmt.Fprintf(stderr, "parley: frames: %d, right: %d, wrong: %d, dangerous: %d, not judged: %d\n",
		len(all), count["ok"], count["wrong"], count["danger"], count["unjudged"])
	if count["wrong"]+count["danger"] > 0 {
		return code(1)
	}
	return nil
}

// explainTried says of each wrong reading what would have been right, and
// which rule decided.
func explainTried(all []tried) {
	for _, t := range all {
		if !t.bad() {
			continue
		}
		at := ""
		if t.Where != "" {
			at = ", " + t.Where
		}
		fmt.Printf("\n%s: %s (by %s%s)\n", t.State, t.Wrong, t.Rule, at)
		for _, m := range t.missed {
			fmt.Println("  no box:", m)
		}
		fmt.Printf("  parley explain --frame %s --cli %s\n", t.Frame, t.CLI)
	}
}
