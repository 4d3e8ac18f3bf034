package dialect

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed data/*.toml
var shipped embed.FS

// Set holds every dialect that was loaded, by the name of its CLI.
type Set struct{ byCLI map[string]*Dialect }

// Load reads the dialects that parley brings along, then the *.toml files of
// userDir: one with the same cli replaces ours, another adds a CLI. An empty
// or missing folder is no error; an unknown key, a bad pattern or a rule that
// could never match is, and names the file and the line.
func Load(userDir string) (Set, error) {
	set := Set{byCLI: map[string]*Dialect{}}
	if err := set.read(shipped, "data", "built-in ", trust); err != nil {
		return Set{}, err
	}
	if userDir == "" {
		return set, nil
	}
	if err := set.read(os.DirFS(userDir), ".", userDir+string(filepath.Separator), parse); err != nil {
		return Set{}, err
	}
	return set, nil
}

func (s Set) read(from fs.FS, dir, label string, parse func(text []byte, file string) (*Dialect, error)) error {
	names, err := fs.Glob(from, filepath.ToSlash(filepath.Join(dir, "*.toml")))
	if err != nil {
		return fmt.Errorf("list dialects in %s: %w", label, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return fmt.Errorf("read dialect: %w", err)
		}
		d, err := parse(text, label+filepath.Base(name))
		if err != nil {
			return Mistake{err}
		}
		if old, ok := s.byCLI[d.CLI]; ok {
			d.Replaces = old.File
		}
		s.byCLI[d.CLI] = d
	}
	return nil
}

// Check reads one file as Load would. Its error says what is wrong where, as
// "file:line: what".
func Check(path string) (*Dialect, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read dialect: %w", err)
	}
	d, err := parse(text, path)
	if err != nil {
		return nil, Mistake{err}
	}
	return d, nil
}

// CLI returns the dialect of one CLI by its name.
func (s Set) CLI(name string) (*Dialect, bool) {
	d, ok := s.byCLI[name]
	return d, ok
}

// Names lists the CLIs of the set in alphabetical order.
func (s Set) Names() []string {
	var names []string
	for n := range s.byCLI {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// parse reads one file and compiles its patterns. Every error begins with
// "file:line: ".
func parse(text []byte, file string) (*Dialect, error) {
	raw, err := decode(text, file)
	if err != nil {
		return nil, err
	}
	if err := compileAll(reflect.ValueOf(raw)); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, lineOf(text, err), err)
	}
	return raw.dialect(text, file)
}

// trust is parse for our own files, which a test parses: their patterns are
// compiled when they are needed.
func trust(text []byte, file string) (*Dialect, error) {
	raw, err := decode(text, file)
	if err != nil {
		return nil, err
	}
	return raw.dialect(text, file)
}

func decode(text []byte, file string) (raw source, err error) {
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&raw); err != nil {
		return raw, located(file, err)
	}
	return raw, nil
}

// located puts file and line in front of what the TOML reader says.
func located(file string, err error) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) && len(missing.Errors) > 0 {
		e := missing.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("%s:%d: unknown key %s", file, row, strings.Join(e.Key(), "."))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		row, _ := bad.Position()
		return fmt.Errorf("%s:%d: %w", file, row, err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Mistake is what is wrong in a dialect file: "file:line: what".
type Mistake struct{ error }

func (m Mistake) Unwrap() error { return m.error }

// ruleError is a mistake that only shows when a whole table is looked at; name
// finds its line.
type ruleError struct{ name, what string }

func (e ruleError) Error() string { return fmt.Sprintf("%q: %s", e.name, e.what) }

// lineOf finds the line that names the table of a ruleError, else 1. Of two
// tables with one name it is the later.
func lineOf(text []byte, err error) int {
	var e ruleError
	if !errors.As(err, &e) || e.name == "" {
		return 1
	}
	i := bytes.LastIndex(text, []byte(`name = "`+e.name+`"`))
	if i < 0 {
		i = bytes.Index(text, []byte(e.name))
	}
	return 1 + bytes.Count(text[:max(i, 0)], []byte("\n"))
}
