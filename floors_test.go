package parley_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// floors is the import table: a package imports only from floors above its
// own. "/..." takes in what lies below. Tests may also import their own floor
// and what stands on none.
var floors = [][]string{
	{"parley", "parley/internal/durable", "parley/internal/screen", "parley/internal/proc"},
	{"parley/internal/inbox", "parley/internal/vt", "parley/internal/dialect"},
	{"parley/internal/transcript"}, // reads records by the rules that a dialect holds
	{"parley/internal/turn", "parley/internal/term"},
	{"parley/internal/term/tmux", "parley/internal/term/host", "parley/internal/term/termtest"},
	{"parley/internal/term/dial", "parley/internal/term/host/serve", "parley/internal/term/host/front"},
	{"parley/internal/roster"},
	{"parley/courier"},
	{"parley/internal/ask", "parley/internal/team", "parley/internal/mcp", "parley/internal/dash", "parley/internal/link"},
	{"parley/cmd/..."},
}

// aside stands on no floor: programs and stages for tests. They know the words
// and the screen and nothing else of the product, so that no mistake of the
// product can hide in what judges it. Only cmd brings one of them along.
var aside = []string{"parley/internal/practice/...", "parley/internal/modelstub/...", "parley/e2e/..."}

var asideMay = []string{"parley", "parley/internal/screen", "parley/internal/vt"}

// never are imports that the floors alone would let pass.
var never = [][2]string{
	{"parley/internal/dash", "parley/courier"},            // it looks, it never types
	{"parley/internal/dash", "parley/internal/term/dial"}, //
	{"parley/internal/dialect", "parley/internal/vt"},     // screens meet dialects as screen.Screen
	{"parley/internal/term/...", "parley/internal/dialect"},
	{"parley/internal/inbox", "parley/internal/term/..."},
	{"parley/cmd/...", "parley/internal/term/dial"}, // only courier joins reading with typing
	{"parley/internal/ask", "parley/internal/term/dial"},
	{"parley/internal/mcp", "parley/internal/term/dial"},
	{"parley/internal/roster", "parley/internal/term/dial"},
}

// cliNames are those of the dialect files: a CLI is a file, not a case.
var cliNames = regexp.MustCompile(`(?i)\b(claude|codex|gemini|grok|opencode|copilot|qwen|droid)\b`)

var barred = []string{"manager", "service", "handler", "util", "utils", "helper", "common", "engine", "controller", "processor"}

const maxFunc, maxFile = 80, 500 // lines

// file is one Go file of the module.
type file struct {
	path string // from the module's root
	set  *token.FileSet
	tree *ast.File
}

func (f file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

func (f file) pkg() string { return path.Join("parley", path.Dir(f.path)) }

func (f file) lines(n ast.Node) int {
	return f.set.Position(n.End()).Line - f.set.Position(n.Pos()).Line + 1
}

func (f file) says(format string, args ...any) string {
	return f.path + ": " + fmt.Sprintf(format, args...)
}

func parse(t *testing.T, name string, src any) file {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file{name, set, tree}
}

func module(t *testing.T) []file {
	t.Helper()
	var all []file
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			all = append(all, parse(t, name, nil))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// in reports whether a pattern of the list takes the package in.
func in(list []string, pkg string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		root, deep := strings.CutSuffix(p, "/...")
		return pkg == root || deep && strings.HasPrefix(pkg, root+"/")
	})
}

// floor is the number of a package's floor, or -1.
func floor(pkg string) int {
	return slices.IndexFunc(floors, func(f []string) bool { return in(f, pkg) })
}

// wrongImports names what a file may not import.
func wrongImports(f file) (out []string) {
	from := floor(f.pkg())
	if from < 0 && !in(aside, f.pkg()) {
		return []string{f.says("%s stands on no floor", f.pkg())}
	}
	for _, spec := range f.tree.Imports {
		to, _ := strconv.Unquote(spec.Path.Value)
		if to != "parley" && !strings.HasPrefix(to, "parley/") || to == f.pkg() {
			continue
		}
		if !mayImport(f.pkg(), to, f.test()) {
			out = append(out, f.says("%s imports %s", f.pkg(), to))
		}
	}
	return out
}

func mayImport(from, to string, test bool) bool {
	a, b := floor(from), floor(to)
	switch {
	case test && (in(aside, from) || in(aside, to) || b <= a):
		return true
	case slices.ContainsFunc(never, func(n [2]string) bool { return in(n[:1], from) && in(n[1:], to) }):
		return false
	case in(aside, from):
		return in(aside, to) || slices.Contains(asideMay, to)
	case in(aside, to):
		return a == len(floors)-1 && !in([]string{"parley/e2e/..."}, to)
	}
	return b >= 0 && b < a
}

// namedCLIs finds names of CLIs in the strings of product code. What cmd
// prints for people may name one in a sentence or an example.
func namedCLIs(f file) (out []string) {
	if f.test() || in([]string{"parley/e2e/...", "parley/internal/modelstub/..."}, f.pkg()) {
		return nil
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || !cliNames.MatchString(lit.Value) {
			return true
		}
		if in([]string{"parley/cmd/..."}, f.pkg()) && strings.Contains(strings.TrimSpace(lit.Value), " ") {
			return true
		}
		out = append(out, f.says("line %d names a CLI: %.60s", f.set.Position(lit.Pos()).Line, lit.Value))
		return true
	})
	return out
}

