package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parley/internal/dialect"
)

// installed is the path of each CLI's program on this machine. A program
// counts for the CLI that it would be recognised as when it runs, whatever its
// name: two can share one. Else it counts for the CLI that bears the name. One
// that this program itself can run is here.
func installed(set dialect.Set) map[string]string {
	here := map[string]string{}
	for _, name := range set.Names() {
		d, _ := set.CLI(name)
		for _, program := range programs(d) {
			path, err := exec.LookPath(program)
			if err != nil {
				continue
			}
			who := name
			if is, ok := set.Recognise(running(path)); ok {
				who = is.CLI
			}
			if here[who] == "" {
				here[who] = path
			}
		}
	}
	for _, name := range set.Names() {
		if d, _ := set.CLI(name); here[name] == "" && itself(d) != "" {
			here[name] = itself(d)
		}
	}
	return here
}

// itself is the path of this program if it brings the CLI along.
func itself(d *dialect.Dialect) string {
	self, err := os.Executable()
	if err != nil || !d.Process.Is(dialect.ProcessInfo{Argv: []string{self, d.CLI}}) {
		return ""
	}
	return self
}

// programs are the names under which a CLI may lie on PATH.
func programs(d *dialect.Dialect) []string {
	if len(d.Process.Exe) > 0 {
		return d.Process.Exe
	}
	return []string{d.CLI}
}

// running is what the OS would show of a program that is started from a file:
// a script runs in its interpreter.
func running(path string) dialect.ProcessInfo {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	if in := interpreter(real); in != "" {
		return dialect.ProcessInfo{Argv: []string{in, real}}
	}
	return dialect.ProcessInfo{Exe: real, Argv: []string{path}}
}

// interpreter is the program that the first line of a script names, as
// `#!/usr/bin/env node` or `#!/usr/bin/node`; "" for a file that has none.
func interpreter(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if err != nil || !strings.HasPrefix(line, "#!") || len(words) == 0 {
		return ""
	}
	if filepath.Base(words[0]) != "env" {
		return words[0]
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			return w
		}
	}
	return ""
}
