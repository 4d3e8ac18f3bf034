package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
	"parley/internal/proc"
	"parley/internal/term/tmux"
)

func dialectNewCmd(a *app) *cobra.Command {
	var copyOf, pane string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "begin a dialect of your own: a commented file in your folder",
		Long: `Writes NAME.toml into your folder of dialects, marked unproven, and says where. A file
that is there is never overwritten. Without --from nothing in it reads a box yet:
every screen is unreadable, so nothing can be typed. --pane looks at what runs there
and fills in how the CLI's process is recognised.

With --from and the same name it takes the place of ours, for a version whose screen
has changed; until the config lists it under "unproven" nothing is typed by it.`,
		Example:           "  parley dialect new mycli --pane %3\n  parley dialect new mycli --from codex --pane %3\n  parley dialect new codex --from codex",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := a.begin(cmd.Context(), args[0], copyOf, pane)
			if err != nil {
				return err
			}
			path, err := keep(args[0], text)
			if err != nil {
				return err
			}
			fmt.Println(path)
			fmt.Fprintf(stderr, "parley: begun; now save frames (`parley dialect capture PANE idle --out DIR`) and fill it in (docs/DIALECTS.md);"+
				" parley types by it once the config has unproven = [%q]\n", args[0])
			return nil
		},
	}
	c.Flags().StringVar(&copyOf, "from", "", "the dialect to copy")
	c.Flags().StringVar(&pane, "pane", "", "the pane, as %N, in which the CLI runs now")
	_ = c.RegisterFlagCompletionFunc("from", completeDialects)
	return c
}

// begin is the text of a new dialect.
func (a *app) begin(ctx context.Context, name, copyOf, pane string) ([]byte, error) {
	if !dialect.ValidName(name) {
		return nil, usagef("%q is no name for a dialect: letters in lower case, digits, and . _ - behind the first", name)
	}
	set, _ := dialects()
	old, known := set.CLI(name)
	switch {
	case known && copyOf != name && old.Replaces == "" && filepath.Dir(old.File) != dialectDir():
		return nil, usagef("parley brings a dialect for %s along: `parley dialect new %s --from %s` begins with a copy of it", name, name, name)
	case known && filepath.Dir(old.File) == dialectDir():
		return nil, usagef("%s is there already, and is never overwritten", old.File)
	}
	process := ""
	if pane != "" {
		var err error
		if process, err = a.process(ctx, pane); err != nil {
			return nil, err
		}
	}
	if copyOf == "" {
		return dialect.New(name, process), nil
	}
	d, err := named(copyOf)
	if err != nil {
		return nil, err
	}
	return d.Copy(name, process), nil
}

// process is the [process] table for what runs in a pane.
func (a *app) process(ctx context.Context, pane string) (string, error) {
	p, err := a.paneInfo(ctx, pane)
	if err != nil {
		return "", err
	}
	front, err := proc.Foreground(p.Identity.PanePID)
	if err != nil {
		return "", usagef("pane %s: %w", pane, err)
	}
	// A shell without job control, or npm, stands in front of the CLI that it
	// has started, in the same process group.
	var table string
	for _, f := range front {
		table, err = dialect.ProcessOf(dialect.ProcessInfo{Exe: f.Exe, Argv: f.Argv})
		if err == nil {
			return table, nil
		}
	}
	return "", usagef("pane %s: %w", pane, err)
}

// paneInfo finds a pane by its id.
func (a *app) paneInfo(ctx context.Context, pane string) (tmux.PaneInfo, error) {
	if !tmux.ValidPane(pane) {
		return tmux.PaneInfo{}, usagef("a pane is named by its id such as %%3, not %q (`tmux list-panes -a`)", pane)
	}
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return tmux.PaneInfo{}, usage{err}
	}
	panes, err := tmux.Server{Socket: socket}.Panes(ctx)
	if err != nil {
		return tmux.PaneInfo{}, usage{err}
	}
	for _, p := range panes {
		if p.Target.Pane == pane {
			return p, nil
		}
	}
	return tmux.PaneInfo{}, usagef("no pane %s at %s", pane, socket)
}

// keep writes a new file into the user's folder, or fails if one is there.
func keep(name string, text []byte) (string, error) {
	dir := dialectDir()
	if dir == "" {
		return "", usagef("no place for dialects: set $XDG_CONFIG_HOME or $HOME")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".toml")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", usagef("%s is there already, and is never overwritten", path)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return path, errors.Join(err, f.Close())
}
