package roster

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"

	"parley/internal/proc"
)

var versionHead = regexp.MustCompile(`^\d+\.\d+\.\d+`)

var versionInPath = regexp.MustCompile(`(?:^|[/@-])v?(\d+\.\d+\.\d+)(?:/|$)`)

// versionOf reads the version from where the program lies: the package.json
// above its executable or script, else a path element that is a version. It
// asks the program nothing.
func versionOf(p proc.Process) string {
	files := []string{p.Exe}
	for _, a := range p.Argv[min(1, len(p.Argv)):] {
		if filepath.IsAbs(a) {
			files = append(files, a)
			break
		}
	}
	// The script is the better witness: an interpreter has a version of its own.
	for i := len(files) - 1; i >= 0; i-- {
		f, err := filepath.EvalSymlinks(files[i])
		if err != nil {
			f = files[i]
		}
		if v := packageVersion(f); v != "" {
			return v
		}
		if m := versionInPath.FindStringSubmatch(f); m != nil {
			return m[1]
		}
	}
	return ""
}

func packageVersion(file string) string {
	for dir := filepath.Dir(file); len(dir) > 1; dir = filepath.Dir(dir) {
		b, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			continue
		}
		var pkg struct{ Version string }
		if json.Unmarshal(b, &pkg) == nil && pkg.Version != "" {
			return versionHead.FindString(pkg.Version) // without a platform behind it
		}
	}
	return ""
}
