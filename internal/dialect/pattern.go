package dialect

import (
	"reflect"
	"regexp"
	"sync"
)

// Pattern is a regular expression of a dialect file. It is compiled when it is
// first used: a sender meets one CLI, and compiling the patterns of all of them
// took a millisecond of each start. The zero Pattern is none.
type Pattern struct{ *lazy }

type lazy struct {
	text    string
	compile func() (*regexp.Regexp, error)
}

// UnmarshalText keeps the text; see compileAll for its mistakes.
func (p *Pattern) UnmarshalText(text []byte) error {
	s := string(text)
	p.lazy = &lazy{s, sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(s) })}
	return nil
}

// Set reports whether there is a pattern.
func (p Pattern) Set() bool { return p.lazy != nil }

// String is the pattern's text.
func (l *lazy) String() string { return l.text }

// MatchString reports whether s holds a match.
func (l *lazy) MatchString(s string) bool { return l.re().MatchString(s) }

// FindStringIndex is that of package regexp.
func (l *lazy) FindStringIndex(s string) []int { return l.re().FindStringIndex(s) }

// FindAllStringSubmatchIndex is that of package regexp.
func (l *lazy) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return l.re().FindAllStringSubmatchIndex(s, n)
}

// re is the compiled pattern. A bad one does not get this far: a user's file
// is refused when it is read, and ours are compiled by a test.
func (l *lazy) re() *regexp.Regexp {
	re, err := l.compile()
	if err != nil {
		panic(err)
	}
	return re
}

// compileAll compiles every pattern of a file and returns the first mistake.
func compileAll(v reflect.Value) error {
	if !v.CanInterface() {
		return nil
	}
	if p, ok := v.Interface().(Pattern); ok {
		if !p.Set() {
			return nil
		}
		if _, err := p.compile(); err != nil {
			return ruleError{p.text, err.Error()}
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if err := compileAll(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := compileAll(v.Index(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
