// Package e2e holds the whole program against real tmux, the practice agent
// and, with the build tag real, the real CLIs.
package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// bin is the parley binary under test, built once from this tree.
var bin string

func TestMain(m *testing.M) {
	// Tests with a server of their own wait most of the time: four of them are
	// no burden for two cores. The command line may say otherwise.
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	os.Exit(withBinary(m))
}

func withBinary(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin = filepath.Join(dir, "parley")
	build := exec.Command("go", "build", "-o", bin, "parley/cmd/parley")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as `make build` does
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build parley: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// depth is how much a test does: "" or "short" by default, "long" for the
// sampled runs, "full" for the counts whose figures are published.
func depth() string { return os.Getenv("PARLEY_DEPTH") }

// times picks a count by depth.
func times(short, long, full int) int {
	switch depth() {
	case "full":
		return full
	case "long":
		return long
	}
	return short
}
