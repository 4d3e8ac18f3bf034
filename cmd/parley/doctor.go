package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
	"parley/internal/roster"
	"parley/internal/term/tmux"
)

// finding is one line of doctor's report.
type finding struct {
	Check string `json:"check"`
	Level string `json:"level"` // ok, hint or problem
	Says  string `json:"says"`
	Do    string `json:"do"` // "" where there is nothing to do
}

func doctorCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "doctor",
		Short:   "check tmux, the CLIs found, the state folder and the clock",
		Long:    "Looks at everything a delivery needs and says what to do about what is missing.\nExit 1 if there is a problem; hints do not count.",
		Example: "  parley doctor\n  parley doctor --json | jq 'select(.level != \"ok\")'",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			bad := false
			for _, f := range a.examine(cmd.Context()) {
				bad = bad || f.Level == "problem"
				if asJSON {
					printJSON(f)
					continue
				}
				fmt.Printf("%-8s %s: %s\n", f.Level, f.Check, f.Says)
				if f.Do != "" {
					fmt.Printf("         %s\n", f.Do)
				}
			}
			if bad {
				return code(1)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each check")
	return c
}

func (a *app) examine(ctx context.Context) []finding {
	out := append([]finding{tmuxVersion(ctx)}, a.tmuxOptions(ctx)...)
	c, err := a.open(nil)
	if err != nil {
		do := "Make it a folder that you can write to, or set $PARLEY_HOME."
		if isUsage(err) {
			do = "Mend that line: until then every verb refuses."
		}
		return append(out, finding{"files", "problem", err.Error(), do})
	}
	out = append(out, clis(ctx, c.Dialects())...)
	home, err := stateHome()
	if err != nil {
		return append(out, finding{"state folder", "problem", err.Error(), "Set $PARLEY_HOME or $HOME."})
	}
	return append(out, permissions(home), clock(home))
}

// tmuxNumber finds the version; 3.2 is the first whose formats have what the
// guards need (#{C/r:}, #{e|<:}).
var tmuxNumber = regexp.MustCompile(`(\d+)\.(\d+)`)

func tmuxVersion(ctx context.Context) finding {
	f := finding{Check: "tmux", Level: "problem"}
	v, err := tmux.Version(ctx)
	if err != nil {
		f.Says, f.Do = "not found on PATH", "Install it: apt install tmux, or brew install tmux."
		return f
	}
	f.Level, f.Says = "ok", v
	if m := tmuxNumber.FindStringSubmatch(v); m == nil || len(m[1]) == 1 && (m[1] < "3" || m[1] == "3" && m[2] < "2") {
		f.Level, f.Do = "problem", "tmux 3.2 or newer is needed."
	}
	return f
}

func (a *app) tmuxOptions(ctx context.Context) []finding {
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return []finding{{"tmux server", "problem", err.Error(), ""}}
	}
	panes, err := tmux.Server{Socket: socket}.Panes(ctx)
	if err != nil {
		return []finding{{"tmux server", "hint", "none runs at " + socket, "Start an agent: tmux new-session -s backend claude"}}
	}
	out := []finding{{"tmux server", "ok", fmt.Sprintf("%s, %d panes", socket, len(panes)), ""}}
	options, err := tmux.Server{Socket: socket}.Options(ctx)
	if err != nil {
		return append(out, finding{"tmux options", "problem", err.Error(), "Check the server: tmux show-options -g"})
	}
	return append(out, optionFindings(options)...)
}

