package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// CLI names a program of the cache.
type CLI struct{ Name, Version string }

func (c CLI) String() string { return c.Name + "@" + c.Version }

// All are the CLIs that scripts/clis.sh installs when it is asked for none.
var All = []CLI{
	{"claude", "2.1.332"}, {"claude", "2.1.197"}, {"claude", "2.0.20"},
	{"codex", "0.171.0"}, {"codex", "0.98.0"},
	{"pi", "1.6.0"}, {"pi", "0.73.1"},
}

// Others have a recipe too. scripts/clis.sh installs them when it is asked to: "all", or by
// their names.
var Others = []CLI{
	{"gemini", "0.61.0"}, {"qwen", "0.24.4"}, {"grok", "1.0.41"}, {"copilot", "1.0.102"},
	{"opencode", "1.18.33"}, {"cline", "3.0.65"}, {"droid", "0.215.0"}, {"vibegrok", "0.0.34"},
}

// node runs those CLIs that need a newer Node than the system's.
var node = CLI{"node", "24.21.0"}

// recipe is how one CLI is run with no account, and how its screen is read. Sources and
// dates are with each. What a CLI has no need of is nil.
type recipe struct {
	command string // where it is not the CLI's name
	args    func(place) []string
	env     func(place) []string
	files   func(place) map[string]string // by path below HOME
	// settle is how long a pasted text must have been seen before Enter submits it.
	settle time.Duration
	// box reads the input box; false where there is none.
	box func(Look) (string, bool)
	// listens is true once the CLI takes input, as far as it says so.
	listens func(*Agent, Look) bool
}

// place is what a recipe must know of where it is used.
type place struct {
	home, cwd string
	url       string // of the stub, without /v1
	version   string
	daemon    bool
}

var recipes = map[string]recipe{"claude": claude, "codex": codex, "pi": pi,
	"gemini": gemini, "qwen": qwen, "grok": grok, "copilot": copilot, "opencode": opencode,
	"cline": cline, "droid": droid, "vibegrok": vibegrok}

func (c CLI) recipe(tb testing.TB) recipe {
	tb.Helper()
	r, ok := recipes[c.Name]
	if !ok {
		tb.Fatalf("rig: no recipe for %s", c)
	}
	for _, need := range []CLI{c, node} {
		if _, err := os.Stat(filepath.Join(need.folder(), "bin", need.Name)); err != nil {
			tb.Fatalf("rig: %s is not installed: run scripts/clis.sh %s (%v)", need, need, err)
		}
	}
	return r.whole(c)
}

// whole fills in what the recipe leaves out.
func (r recipe) whole(c CLI) recipe {
	if r.command == "" {
		r.command = c.Name
	}
	if r.args == nil {
		r.args = func(place) []string { return nil }
	}
	if r.env == nil {
		r.env = r.args
	}
	if r.files == nil {
		r.files = func(place) map[string]string { return map[string]string{} }
	}
	if r.listens == nil {
		r.listens = func(*Agent, Look) bool { return true }
	}
	return r
}

// folder is where scripts/clis.sh has put the CLI.
func (c CLI) folder() string { return filepath.Join(cache(), c.String()) }

func cache() string {
	if dir := os.Getenv("PARLEY_CLI_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "parley-clis")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".cache", "parley-clis")
}

// older reports whether dotted version v is before w. Both have three numbers.
func older(v, w string) bool {
	var a, b [3]int
	scanVersion(v, &a)
	scanVersion(w, &b)
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func scanVersion(v string, n *[3]int) {
	fmt.Sscanf(v, "%d.%d.%d", &n[0], &n[1], &n[2])
}

// scan reads what tmux printed.
func scan(tb testing.TB, out string, into ...any) {
	tb.Helper()
	if _, err := fmt.Sscan(out, into...); err != nil {
		tb.Fatalf("rig: tmux printed %q: %v", out, err)
	}
}
