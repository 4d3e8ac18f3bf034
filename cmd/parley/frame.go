package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/screen"
	"parley/internal/vt"
)

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
	Version   string `json:"version,omitempty"`
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
