package dialect

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed template.toml
var template string

// nameShape is what a dialect, its file and its CLI may be called.
var nameShape = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ValidName reports whether a new dialect may bear the name.
func ValidName(s string) bool { return nameShape.MatchString(s) }

// New is a file to begin with, all of it comments but for what is safe. It
// loads, and every screen reads unreadable by it. process is its [process]
// table (see ProcessOf); "" = one to fill in.
func New(name, process string) []byte {
	if process == "" {
		process = "# How a running program is known to be this CLI: the name of its executable, or\n" +
			"# what matches its whole command line (`ps -o args`, joined by blanks).\n" +
			"[process]\n# exe = [\"" + name + "\"]\n# argv = ['^(\\S*/)?node( --?\\S+)* \\S*/(\\.?bin/" + name + ")( |$)']\n" +
			"# not = [' (-p|--print|mcp)( |$)'] # ways to run it that have no input box\n"
	}
	return []byte(strings.NewReplacer("{name}", name, "{process}", process).Replace(template))
}

// own are the tables that are a CLI's own: a copy for another one goes without.
// [clear] is one of them: what a key takes out of a box must have been seen.
var own = []string{"process", "transcript", "state", "sender", "clear"}

// Copy is a file to begin with, made of another dialect: unproven, and tried on
// nothing.
func (d *Dialect) Copy(name, process string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, begun as a copy of %s.\n", name, d.File)
	table, skip := "", false
	for line := range strings.Lines(string(d.text)) {
		key, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(key, "[") {
			table = strings.TrimLeft(strings.SplitN(key, "]", 2)[0], "[")
			skip = name != d.CLI && slices.Contains(own, strings.SplitN(table, ".", 2)[0])
			if skip && table == "process" {
				b.WriteString(strings.TrimSuffix(process, "\n") + "\n\n")
			}
		}
		switch {
		case skip:
		case table == "" && key == "cli":
			fmt.Fprintf(&b, "cli = %q\n", name)
		case table == "" && key == "name" && name != d.CLI:
			fmt.Fprintf(&b, "name = %q\n", name)
		case table == "" && key == "status":
			b.WriteString("status = \"unproven\" # typed into only where the config lists it under `unproven`\n")
		case table == "" && key == "tested":
			b.WriteString("tested = []\n")
		default:
			b.WriteString(line)
		}
	}
	return []byte(b.String())
}

// runtimes run other people's programs: their own name says nothing.
var runtimes = regexp.MustCompile(`^(node|nodejs|bun|deno|python[0-9.]*|ruby|perl|java|tsx)$`)

var shells = regexp.MustCompile(`^-?(ba|da|fi|k|z|c|tc)?sh$|^(tmux|ssh|sudo|env|login|screen)$`)

// ProcessOf writes the [process] table by which a running program is known,
// under a comment with its command line. It fails for a shell, and for what it
// finds no mark of.
func ProcessOf(i ProcessInfo) (string, error) {
	exe := strings.TrimSuffix(filepath.Base(i.Exe), " (deleted)")
	line := strings.Join(i.Argv, " ")
	var pattern string
	switch {
	case len(i.Argv) == 0 || i.Exe == "":
		return "", fmt.Errorf("the OS does not say what it is")
	case shells.MatchString(exe):
		return "", fmt.Errorf("it is %s: start the CLI in that pane first", exe)
	case !runtimes.MatchString(exe):
		return fmt.Sprintf("[process] # %s\nexe = [%q]\n", oneLine(i.Exe), exe), nil
	case script(i.Argv) != "":
		pattern = `^(\S*/)?` + regexp.QuoteMeta(filepath.Base(i.Argv[0])) + `( --?\S+)* (\S*/)?` + tailOf(script(i.Argv)) + `( |$)`
	default: // it has given itself a title
		pattern = `^` + regexp.QuoteMeta(strings.Fields(line + " -")[0]) + `( |$)`
	}
	re, err := regexp.Compile(pattern)
	if err != nil || !re.MatchString(line) || strings.Contains(pattern, "'") {
		return "", fmt.Errorf("no pattern could be made for %q", line)
	}
	// What follows the script may be private: it is not written down.
	return fmt.Sprintf("[process] # %s %s …\nargv = ['%s']\n", oneLine(i.Argv[0]), oneLine(script(i.Argv)), pattern), nil
}

// script is the first argument that is no option.
func script(argv []string) string {
	for _, a := range argv[1:] {
		if !strings.HasPrefix(a, "-") {
			return a
		}
	}
	return ""
}

// tailOf is a pattern for the last two elements of a script's path: where it
// was installed is the user's business. A bin folder may be npm's .bin.
func tailOf(path string) string {
	dir, file := filepath.Base(filepath.Dir(path)), regexp.QuoteMeta(filepath.Base(path))
	switch dir {
	case "bin", ".bin":
		return `\.?bin/` + file
	case ".", "/":
		return file
	}
	return regexp.QuoteMeta(dir) + "/" + file
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 90 {
		return string(r[:90]) + "…"
	}
	return s
}