// words splits a Go name: "UserIDHelper" is user, id, helper.
func words(name string) (out []string) {
	from := 0
	r := []rune(name)
	for i := 1; i <= len(r); i++ {
		if i == len(r) || unicode.IsUpper(r[i]) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			out = append(out, strings.ToLower(string(r[from:i])))
			from = i
		}
	}
	return out
}

// barredNames finds packages and types whose name says nothing.
func barredNames(f file) (out []string) {
	check := func(kind, name string) {
		for _, w := range words(name) {
			if slices.Contains(barred, w) {
				out = append(out, f.says("the %s name %s is barred", kind, name))
			}
		}
	}
	check("package", f.tree.Name.Name)
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok {
			check("type", s.Name.Name)
		}
		return true
	})
	return out
}

// tooLong finds files and, outside tests, functions over their budget.
func tooLong(f file) (out []string) {
	if n := f.set.File(f.tree.FileStart).LineCount(); n > maxFile {
		out = append(out, f.says("%d lines, at most %d", n, maxFile))
	}
	for _, d := range f.tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !f.test() && f.lines(fn) > maxFunc {
			out = append(out, f.says("func %s has %d lines, at most %d", fn.Name.Name, f.lines(fn), maxFunc))
		}
	}
	return out
}

// rounded finds the one word that hides what came of a message.
func rounded(f file) (out []string) {
	if f.test() {
		return nil
	}
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && regexp.MustCompile(`(?i)\bdelivered\b`).MatchString(lit.Value) {
			out = append(out, f.says("line %d prints %.60s", f.set.Position(lit.Pos()).Line, lit.Value))
		}
		return true
	})
	return out
}

var rules = map[string]func(file) []string{
	"imports":      wrongImports,
	"CLI names":    namedCLIs,
	"barred names": barredNames,
	"length":       tooLong,
	"rounded up":   rounded,
}

func TestFloors(t *testing.T) {
	all := module(t)
	if len(all) < 50 {
		t.Fatalf("only %d files were found", len(all))
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, f := range all {
				for _, breach := range rule(f) {
					t.Error(breach)
				}
			}
		})
	}
}

// Each rule is tried on a breach, and on its neighbour that is none.
func TestFloorsCatch(t *testing.T) {
	long := "package x\nfunc f() {" + strings.Repeat("\n", maxFunc) + "}"
	for _, c := range []struct {
		rule, path, src string
		breach          bool
	}{
		{"imports", "internal/inbox/a.go", `package inbox; import "parley/internal/term"`, true},
		{"imports", "internal/inbox/a.go", `package inbox; import "parley/internal/durable"`, false},
		{"imports", "internal/inbox/a.go", `package inbox; import "parley/internal/vt"`, true},
		{"imports", "internal/inbox/a_test.go", `package inbox; import "parley/internal/vt"`, false},
		{"imports", "internal/dialect/a.go", `package dialect; import "parley/internal/transcript"`, true},
		{"imports", "internal/inbox/a_test.go", `package inbox; import "parley/courier"`, true},
		{"imports", "internal/dialect/a.go", `package dialect; import "parley/internal/vt"`, true},
		{"imports", "internal/term/tmux/a.go", `package tmux; import "parley/internal/dialect"`, true},
		{"imports", "internal/term/tmux/a.go", `package tmux; import "parley/internal/vt"`, false},
		{"imports", "internal/dash/a.go", `package dash; import "parley/courier"`, true},
		{"imports", "internal/dash/a.go", `package dash; import "parley/internal/roster"`, false},
		{"imports", "cmd/parley/a.go", `package main; import "parley/internal/term/dial"`, true},
		{"imports", "cmd/parley/a.go", `package main; import "parley/internal/practice"`, false},
		{"imports", "courier/a.go", `package courier; import "parley/internal/practice"`, true},
		{"imports", "courier/a.go", `package courier; import "parley/internal/term/dial"`, false},
		{"imports", "internal/practice/a.go", `package practice; import "parley/internal/dialect"`, true},
		{"imports", "internal/practice/a.go", `package practice; import "parley/internal/vt"`, false},
		{"imports", "e2e/rig/a.go", `package rig; import "parley/courier"`, true},
		{"imports", "parley.go", `package parley; import "parley/internal/screen"`, true},
		{"imports", "internal/tools/a.go", `package tools`, true},
		{"CLI names", "courier/a.go", "package courier; const c = \"claude\"", true},
		{"CLI names", "courier/a.go", "package courier // as claude does", false},
		{"CLI names", "courier/a_test.go", "package courier; const c = \"claude\"", false},
		{"CLI names", "cmd/parley/a.go", "package main; const c = \"codex\"", true},
		{"CLI names", "cmd/parley/a.go", "package main; const c = `tmux new -s backend codex`", false},
		{"barred names", "courier/a.go", "package courier; type pasteHelper struct{}", true},
		{"barred names", "courier/a.go", "package util", true},
		{"barred names", "courier/a.go", "package courier; type utility struct{}", false},
		{"length", "courier/a.go", long, true},
		{"length", "courier/a.go", strings.Replace(long, "\n\n", "\n", 1), false},
		{"length", "courier/a_test.go", long, false},
		{"length", "courier/a.go", "package x" + strings.Repeat("\n//", maxFile), true},
		{"rounded up", "courier/a.go", "package courier; const s = \"message delivered\"", true},
		{"rounded up", "courier/a.go", "package courier; const s = \"deliver again\"", false},
	} {
		if got := rules[c.rule](parse(t, c.path, c.src)); (len(got) > 0) != c.breach {
			t.Errorf("%s in %s: %.70q: %q", c.rule, c.path, c.src, got)
		}
	}
}
