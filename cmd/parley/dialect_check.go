package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/dialect"
)

// checked is what `dialect check --json` prints: a mistake, a hint, or that a
// file is in order.
type checked struct {
	File  string `json:"file"`
	Line  int    `json:"line"` // 0 where it is the file as a whole
	CLI   string `json:"cli"`  // "" if the file does not load
	Level string `json:"level"`
	Says  string `json:"says"`
}

func dialectCheckCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [FILE|NAME...]",
		Short: "find mistakes in dialect files: unknown keys, bad patterns, rules that cannot match",
		Long: `Reads each file as every verb would, and says what is wrong in which line: unknown
keys, patterns that do not compile or that nothing can match, rules that could never
hold, keys that are never pressed, a [process] that claims other programs. Hints are
about what loads and is probably not meant. Without arguments all your files.
Exit 1 if there is a mistake; hints do not count.`,
		Example: "  parley dialect check\n  parley dialect check mycli\n  parley dialect check ./mycli.toml --json",
		ValidArgsFunction: func(c *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
			names, _ := completeDialects(c, args, to)
			return names, cobra.ShellCompDirectiveDefault // and files
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = ownFiles()
			}
			if len(args) == 0 {
				fmt.Fprintf(stderr, "parley: no dialects of your own in %s; `parley dialect new NAME` begins one\n", dialectDir())
			}
			bad := false
			for _, arg := range args {
				found, err := check(arg)
				if err != nil {
					return err
				}
				for _, f := range found {
					bad = bad || f.Level == "mistake"
					f.print(asJSON)
				}
			}
			if bad {
				return code(1)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object for each finding")
	return c
}

// ownFiles are the user's dialect files.
func ownFiles() []string {
	if dialectDir() == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(dialectDir(), "*.toml"))
	return files
}

// check looks at a file, or at the dialect of a name.
func check(arg string) ([]checked, error) {
	if _, err := os.Stat(arg); err != nil && !strings.Contains(arg, "/") {
		own := filepath.Join(dialectDir(), arg+".toml")
		if slices.Contains(ownFiles(), own) {
			return checkFile(own), nil
		}
		d, err := named(arg)
		if err != nil {
			return nil, err
		}
		return hints(d), nil
	} else if err != nil {
		return nil, usage{err}
	}
	return checkFile(arg), nil
}

func checkFile(path string) []checked {
	d, err := dialect.Check(path)
	if err != nil {
		return []checked{finds(err.Error(), "mistake", "")}
	}
	out := hints(d)
	if set, err := dialect.Load(""); err == nil {
		if ours, ok := set.CLI(d.CLI); ok {
			out = append(out, checked{path, 0, d.CLI, "hint", "it is read in the place of " + ours.File})
		}
	}
	for _, other := range ownFiles() {
		if twin, err := dialect.Check(other); err == nil && twin.CLI == d.CLI && !same(other, path) && filepath.Dir(path) == dialectDir() {
			out = append(out, checked{path, 0, d.CLI, "hint", "its cli is that of " + other + ": the later of the two names is read"})
		}
	}
	return out
}

func same(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// hints are a sound dialect's findings.
func hints(d *dialect.Dialect) []checked {
	out := []checked{{d.File, 0, d.CLI, "ok", d.Status + ", " + d.Counts()}}
	for _, h := range d.Hints() {
		out = append(out, finds(h, "hint", d.CLI))
	}
	return out
}

var located = regexp.MustCompile(`^(.*?):(\d+): (.*)$`)

// finds takes "file:line: what" apart.
func finds(s, level, cli string) checked {
	if m := located.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[2])
		return checked{m[1], n, cli, level, m[3]}
	}
	return checked{"", 0, cli, level, s}
}

func (f checked) print(asJSON bool) {
	if asJSON {
		printJSON(f)
		return
	}
	at := f.File
	if f.Line > 0 {
		at += ":" + strconv.Itoa(f.Line)
	}
	fmt.Printf("%-8s %s: %s\n", f.Level, strings.TrimPrefix(at, ": "), f.Says)
}
