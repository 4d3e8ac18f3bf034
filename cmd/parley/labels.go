package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/dialect"
)

// labelFile is the table of labels in a folder of frames: columns set apart by
// tabs, the first row names them.
const labelFile = "expect.tsv"

var labelHeader = []string{"cli", "version", "state", "composer", "turn", "may_type"}

// table is a table of labels.
type table struct {
	header []string
	rows   [][]string
}

// readTable reads the table of a folder; a missing one is empty.
func readTable(dir string) (t table, err error) {
	path := filepath.Join(dir, labelFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return table{header: labelHeader}, nil
	}
	if err != nil {
		return t, usage{err}
	}
	for line := range strings.Lines(string(b)) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		switch {
		case strings.TrimSpace(line) == "":
		case t.header == nil:
			t.header = row
		default:
			t.rows = append(t.rows, row)
		}
	}
	if !slices.Contains(t.header, "state") {
		return t, usagef("%s: its first row has no column \"state\" (tabs set columns apart)", path)
	}
	return t, nil
}

// cell is a row's value in a column, "" for none and for "-".
func (t table) cell(row []string, column string) string {
	if i := slices.Index(t.header, column); i >= 0 && i < len(row) && row[i] != "-" {
		return row[i]
	}
	return ""
}

// addLabels adds a row for a frame, if its state has none yet: what a person
// has written there stays.
func addLabels(dir string, c captured) error {
	t, err := readTable(dir)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(t.rows, func(r []string) bool { return t.cell(r, "state") == c.State }) {
		return nil
	}
	values := map[string]string{"cli": c.CLI, "version": c.Version, "state": c.State,
		"composer": c.Composer, "turn": c.Turn, "may_type": c.MayType}
	var row []string
	for _, column := range t.header {
		if values[column] == "" {
			values[column] = "-"
		}
		row = append(row, values[column])
	}
	path := filepath.Join(dir, labelFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		b, err = []byte(strings.Join(t.header, "\t")+"\n"), nil
	}
	if err != nil {
		return err
	}
	text := strings.TrimRight(string(b), "\n") + "\n" + strings.Join(row, "\t") + "\n"
	return os.WriteFile(path, []byte(text), 0o600)
}

// labelled is one frame of a folder.
type labelled struct {
	dialect.Frame
	cli  string // by the table; "" if it does not say
	path string
}

// readFrames reads the frames of a folder: those of its table, at STATE.ansi or
// CLI/VERSION/STATE.ansi, and those beside it that the table does not name.
func readFrames(dir string) ([]labelled, error) {
	t, err := readTable(dir)
	if err != nil {
		return nil, err
	}
	var out []labelled
	named := map[string]bool{}
	for i, row := range t.rows {
		f := labelled{cli: t.cell(row, "cli")}
		if err := f.Label(t.header, row); err != nil {
			return nil, usagef("%s: row %d: %w", filepath.Join(dir, labelFile), i+2, err)
		}
		if f.Version == "-" {
			f.Version = ""
		}
		f.path = filepath.Join(dir, f.Name+".ansi")
		if deep := filepath.Join(dir, f.cli, f.Version, f.Name+".ansi"); exists(deep) {
			f.path = deep
		}
		named[f.path] = true
		out = append(out, f)
	}
	beside, _ := filepath.Glob(filepath.Join(dir, "*.ansi"))
	for _, path := range beside {
		if !named[path] {
			out = append(out, labelled{Frame: dialect.Frame{Name: strings.TrimSuffix(filepath.Base(path), ".ansi")}, path: path})
		}
	}
	if len(out) == 0 {
		return nil, usagef("no frames in %s: `parley dialect capture PANE STATE --out %s` saves some", dir, dir)
	}
	return out, nil
}

// load reads a frame's screen.
func (f *labelled) load() error {
	s, version, whole, err := readFrame(f.path, "")
	if err == nil && !whole {
		err = fmt.Errorf("%s has no meta file beside it: size and cursor are not known", f.path)
	}
	if err != nil {
		return usage{err}
	}
	f.Screen = s
	if f.Version == "" {
		f.Version = version
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
