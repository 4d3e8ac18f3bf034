package parley_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var hazardRow = regexp.MustCompile(`(?m)^\| (H\d\d) \| ([^|]+) \| ([^|]+) \|$`)

var named = regexp.MustCompile("`([a-z][a-z0-9/]*)[./]((?:Test|Fuzz)[A-Za-z0-9]+|[a-z-]+\\.txtar)`")

// TestHazards: docs/HAZARDS.md has each kind once, and every test that it
// names exists.
func TestHazards(t *testing.T) {
	page, err := os.ReadFile("docs/HAZARDS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := hazardRow.FindAllStringSubmatch(string(page), -1)
	seen := map[string]int{}
	for _, row := range rows {
		seen[row[1]]++
		tests := named.FindAllStringSubmatch(row[3], -1)
		if len(tests) == 0 && !strings.Contains(row[3], "for later") {
			t.Errorf("%s names no test and no reason: %s", row[1], row[3])
		}
		if n := strings.Count(row[3], ".Test") + strings.Count(row[3], ".txtar"); n != len(tests) {
			t.Errorf("%s: %d tests can be read of %d", row[1], len(tests), n)
		}
		for _, m := range tests {
			if !exists(t, m[1], m[2]) {
				t.Errorf("%s: there is no %s", row[1], m[0])
			}
		}
	}
	for n := 1; n <= 48; n++ {
		if h := fmt.Sprintf("H%02d", n); seen[h] != 1 {
			t.Errorf("%s stands there %d times", h, seen[h])
		}
	}
}

// exists reports whether a package has a test, or a script, of that name.
func exists(t *testing.T, pkg, name string) bool {
	t.Helper()
	if strings.HasSuffix(name, ".txtar") {
		_, err := os.Stat(filepath.Join(pkg, "testdata", name))
		return err == nil
	}
	if pkg == "parley" {
		pkg = "."
	}
	files, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "\nfunc "+name+"(t ") {
			return true
		}
	}
	return false
}
