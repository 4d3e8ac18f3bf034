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
	set, wrong := Survey(userDir)
	if len(wrong) > 0 {
		return Set{}, wrong[0]
	}
	return set, nil
}

// Survey is Load for people who mend files: what is wrong is left out of the
// set, and said for each file.
func Survey(userDir string) (set Set, wrong []error) {
	set = Set{byCLI: map[string]*Dialect{}}
	wrong = set.read(shipped, "data", "built-in ", trust)
	if userDir == "" {
		return set, wrong
	}
	return set, append(wrong, set.read(os.DirFS(userDir), ".", userDir+string(filepath.Separator), parse)...)
}

func (s Set) read(from fs.FS, dir, label string, parse func(text []byte, file string) (*Dialect, error)) (wrong []error) {
	names, err := fs.Glob(from, filepath.ToSlash(filepath.Join(dir, "*.toml")))
	if err != nil {
		return []error{fmt.Errorf("list dialects in %s: %w", label, err)}
	}
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("read dialect: %w", err))
			continue
		}
		d, err := parse(text, label+filepath.Base(name))
		if err != nil {
			wrong = append(wrong, Mistake{err})
			continue
		}
		if old, ok := s.byCLI[d.CLI]; ok {
			d.Replaces = old.File
		}
		s.byCLI[d.CLI] = d
	}
	return wrong
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
	if err := checkReach(reflect.ValueOf(raw), ""); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, lineOf(text, err), err)
	}
	d, err := raw.dialect(text, file)
	if err != nil {
		return nil, err
	}
	if err := d.Process.checkProcess(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, lineOf(text, err), err)
	}
	return d, nil
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
	at := bytes.LastIndex(text, []byte(`name = "`+e.name+`"`))
	for _, form := range []string{`"` + e.name + `"`, `'` + e.name + `'`, e.name} {
		if at < 0 {
			at = bytes.Index(text, []byte(form))
		}
	}
	return 1 + bytes.Count(text[:max(at, 0)], []byte("\n"))
}
