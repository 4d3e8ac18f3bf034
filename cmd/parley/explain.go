package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/dialect"
	"parley/internal/screen"
	"parley/internal/vt"
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
		Long: `Reads an agent's screen now, or a saved one, through the same code as send, and
says which rule decided. A frame is the output of tmux capture-pane -e -p; its
meta file (default: the .json beside it) holds size, cursor, title and modes.`,
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
	return c
}

func (a *app) explainLive(cmd *cobra.Command, arg string, asJSON bool) error {
	n, err := parley.ParseName(arg)
	if err != nil {
		return usage{err}
	}
	c, err := a.open(nil)
	if err != nil {
		return err
	}
	l, err := c.Look(cmd.Context(), n)
	if err != nil {
		return err
	}
	e := explained{CLI: l.CLI, Version: l.Version, Composer: l.Reading.Composer, Draft: l.Reading.Draft,
		Turn: l.Reading.Turn, MayType: l.May, Reason: l.Reason, Rule: l.Reading.Rule}
	show(e, l.Screen, l.Reading, asJSON)
	return nil
}

func explainFrame(path, metaPath, cli string, asJSON bool) error {
	set, err := dialect.Load(dialectDir())
	if err != nil {
		return usage{err}
	}
	d, ok := set.CLI(cli)
	if !ok {
		return usagef("no dialect for %q (known: %s)", cli, strings.Join(set.Names(), ", "))
	}
	s, version, err := readFrame(path, metaPath)
	if err != nil {
		return usage{err}
	}
	r := d.Read(s, version)
	show(explained{CLI: cli, Version: version, Composer: r.Composer, Draft: r.Draft, Turn: r.Turn,
		MayType: r.MayType, Reason: r.Reason, Rule: r.Rule}, s, r, asJSON)
	return nil
}

// frameMeta is what a frame's meta file may hold; more is ignored. Booleans
// are written as true, 1 or "1" by different tools.
type frameMeta struct {
	Cols      int    `json:"cols"`
	Rows      int    `json:"rows"`
	CursorX   int    `json:"cursor_x"`
	CursorY   int    `json:"cursor_y"`
	Visible   truth  `json:"cursor_visible"`
	Alternate truth  `json:"alternate_on"`
	Title     string `json:"pane_title"`
	Command   string `json:"pane_current_command"`
	Version   string `json:"version"`
}

type truth bool

func (t *truth) UnmarshalJSON(b []byte) error {
	s := strings.Trim(string(b), `"`)
	*t = truth(s == "true" || s == "1")
	return nil
}

func readFrame(path, metaPath string) (screen.Screen, string, error) {
	ansi, err := os.ReadFile(path)
	if err != nil {
		return screen.Screen{}, "", err
	}
	given := metaPath != ""
	if !given {
		metaPath = strings.TrimSuffix(path, ".ansi") + ".json"
	}
	var m frameMeta
	b, err := os.ReadFile(metaPath)
	switch {
	case err == nil:
		if err := json.Unmarshal(b, &m); err != nil {
			return screen.Screen{}, "", fmt.Errorf("%s: %w", metaPath, err)
		}
	case given:
		return screen.Screen{}, "", err
	}
	if m.Cols == 0 || m.Rows == 0 {
		return screen.Screen{}, "", fmt.Errorf("%s: a frame needs its size and cursor: give --meta FILE with cols, rows, cursor_x and cursor_y", path)
	}
	cur := screen.Cursor{X: m.CursorX, Y: m.CursorY, Visible: bool(m.Visible)}
	return vt.Capture(ansi, m.Cols, m.Rows, cur, bool(m.Alternate), m.Title), m.Version, nil
}

func show(e explained, s screen.Screen, r dialect.Reading, asJSON bool) {
	if asJSON {
		printJSON(e)
		return
	}
	fmt.Println(drawn(s, r))
	verdict := "parley would type now"
	if !e.MayType {
		verdict = "parley would not type now"
		if m := e.Reason.Meaning(); m.Means != "" {
			verdict += ", because " + m.Means
		}
	}
	fmt.Printf("%s (composer: %s, turn: %s, rule: %s)\n", verdict, e.Composer, e.Turn, e.Rule)
}

// drawn is the screen with the rows of the box marked at the left.
func drawn(s screen.Screen, r dialect.Reading) string {
	var b strings.Builder
	for y := range s.Rows {
		mark := "  "
		if !r.Box.Empty() && y >= r.Box.Top && y < r.Box.Bottom {
			mark = "▌ "
		}
		b.WriteString(strings.TrimRight(mark+s.Row(y), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