// optionFindings judges the options on which readings and keys depend.
func optionFindings(o map[string]string) []finding {
	var out []finding
	if t := o["default-terminal"]; !strings.HasPrefix(strings.Trim(t, `"`), "tmux") && !strings.HasPrefix(strings.Trim(t, `"`), "screen") {
		out = append(out, finding{"tmux options", "hint", "default-terminal is " + t, "Agents draw for another terminal than tmux: set -g default-terminal tmux-256color"})
	}
	if o["synchronize-panes"] == "on" {
		out = append(out, finding{"tmux options", "hint", "synchronize-panes is on for every window", "Nothing is typed while keys reach sibling panes: set -gw synchronize-panes off"})
	}
	if o["remain-on-exit"] == "on" {
		out = append(out, finding{"tmux options", "ok", "remain-on-exit is on: an ended agent leaves a dead pane, which counts as gone", ""})
	}
	if len(out) == 0 {
		out = append(out, finding{"tmux options", "ok", "nothing in the way", ""})
	}
	return out
}

// clis finds the known CLIs on PATH and compares the version of each with those
// its dialect was tested on.
func clis(ctx context.Context, set dialect.Set) []finding {
	var out []finding
	var known []string
	here := installed(set)
	for _, name := range set.Names() {
		d, _ := set.CLI(name)
		if itself(d) != "" {
			continue // it comes along, and is no news
		}
		known = append(known, d.Name)
		if path := here[name]; path != "" {
			out = append(out, cliFinding(name, path, versionAt(ctx, path), d))
		}
	}
	if len(out) == 0 {
		out = append(out, finding{"CLIs", "hint", "no CLI that parley knows is on PATH: " + strings.Join(known, ", "),
			"Install one, or try the bundled practice agent: tmux new-session -s buddy parley practice"})
	}
	return out
}

// versionAt is the version of a program as parley will read it of a running
// agent, from where the file lies; else what the program says itself.
func versionAt(ctx context.Context, path string) string {
	if v := roster.VersionAt(path); v != "" {
		return v
	}
	return askVersion(ctx, path)
}

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+`)

func askVersion(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	b, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return ""
	}
	return versionNumber.FindString(string(b))
}

func cliFinding(name, path, v string, d *dialect.Dialect) finding {
	f := finding{Check: name, Level: "ok", Says: fmt.Sprintf("%s %s", path, v)}
	tested := "tested: " + strings.Join(d.Tested, ", ")
	switch d.Knows(v) {
	case dialect.TestedVersion:
		f.Says += " (tested)"
	case dialect.Newer:
		f.Level, f.Do = "hint", "Newer than "+tested+". The reading is as strict; what changed on its screen is refused, not guessed."
	case dialect.Older, dialect.Between:
		f.Level, f.Do = "hint", "Not one of the versions "+tested+"."
	default:
		f.Level, f.Do = "hint", "Its version could not be read; "+tested+"."
	}
	if !d.Proven() {
		f.Level, f.Do = "hint", "Its dialect is unproven: list it under `unproven` in the config to let parley type into it."
	}
	return f
}

// permissions checks that nobody else can read or change the state folder.
func permissions(dir string) finding {
	f := finding{Check: "state folder", Level: "ok", Says: dir}
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			f.Level, f.Says, f.Do = "problem", err.Error(), "Make it readable for you alone: chmod -R go= "+dir
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			f.Level, f.Says, f.Do = "problem", p+" is open to others", "Run: chmod -R go= "+dir
			return fs.SkipAll
		}
		return nil
	})
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return finding{"state folder", "problem", err.Error(), "Messages cannot be saved: mend the folder or set $PARLEY_HOME."}
	}
	probe.Close()
	os.Remove(probe.Name())
	return f
}

// clock compares the file system's clock with the system's: record times come
// from one and transcript times from the other.
func clock(dir string) finding {
	f := finding{Check: "clock", Level: "ok", Says: time.Now().Format(time.RFC3339)}
	probe, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return f
	}
	defer os.Remove(probe.Name())
	defer probe.Close()
	if info, err := probe.Stat(); err == nil {
		if d := time.Since(info.ModTime()).Abs(); d > 5*time.Second {
			f.Level, f.Says = "problem", fmt.Sprintf("the file system's clock differs by %s", d.Round(time.Second))
			f.Do = "Set the clock: records are ordered by it."
		}
	}
	return f
}
