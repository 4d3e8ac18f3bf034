package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
	"parley/internal/screen"
	"parley/internal/vt"
)

// capture is what `dialect capture` is asked for.
type capture struct {
	state, out      string
	frame, meta     string // a saved frame in the place of a live pane
	cli             string
	rows            string // more rows to keep, "34-40,12"
	keepText, force bool
	preview, asJSON bool
}

// captured is what it prints with --json.
type captured struct {
	State   string `json:"state"`
	CLI     string `json:"cli"` // "" if no dialect knows the program
	Version string `json:"version"`
	Frame   string `json:"frame"` // "" with --preview
	Meta    string `json:"meta"`
	Kept    []int  `json:"kept"` // rows, from 1, on which words remain
	labels
}

// labels say what a correct reading of a frame is; "-" = not judged.
type labels struct {
	Composer string `json:"composer"`
	Turn     string `json:"turn"`
	MayType  string `json:"may_type"`
}

// states are first words of a state, with the labels that they bring: composer,
// turn, may_type. They are what the person says, never what a dialect reads.
var states = map[string]labels{
	"idle":    {"empty", "idle", "yes"},
	"draft":   {"draft", "idle", "no"},
	"working": {"-", "working", "-"},
	"asking":  {"none", "asking", "no"},
	"menu":    {"-", "-", "no"},
	"mode":    {"-", "-", "no"},
}

func dialectCaptureCmd(a *app) *cobra.Command {
	var k capture
	c := &cobra.Command{
		Use:   "capture NAME|%PANE|--frame FILE STATE",
		Short: "save a live screen as a labelled frame, its conversation made unreadable",
		Long: `Takes one snapshot of an agent's pane, or of any pane by its id, and saves it as
STATE.ansi and STATE.json. Nothing is typed. The row in expect.tsv says what a
correct reading is: by the first word of STATE, idle, draft, working, asking, menu or
mode (as in idle-after-reply); of any other word nothing is known, and you fill it in.

So that it can be shown to others, letters become x and digits 0. What stays is what
the dialect needs to read the screen as it does; where no dialect reads it, the rows
about the cursor and below. Look at what is printed before you share it: --rows keeps
more, --keep-text all. With --frame a saved frame is made unreadable afterwards.`,
		Example: `  parley dialect capture backend idle --out frames
  parley dialect capture %3 asking-permission --out frames --keep-text
  parley dialect capture --frame frames/idle.ansi --cli mycli idle --out share`,
		Args: func(c *cobra.Command, args []string) error {
			if want := map[bool]int{false: 2, true: 1}[k.frame != ""]; len(args) != want {
				return usagef("want %d arguments", want)
			}
			return nil
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 && k.frame == "" {
				return a.completeNames(c, args, to)
			}
			return []string{"idle", "draft", "working", "asking", "menu", "mode"}, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			k.state = args[len(args)-1]
			if !dialect.ValidName(k.state) {
				return usagef("%q is no name for a state: letters in lower case, digits, and . _ - behind the first", k.state)
			}
			v, err := a.source(cmd.Context(), k, args[0])
			if err != nil {
				return err
			}
			return k.run(v)
		},
	}
	f := c.Flags()
	f.StringVar(&k.out, "out", ".", "the folder to save in")
	f.StringVar(&k.frame, "frame", "", "a saved frame in the place of a live pane")
	f.StringVar(&k.meta, "meta", "", "its meta file")
	f.StringVar(&k.cli, "cli", "", "by which dialect (default: as recognised)")
	f.StringVar(&k.rows, "rows", "", "keep the words of these rows too: 34-40,12")
	f.BoolVar(&k.keepText, "keep-text", false, "keep every word: for yourself, not to share")
	f.BoolVar(&k.preview, "preview", false, "show what would be saved, and save nothing")
	f.BoolVar(&k.force, "force", false, "overwrite a frame of that state")
	f.BoolVar(&k.asJSON, "json", false, "one JSON object")
	_ = c.RegisterFlagCompletionFunc("cli", completeDialects)
	return c
}

// seen is a screen to save, and by what it can be read.
type seen struct {
	s       screen.Screen
	d       *dialect.Dialect // nil if no dialect knows it
	version string
	command string
}

// source takes the screen from a saved frame, or from a live pane.
func (a *app) source(ctx context.Context, k capture, from string) (v seen, err error) {
	if k.frame == "" {
		v, err = a.snapshot(ctx, from)
	} else {
		var whole bool
		v.s, v.version, whole, err = readFrame(k.frame, k.meta)
		if err != nil {
			return v, usage{err}
		}
		if !whole {
			return v, usagef("%s has no meta file beside it: size and cursor are not known", k.frame)
		}
	}
	if err != nil || k.cli == "" {
		return v, err
	}
	v.d, err = named(k.cli)
	return v, err
}

func (k capture) run(v seen) error {
	s, kept, err := k.shareable(v)
	if err != nil {
		return err
	}
	c := captured{State: k.state, Version: v.version, Kept: kept, labels: labelsOf(k.state)}
	if v.d != nil {
		c.CLI = v.d.CLI
	}
	if !k.preview {
		if err := k.save(v, s, &c); err != nil {
			return err
		}
	}
	if k.asJSON {
		printJSON(c)
		return nil
	}
	fmt.Print(keptPicture(s, kept))
	k.tell(c)
	return nil
}

// tell says what was done, and what to look at.
func (k capture) tell(c captured) {
	switch {
	case k.preview:
		fmt.Fprintln(stderr, "parley: this would be saved")
	default:
		fmt.Fprintf(stderr, "parley: saved %s, with %s and a row in %s\n", c.Frame, filepath.Base(c.Meta), filepath.Join(k.out, labelFile))
	}
	switch {
	case k.keepText:
		fmt.Fprintln(stderr, "parley: every word is in it: do not share it (`--frame` makes it unreadable later)")
	case c.CLI == "":
		fmt.Fprintln(stderr, "parley: no dialect knows this program: the rows about the cursor and below are kept; look at them before you share it")
	default:
		fmt.Fprintln(stderr, "parley: look at the rows marked kept before you share it")
	}
}

// save writes the frame, its meta file and its row of labels.
func (k capture) save(v seen, s screen.Screen, c *captured) error {
	c.Frame, c.Meta = filepath.Join(k.out, k.state+".ansi"), filepath.Join(k.out, k.state+".json")
	if _, err := os.Stat(c.Frame); err == nil && !k.force {
		return usagef("%s is there already: --force overwrites it", c.Frame)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	meta, err := json.Marshal(frameMeta{Cols: s.Cols, Rows: s.Rows, CursorX: s.Cursor.X, CursorY: s.Cursor.Y,
		Visible: truth(s.Cursor.Visible), Alternate: truth(s.Alternate), Title: s.Title, Command: v.command, Version: v.version})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(k.out, 0o700); err != nil {
		return err
	}
	// The frame last: one that is there has its meta file.
	if err := os.WriteFile(c.Meta, append(meta, '\n'), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.Frame, vt.ANSI(s), 0o600); err != nil {
		return err
	}
	return addLabels(k.out, *c)
}

// labelsOf are the labels that a state's first word brings.
func labelsOf(state string) labels {
	first, _, _ := strings.Cut(state, "-")
	if l, ok := states[first]; ok {
		return l
	}
	return labels{"-", "-", "-"}
}
