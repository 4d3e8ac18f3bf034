package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
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

// readFrame reads a saved screen. Without a meta file it is not whole: the size
// is the text's own, and there is no cursor.
func readFrame(path, metaPath string) (s screen.Screen, version string, whole bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return s, "", false, err
	}
	given := metaPath != ""
	if !given {
		metaPath = strings.TrimSuffix(path, ".ansi") + ".json"
	}
	b, err := os.ReadFile(metaPath)
	if errors.Is(err, fs.ErrNotExist) && !given {
		cols, rows := extent(string(text))
		return vt.Capture(text, cols, rows, screen.Cursor{X: -1, Y: -1}, false, ""), "", false, nil
	}
	if err != nil {
		return s, "", false, err
	}
	var m frameMeta
	if err := json.Unmarshal(b, &m); err != nil {
		return s, "", false, fmt.Errorf("%s: %w", metaPath, err)
	}
	if m.Cols < 1 || m.Rows < 1 || m.Cols > 2000 || m.Rows > 2000 {
		return s, "", false, fmt.Errorf("%s: a screen of %d by %d: it needs cols and rows, and cursor_x and cursor_y", metaPath, m.Cols, m.Rows)
	}
	cur := screen.Cursor{X: m.CursorX, Y: m.CursorY, Visible: bool(m.Visible)}
	return vt.Capture(text, m.Cols, m.Rows, cur, bool(m.Alternate), m.Title), m.Version, true, nil
}

// extent is the size that a frame's text fills.
func extent(text string) (cols, rows int) {
	for line := range strings.Lines(text) {
		cols, rows = max(cols, ansi.StringWidth(line)), rows+1
	}
	return min(max(cols, 1), 2000), min(max(rows, 1), 2000)
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
