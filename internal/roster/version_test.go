package roster

import (
	"os"
	"path/filepath"
	"testing"

	"parley/internal/dialect"
	"parley/internal/proc"
)

// TestVersion: the version is that of the program, not of what runs it.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	put := func(path, text string) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(to, from string) string {
		from = filepath.Join(dir, from)
		if err := os.MkdirAll(filepath.Dir(from), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
		return from
	}
	node := put("node/22.4.1/bin/node", "")
	script := put("lib/node_modules/@x/cli/dist/cli.js", "")
	put("lib/node_modules/@x/cli/package.json", `{"name":"cli","version":"1.6.0"}`)
	put("lib/node_modules/@x/cli/dist/package.json", `{"type":"module"}`)
	platform := put("lib/node_modules/@y/cli-linux/vendor/cli", "")
	put("lib/node_modules/@y/cli-linux/package.json", `{"version":"0.171.0-linux-x64"}`)
	inPath := put("share/versions/2.1.332", "")
	put("home/package.json", `{"version":"1.0.0"}`)
	below := put("home/.local/share/cli/versions/2.1.332", "")
	put("nvm/v24.21.0/lib/node_modules/cli/package.json", `{"version":"1.6.0"}`)
	under := put("nvm/v24.21.0/lib/node_modules/cli/dist/cli.js", "")
	bare := put("bare/cli", "")
	broken := put("broken/pkg/cli", "")
	put("broken/pkg/package.json", `{"version":`)
	d := &dialect.Dialect{}
	d.Process.Exe = []string{"cli"}
	started := link(script, "started/cli")
	for _, c := range []struct {
		name string
		p    proc.Process
		env  string
		want string
	}{
		{"a script under an interpreter", proc.Process{Exe: node, Argv: []string{"node", script, "--flag"}}, "", "1.6.0"},
		{"by a link", proc.Process{Exe: node, Argv: []string{"node", link(script, "bin/cli")}}, "", "1.6.0"},
		{"a platform's package", proc.Process{Exe: platform, Argv: []string{"cli"}}, "", "0.171.0"},
		{"in the path", proc.Process{Exe: inPath, Argv: []string{"cli"}}, "", "2.1.332"},
		{"in the path, by a link", proc.Process{Exe: link(inPath, "bin/claude"), Argv: []string{"claude"}}, "", "2.1.332"},
		{"a package.json of somebody else's far above", proc.Process{Exe: below, Argv: []string{"cli"}}, "", "2.1.332"},
		{"the interpreter's version far above", proc.Process{Exe: node, Argv: []string{"node", under}}, "", "1.6.0"},
		{"never the interpreter's own", proc.Process{Exe: node, Argv: []string{"node", "relative.js"}}, "", ""},
		{"it has rewritten its command line", proc.Process{Exe: node, Argv: []string{"cli"}}, started, "1.6.0"},
		{"another program started it", proc.Process{Exe: node, Argv: []string{"cli"}}, node, ""},
		{"nothing says it", proc.Process{Exe: bare, Argv: []string{"cli"}}, "", ""},
		{"a broken package.json", proc.Process{Exe: broken, Argv: []string{"cli"}}, "", ""},
		{"a prompt that looks like a path", proc.Process{Exe: platform, Argv: []string{"cli", "/tmp/v9.9.9/x"}}, "", "0.171.0"},
		{"nothing may be read", proc.Process{}, "", ""},
	} {
		if got := versionOf(witnesses(d, c.p, func(string) (string, bool) { return c.env, c.env != "" })); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
