package dialect

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func checkText(t *testing.T, text []byte) *Dialect {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.toml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Check(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

// TestNewIsSafe: a file as it is begun loads, claims nothing and reads nothing.
func TestNewIsSafe(t *testing.T) {
	d := checkText(t, New("mine", ""))
	if d.CLI != "mine" || d.Proven() || d.Process.Is(ProcessInfo{Exe: "/bin/mine", Argv: []string{"mine"}}) {
		t.Errorf("%+v", d)
	}
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if r := d.Read(f.Screen, f.Version); r.MayType || r.Composer != Unreadable {
			t.Errorf("%s: %+v", f, r)
		}
	}
}

// TestNewUncommented takes the comment signs off everything that is an example:
// what the file shows must load too.
func TestNewUncommented(t *testing.T) {
	var out []string
	table := false
	for line := range strings.Lines(string(New("mine", ""))) {
		bare := strings.TrimPrefix(line, "# ")
		if key, _, ok := strings.Cut(bare, " = "); strings.HasPrefix(bare, "[") || ok && !strings.Contains(key, " ") && table {
			line, table = bare, true
		} else if strings.TrimSpace(line) == "" {
			table = false
		}
		out = append(out, line)
	}
	d := checkText(t, []byte(strings.Join(out, "")))
	if len(d.boxes) != 3 || len(d.rules) != 3 || len(d.tokens) != 1 || len(d.Transcript.Sources) != 1 || len(d.below.Items) != 2 || len(d.Process.Exe) != 1 || d.Paste.Newlines != 3 {
		t.Errorf("%s: %+v", d.Counts(), d)
	}
}

// TestCopyReadsTheSame begins a copy of each of ours and reads all frames by it.
func TestCopyReadsTheSame(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, name := range s.Names() {
		d := cli(t, s, name)
		over, other := checkText(t, d.Copy(name, "")), checkText(t, d.Copy("mine", "[process]\nexe = [\"mine\"]\n"))
		for _, c := range []*Dialect{over, other} {
			if c.Proven() || len(c.Tested) > 0 || c.Counts() != d.Counts() {
				t.Errorf("%s: %s, %s", name, c.Status, c.Counts())
			}
		}
		if over.Name != d.Name || !reflect.DeepEqual(over.Process.Exe, d.Process.Exe) || len(over.Transcript.Sources) != len(d.Transcript.Sources) {
			t.Errorf("%s: the copy that takes its place: %+v", name, over)
		}
		if other.CLI != "mine" || other.Name != "mine" || strings.Join(other.Process.Exe, " ") != "mine" || len(other.Process.Argv)+len(other.Transcript.Sources)+len(other.State.Turns) > 0 || other.Sender.Env+other.Clear.Key+other.Transcript.Reply.ID != "" {
			t.Errorf("%s: the copy for another CLI: %+v", name, other)
		}
		for _, f := range all {
			if f.cli != name {
				continue
			}
			want := short(d.Read(f.Screen, f.Version))
			if got := short(over.Read(f.Screen, f.Version)); got != want {
				t.Errorf("%s: %s, want %s", f, got, want)
			}
		}
	}
}

func TestProcessOf(t *testing.T) {
	for _, c := range []struct {
		exe, argv, want, not string // not: a line that it must not claim
	}{
		{"/usr/bin/crunch", "crunch -v", "exe = [\"crunch\"]", "munch"},
		{"/opt/x/crunch (deleted)", "crunch", "exe = [\"crunch\"]", "sh"},
		{"/usr/bin/node", "node /home/d/n/node_modules/.bin/chat --x", `argv = ['^(\S*/)?node( --?\S+)* (\S*/)?\.?bin/chat( |$)']`, "node /x/.bin/chat2"},
		{"/usr/bin/node", "/usr/bin/node --max-old-space-size=1 /n/@a/chat/dist/cli.js", `argv = ['^(\S*/)?node( --?\S+)* (\S*/)?dist/cli\.js( |$)']`, "node /n/dist/clixjs"},
		{"/usr/bin/python3.13", "python3 chat.py secret", `argv = ['^(\S*/)?python3( --?\S+)* (\S*/)?chat\.py( |$)']`, "python3 app.py"},
		{"/usr/bin/node", "chat", "argv = ['^chat( |$)']", "chatter"},
	} {
		info := ProcessInfo{Exe: c.exe, Argv: strings.Fields(c.argv)}
		table, err := ProcessOf(info)
		if err != nil || !strings.Contains(table, c.want) {
			t.Errorf("%s: %q, %v", c.argv, table, err)
			continue
		}
		if strings.Contains(table, "secret") {
			t.Errorf("it tells what followed the script: %s", table)
		}
		d := checkText(t, New("mine", table))
		not := strings.Fields(c.not)
		if !d.Process.Is(info) || d.Process.Is(ProcessInfo{Exe: not[0], Argv: not}) {
			t.Errorf("%s", table)
		}
	}
	for _, c := range [][2]string{{"/bin/bash", "bash"}, {"/usr/bin/dash", "-sh"}, {"/usr/bin/tmux", "tmux"}, {"", "x"}, {"/bin/x", ""}} {
		if table, err := ProcessOf(ProcessInfo{Exe: c[0], Argv: strings.Fields(c[1])}); err == nil {
			t.Errorf("%v: %s", c, table)
		}
	}
}

func TestValidName(t *testing.T) {
	for name, want := range map[string]bool{"mycli": true, "a.b-c_2": true, "": false, "My": false, "../x": false, "-x": false, "a/b": false, strings.Repeat("a", 65): false} {
		if ValidName(name) != want {
			t.Errorf("%q", name)
		}
	}
}
