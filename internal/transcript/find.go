// Package transcript finds the record that a CLI keeps of its own
// conversation, looks in it for a prompt that has arrived (the strongest proof
// there is that a text came through whole), and for what the agent said then.
package transcript

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"parley/internal/dialect"
)

// Proc is what is known about the process whose record is sought.
type Proc struct {
	PID       int
	Start     string          // as package proc has it
	Config    string          // its config folder
	Cwd       string          // its working folder; "" if not known: then any
	Session   string          // its conversation, where that is proven
	OpenFiles func() []string // paths of its open files; called only if a source asks
}

// File is a record that may be the process's.
type File struct {
	Path    string
	Session string // the session's id where a source tells it, else empty
}

// recentMax bounds how many files a source by age gives.
const recentMax = 24

// Find gives the files that may be p's record, best first. The dialect's
// sources are tried in order, and the first that finds anything decides. A
// source by age gives the newest files that were written to after since: they
// can belong to another session in the same folder, so that only their text is
// proof.
func Find(t dialect.Transcript, p Proc, since time.Time) []File {
	for _, s := range t.Sources {
		if found := by(s, p, since); len(found) > 0 {
			return found
		}
	}
	return nil
}

// Left gives the files that may be the record of a process that has ended, or
// of a conversation that it has left: those that its CLI has written to after
// since, newest first. Only their text is proof.
func Left(t dialect.Transcript, p Proc, since time.Time) []File {
	var found []File
	for _, s := range t.Sources {
		if s.By == "fd" {
			continue // what it held open, it does not any more
		}
		for _, f := range byAge(s, p, since) {
			if !slices.Contains(found, f) {
				found = append(found, f)
			}
		}
	}
	return found
}

// At is the record at a path.
func At(path string) File { return File{path, sessionIn(path)} }

// Certain gives the files that are p's record for certain: those that the
// process names or holds open, or the one of its proven session.
func Certain(t dialect.Transcript, p Proc) []File {
	for _, s := range t.Sources {
		if s.By == "recent" && p.Session == "" {
			continue
		}
		found := by(s, p, time.Time{})
		if s.By == "recent" {
			found = slices.DeleteFunc(found, func(f File) bool { return f.Session != p.Session })
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func by(s dialect.Source, p Proc, since time.Time) []File {
	switch s.By {
	case "pidfile":
		return byPIDFile(s, p)
	case "fd":
		return byOpenFile(s, p)
	case "recent":
		return byAge(s, p, since)
	}
	return nil
}

// plainID is what a session id may hold, so that it cannot lead out of its
// folder or be a pattern.
var plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// byPIDFile reads the session's id from a file of the process's, each time
// anew: a CLI can begin a new session while it runs.
func byPIDFile(s dialect.Source, p Proc) []File {
	text, err := os.ReadFile(fill(s.File, p, "", ""))
	if err != nil {
		return nil
	}
	var members map[string]any
	if json.Unmarshal(text, &members) != nil {
		return nil
	}
	id, _ := members[s.Key].(string)
	if !plainID.MatchString(id) {
		return nil
	}
	var found []File
	for _, path := range glob(s.Path, p, id) {
		found = append(found, File{path, id})
	}
	return found
}

// byOpenFile takes the files that the process holds open, or the record beside
// one of them; here Path is a regular expression.
func byOpenFile(s dialect.Source, p Proc) []File {
	re, err := regexp.Compile(s.Path)
	if err != nil || p.OpenFiles == nil {
		return nil
	}
	var found []File
	for _, path := range p.OpenFiles() {
		if !re.MatchString(path) {
			continue
		}
		if s.File != "" {
			path = filepath.Join(filepath.Dir(path), s.File)
		}
		if f := At(path); !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	return found
}

func byAge(s dialect.Source, p Proc, since time.Time) []File {
	type aged struct {
		path string
		at   time.Time
	}
	var files []aged
	for _, path := range glob(s.Path, p, "*") {
		st, err := os.Stat(path)
		if err == nil && st.Mode().IsRegular() && !st.ModTime().Before(since) {
			files = append(files, aged{path, st.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b aged) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path))
	})
	var found []File
	for _, f := range files[:min(len(files), recentMax)] {
		found = append(found, At(f.path))
	}
	return found
}

var uuid = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// sessionIn gives the UUID that a record's name holds, or its folder's, which is
// its session's id; empty if neither does.
func sessionIn(path string) string {
	for _, name := range []string{filepath.Base(path), filepath.Base(filepath.Dir(path))} {
		if ids := uuid.FindAllString(name, -1); len(ids) > 0 {
			return ids[len(ids)-1]
		}
	}
	return ""
}

// glob gives the files that a pattern matches once its names are filled in.
func glob(pattern string, p Proc, session string) []string {
	var found []string
	for _, cwd := range folderNames(p.Cwd) {
		paths, err := filepath.Glob(fill(pattern, p, session, cwd))
		if err != nil {
			return nil
		}
		for _, path := range paths {
			if !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
		if !strings.Contains(pattern, "{cwd}") {
			break
		}
	}
	return found
}

// Fill replaces {config} and {pid} in the path of a file of the process's.
func Fill(path string, p Proc) string { return fill(path, p, "", "") }

// fill replaces {config}, {pid}, {session} and {cwd}. Where session and cwd are
// given it makes a pattern, and what is special in the folder's own name is
// escaped.
func fill(s string, p Proc, session, cwd string) string {
	config := p.Config
	if session != "" {
		config = escape.ReplaceAllString(config, `\$0`)
	}
	return strings.NewReplacer("{config}", config, "{pid}", strconv.Itoa(p.PID), "{session}", session, "{cwd}", cwd).Replace(s)
}

var escape = regexp.MustCompile(`[\\*?\[]`)

// folderNames are patterns for how a CLI makes one name of a working folder:
// "/" becomes "-", the first one too or not at all; other signs are kept by
// some and become "-" with others.
func folderNames(cwd string) []string {
	if cwd == "" {
		return []string{"*"}
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '-'
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return r
		}
		return '?'
	}, cwd)
	return []string{name, strings.TrimPrefix(name, "-")}
}
