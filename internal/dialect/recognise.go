package dialect

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ProcessInfo is what the OS says about a running process.
type ProcessInfo struct {
	Exe  string   // path of the executable; "" if it may not be read
	Argv []string // as started, or as the process has rewritten it
}

// Recognise finds the CLI that a process is, by its executable or by its
// command line. Two files that claim one process are settled by name.
func (s Set) Recognise(p ProcessInfo) (*Dialect, bool) {
	for _, name := range s.Names() {
		if d := s.byCLI[name]; d.Process.Is(p) {
			return d, true
		}
	}
	return nil, false
}

// Is reports whether a process is this CLI.
func (p Process) Is(i ProcessInfo) bool {
	line := strings.Join(i.Argv, " ")
	for _, not := range p.Not {
		if not.MatchString(line) {
			return false
		}
	}
	exe := strings.TrimSuffix(filepath.Base(i.Exe), " (deleted)") // an update replaced the file
	if i.Exe != "" && slices.Contains(p.Exe, exe) {
		return true
	}
	for _, argv := range p.Argv {
		if argv.MatchString(line) {
			return true
		}
	}
	return false
}

// Proven reports whether the dialect was tried against the real CLI.
func (d *Dialect) Proven() bool { return d.Status == "proven" }

// Known says how a version stands to those the dialect was tried on.
type Known string

const (
	TestedVersion Known = "tested"
	Newer         Known = "newer"   // than the newest tested one
	Older         Known = "older"   // than the oldest tested one
	Between       Known = "between" // two tested ones
	NoVersion     Known = "unknown" // no version is known
)

// Knows compares a version with the tested ones.
func (d *Dialect) Knows(version string) Known {
	switch {
	case version == "" || len(d.Tested) == 0:
		return NoVersion
	case slices.Contains(d.Tested, version):
		return TestedVersion
	case compareVersions(version, slices.MaxFunc(d.Tested, compareVersions)) > 0:
		return Newer
	case compareVersions(version, slices.MinFunc(d.Tested, compareVersions)) < 0:
		return Older
	}
	return Between
}

// SubmitKey is the key that submits in a version, idle or working: that of the
// nearest bound above it, else Submit.Key, which is also an unknown version's.
func (d *Dialect) SubmitKey(version string, t Turn) string {
	key := keyBefore(d.Submit.Before, version, d.Submit.Key)
	if t == Working {
		key = keyBefore(d.Submit.Working, version, key)
	}
	return key
}

func keyBefore(keys map[string]string, version, key string) string {
	bound := ""
	for before, k := range keys {
		if version != "" && compareVersions(version, before) < 0 && (bound == "" || compareVersions(before, bound) < 0) {
			key, bound = k, before
		}
	}
	return key
}

// ClearKey is the key that takes text out of the box in a version; "" if none
// is known, as for an unknown version where not all have it.
func (d *Dialect) ClearKey(version string) string {
	if c := d.Clear; c.Since == "" || version != "" && compareVersions(version, c.Since) >= 0 {
		return c.Key
	}
	return ""
}

// compareVersions compares the numbers of two versions in turn; what is not a
// number counts as 0.
func compareVersions(a, b string) int {
	as, bs := strings.FieldsFunc(a, notDigit), strings.FieldsFunc(b, notDigit)
	for i := range max(len(as), len(bs)) {
		if x, y := part(as, i), part(bs, i); x != y {
			return x - y
		}
	}
	return 0
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

func part(s []string, i int) int {
	if i >= len(s) {
		return 0
	}
	n, _ := strconv.Atoi(s[i])
	return n
}
