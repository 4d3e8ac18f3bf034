package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// CLI names a program of the cache.
type CLI struct{ Name, Version string }

func (c CLI) String() string { return c.Name + "@" + c.Version }

// All are the CLIs that have a recipe here and are installed by scripts/clis.sh.
var All = []CLI{
	{"claude", "2.1.332"}, {"claude", "2.1.197"}, {"claude", "2.0.20"},
	{"codex", "0.171.0"}, {"codex", "0.98.0"},
	{"pi", "1.6.0"}, {"pi", "0.73.1"},
}

// node runs those CLIs that need a newer Node than the system's.
var node = CLI{"node", "24.21.0"}

// recipe is how one CLI is run with no account, and how its screen is read. Sources and
// dates are with each.
type recipe struct {
	args  func(place) []string
	env   func(place) []string
	files func(place) map[string]string // by path below HOME
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

var recipes = map[string]recipe{"claude": claude, "codex": codex, "pi": pi}

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
