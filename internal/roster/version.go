package roster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"parley/internal/dialect"
	"parley/internal/proc"
)

var versionHead = regexp.MustCompile(`^\d+\.\d+\.\d+`)

var versionElement = regexp.MustCompile(`(?:^|[@-])v?(\d+\.\d+\.\d+)$`)

// interpreters have a version of their own, which is not the CLI's.
var interpreters = regexp.MustCompile(`^(node|bun|deno|python[0-9.]*)$`)

// witnesses are the files that can tell the version of a process's CLI, the
// best one first. Where the executable is the CLI itself, a path among its
// arguments is no script. A process that has rewritten its command line can
// still have the path by which a shell started it in its environment.
func witnesses(d *dialect.Dialect, p proc.Process, env func(string) (string, bool)) (files []string) {
	if slices.Contains(d.Process.Exe, filepath.Base(p.Exe)) {
		return []string{p.Exe}
	}
	for _, a := range p.Argv[min(1, len(p.Argv)):] {
		if filepath.IsAbs(a) {
			files = append(files, a)
			break
		}
	}
	if !interpreters.MatchString(filepath.Base(p.Exe)) {
		files = append(files, p.Exe)
	}
	if start, _ := env("_"); filepath.IsAbs(start) && slices.Contains(d.Process.Exe, filepath.Base(start)) {
		files = append(files, start)
	}
	return files
}

// versionOf reads the version from where a file lies, the first file that tells.
func versionOf(files []string) string {
	for _, f := range files {
		if v := VersionAt(f); v != "" {
			return v
		}
	}
	return ""
}

// VersionAt reads the version of a program from where its file lies: of the
// package.json above it and the path elements that are a version, whichever is
// nearest. It asks the program nothing. "" where nothing tells.
func VersionAt(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	for at := file; len(at) > 1; at = filepath.Dir(at) {
		if m := versionElement.FindStringSubmatch(filepath.Base(at)); m != nil {
			return m[1]
		}
		if v := packageVersion(filepath.Dir(at)); v != "" {
			return v
		}
	}
	return ""
}

func packageVersion(dir string) string {
	b, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return ""
	}
	var pkg struct{ Version string }
	if json.Unmarshal(b, &pkg) != nil {
		return ""
	}
	return versionHead.FindString(pkg.Version) // without a platform behind it
}
