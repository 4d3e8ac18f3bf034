package dialect

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/screen"
	"parley/internal/vt"
)

const least = `cli = "mine"
name = "Mine"
status = "unproven"
submit.key = "Enter"
[[box]]
name = "b"
seen = "1 2026-11-30"
prompt = "> "
`

// TestShippedPatterns compiles what Load leaves until it is needed.
func TestShippedPatterns(t *testing.T) {
	files, err := fs.Glob(shipped, "data/*.toml")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := shipped.ReadFile(f)
		if err == nil {
			_, err = parse(text, f)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestLoadUserFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine.toml", least)
	write("other.toml", strings.Replace(least, `"mine"`, `"pi"`, 1))
	write("notes.txt", "not a dialect")
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d := cli(t, s, "mine"); d.Proven() || d.Name != "Mine" {
		t.Errorf("%+v", d)
	}
	if d := cli(t, s, "pi"); d.Name != "Mine" || d.File != filepath.Join(dir, "other.toml") {
		t.Errorf("pi was not replaced: %s", d.File)
	}
	if got := strings.Join(s.Names(), " "); !strings.Contains(got, "crush cursor droid gemini grok mine opencode pi practice") {
		t.Errorf("names %q", got)
	}
	if _, err := Load(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("a missing folder: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		least + "wrong = 1\n":                     "bad.toml:9: unknown key box.wrong",
		"cli = \"a\"\nname = \"b\"\nzzz = true\n": "bad.toml:3: unknown key zzz",
		least + "top = '('\n":                     "bad.toml:9:",
		least + "ghost = \"sparkling\"\n":         "bad.toml:9:",
		strings.Replace(least, "[[box]]", "submit.settle = \"soon\"\n[[box]]", 1): "bad.toml:5:",
		"cli = \"a\nname": "bad.toml:1:",
		strings.Replace(least, "unproven", "fine", 1):                                                                                                        "status is proven or unproven",
		strings.Replace(least, `prompt = "> "`, "", 1):                                                                                                       "an open box needs a prompt",
		strings.Replace(least, `seen = "1 2026-11-30"`, "", 1):                                                                                               "says where it was seen",
		least + "[[rule]]\nname = \"r\"\nclass = \"asking\"\nseen = \"1\"\n":                                                                                 `"r": a rule needs a pattern`,
		least + "[[rule]]\nname = \"r\"\nclass = \"dozing\"\nseen = \"1\"\ntitle = 'x'\n":                                                                    "class is one of",
		strings.Split(strings.Replace(least, "unproven", "proven", 1), "[[box]]")[0]:                                                                         "no [[box]]",
		least + "[[rule]]\nname = \"r\"\nclass = \"asking\"\nseen = \"1\"\nbox = \"no\"\nabove = 'x'\n":                                                      "bad.toml:10: \"r\": it could never hold",
		least + "[[rule]]\nname = \"r\"\nclass = \"asking\"\nseen = \"1\"\ntitle = 'x'\nstyle = \"dim\"\n":                                                   "bad.toml:10: \"r\": a style needs rows",
		least + "[[rule]]\nname = \"r\"\nclass = \"mode\"\nseen = \"1\"\ntitle = 'x'\n[[rule]]\nname = \"r\"\nclass = \"mode\"\nseen = \"1\"\ntitle = 'y'\n": "bad.toml:15: \"r\": the class mode has two",
		least + "left = \"│\"\n":                           "bad.toml:6: \"b\": a box with a border has a bottom",
		least + "top = '^-+$'\n":                           "bad.toml:6: \"b\": a box with a top has a bottom",
		least + "cursor = \"big\"\n":                       "bad.toml:9:",
		least + "[[token]]\npattern = '('\nseen = \"1\"\n": "missing closing",
		least + "[clear]\nkey = \"C-c\"\nseen = \"1\"\n":   `bad.toml:10: "C-c": no such key`,
		least + "[clear]\nkey = \"C-u\"\n":                 `bad.toml:9: "[clear]": it has a key, and says`,
		least + "[clear]\nkeys = [\"C-u\"]\n":              "bad.toml:10: unknown key clear.keys",

		// A key that is never pressed, or none at all.
		strings.Replace(least, "submit.key = \"Enter\"\n", "", 1):                             "bad.toml:1: \"[submit]\": with a [[box]] it needs a key",
		strings.Replace(least, "Enter", "Return", 1):                                          `bad.toml:4: "Return": no key that may be pressed`,
		strings.Replace(least, "Enter", "Escape", 1):                                          `bad.toml:4: "Escape": no key that may be pressed`,
		strings.Replace(least, "Enter", "C-c", 1):                                             `bad.toml:4: "C-c": no key that may be pressed`,
		strings.Replace(least, "[[box]]", "submit.before = { \"1\" = \"y\" }\n[[box]]", 1):    `bad.toml:5: "y": no key that may be pressed`,
		strings.Replace(least, "[[box]]", "submit.working = { \"1\" = \"C-c\" }\n[[box]]", 1): `bad.toml:5: "C-c": no key that may be pressed`,

		// A process that is no CLI.
		least + "[process]\nexe = [\"node\"]\n":                     `bad.toml:9: "[process]": it claims every "node"`,
		least + "[process]\nexe = [\"bash\"]\n":                     `bad.toml:9: "[process]": it claims every "bash"`,
		least + "[process]\nargv = ['python3? \\S+\\.py']\n":        `bad.toml:9: "[process]": it claims every "python3 app.py"`,
		least + "[process]\nargv = ['']\n":                          `bad.toml:9: "[process]": it claims every "sh"`,
		least + "[process]\nargv = ['^-?[a-z]*sh$']\nnot = ['x']\n": `bad.toml:9: "[process]": it claims every "sh"`,

		// Patterns that nothing can match.
		least + "bottom = 'a\\nb'\n":                                              `bad.toml:9: "a\\nb": it can never match: it sees one row`,
		least + "bottom = '^─+ $'\n":                                              "bad.toml:9: \"^─+ $\": it can never match: blanks at the end",
		least + "foot = ['(x|y)\\n']\nbottom='x'\n":                               "bad.toml:9: \"(x|y)\\\\n\": it can never match: it sees one row",
		least + "[below]\nrows = ['ready\\s+$']\n":                                "it can never match: blanks at the end",
		least + "[below]\nitems = ['^ready$', '^a · b$']\n":                       "bad.toml:10: \"^a · b$\": it can never match: rows are split into items",
		least + "[below]\nitems = ['^ ready$']\n":                                 "an item has no blank in front",
		least + "[[rule]]\nname='r'\nclass='mode'\nseen='1'\nmark = 'x(\\n)+y'\n": "bad.toml:13: \"x(\\\\n)+y\": it can never match",
		least + "since = \"2\"\nuntil = \"2.0\"\n":                                `"b": no version draws it`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "bad.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(filepath.Join(dir, "bad.toml")); err == nil || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%s\ncheck says %v", text, err)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "bad.toml:") {
			t.Errorf("%s\nerror %v, want %q", text, err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.toml")
	if _, err := Check(path); err == nil {
		t.Error("no file")
	}
	if err := os.WriteFile(path, []byte(least), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Check(path); err != nil || d.CLI != "mine" || d.File != path {
		t.Errorf("%+v %v", d, err)
	}
}

// A CLI whose box nobody has described is recognised and never typed into.
func TestUnknownBoxIsUnreadable(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cursor", "crush"} {
		d := cli(t, loaded(t), name)
		for _, f := range all {
			if r := d.Read(f.Screen, ""); d.Proven() || r.MayType || r.Composer != Unreadable || r.Reason == "" {
				t.Fatalf("%s on %s: %+v", name, f, r)
			}
		}
	}
}

func TestJudge(t *testing.T) {
	d := cli(t, loaded(t), "pi")
	screen := handmadeNamed(t, "pi: local model and session name").screen()
	var idle, wrong, danger Frame
	for _, f := range []struct {
		to  *Frame
		row string
	}{{&idle, "a\t1.6.0\tempty\tidle\t-"}, {&wrong, "b\t1.6.0\tdraft\tidle\tyes"}, {&danger, "c\t\t-\t-\tno"}} {
		if err := f.to.Label(strings.Split("state\tversion\tcomposer\tturn\tmay_type\tby", "\t"), strings.Split(f.row, "\t")); err != nil {
			t.Fatal(err)
		}
		f.to.Screen = screen
	}
	got := d.Judge([]Frame{idle, wrong, danger})
	for i, want := range []struct {
		wrong  string
		danger bool
	}{{"", false}, {"composer empty, not draft", false}, {"may_type yes, not no", true}} {
		if got[i].Wrong != want.wrong || got[i].Danger != want.danger {
			t.Errorf("%s: %q %v", got[i].Name, got[i].Wrong, got[i].Danger)
		}
	}
	if err := idle.Label([]string{"turn"}, []string{"busy"}); err == nil {
		t.Error("a turn that is none")
	}
}

func handmadeNamed(t *testing.T, name string) made {
	t.Helper()
	for _, m := range handmade {
		if m.name == name {
			return m
		}
	}
	t.Fatalf("no screen %q", name)
	return made{}
}

func TestRecognise(t *testing.T) {
	s := loaded(t)
	for _, c := range []struct {
		exe, argv, want string
	}{
		{"/opt/claude-code-linux-x64/claude", "claude --model x", "claude"},
		{"/opt/claude-code-linux-x64/claude (deleted)", "claude", "claude"},
		{"/usr/bin/node", "claude", "claude"},
		{"/usr/bin/node", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --resume", "claude"},
		{"/usr/bin/node", "node --max-old-space-size=4096 /usr/local/bin/claude", "claude"},
		{"/opt/claude", "claude -p question", ""},
		{"/opt/claude", "claude mcp serve", ""},
		{"/x/vendor/bin/codex", "codex --no-daemon", "codex"},
		{"/x/vendor/bin/codex", "codex resume 01a22d66", "codex"},
		{"/x/vendor/bin/codex", "codex app-server --listen unix://", ""},
		{"/x/vendor/bin/codex", "codex -c x=1 app-server", ""},
		{"/x/vendor/bin/codex", "codex exec do it", ""},
		{"/usr/bin/node", "node /x/bin/codex.js", ""}, // the child of this one is codex itself
		{"/usr/bin/node", "pi", "pi"},
		{"/usr/bin/node", "node /x/node_modules/.bin/pi", "pi"},
		{"/usr/bin/node", "pi", "pi"},
		{"/home/a/.local/share/claude/versions/2.1.332", "/home/a/.local/bin/claude --resume", "claude"},
		{"/opt/claude", "claude --model x fix the -p flag and mcp", "claude"},
		{"/opt/claude", "claude --model x -p question", ""},
		{"/x/codex", "codex fix the mcp queue", "codex"},
		{"/x/codex", "codex --model x exec fix", ""},
		{"/usr/local/bin/parley", "parley practice --quirks x", "practice"},
		{"/usr/local/bin/parley", "parley send practice hi", ""},
		{"/usr/bin/node", "node /x/.bin/gemini", "gemini"},
		{"/usr/bin/node", "/usr/bin/node --max-old-space-size=12052 /x/node_modules/@google/gemini-cli/bundle/gemini.js", "gemini"},
		{"/usr/bin/node", "node /x/.bin/gemini --resume 1", "gemini"},
		{"/usr/bin/node", "node /x/.bin/gemini -p question", ""},
		{"/usr/bin/node", "node /x/.bin/gemini mcp list", ""},
		{"/usr/bin/node", "node /x/bin/qwen", "qwen"},
		{"/usr/bin/node", "/x/node --expose-gc /x/node_modules/@qwen-code/qwen-code/cli.js", "qwen"},
		{"/usr/bin/node", "node /x/bin/qwen --acp", ""},
		{"/x/@xai-official/grok/bin/grok-native", "grok --minimal", "grok"},
		{"/x/@xai-official/grok/bin/grok-native", "grok -p question", ""},
		{"/x/@xai-official/grok/bin/grok-native", "grok mcp list", ""},
		{"/x/opencode-ai/bin/opencode.exe", "opencode", "opencode"},
		{"/x/opencode-ai/bin/opencode.exe", "opencode --port 4096", "opencode"},
		{"/x/opencode-ai/bin/opencode.exe", "opencode serve", ""},
		{"/x/opencode-ai/bin/opencode.exe", "opencode run fix it", ""},
		{"/usr/bin/node", "node /x/bin/copilot", ""}, // its child is
		{"/x/@github/copilot-linux-x64/copilot", "/x/@github/copilot-linux-x64/copilot", "copilot"},
		{"/x/@github/copilot-linux-x64/copilot", "copilot -p question", ""},
		{"/x/@cline/cli-linux-x64/bin/cline", "/x/bin/cline", "cline"},
		{"/x/@cline/cli-linux-x64/bin/cline", "/x/bin/cline --cline-hub-daemon --cwd /x", ""},
		{"/x/@cline/cli-linux-x64/bin/cline", "cline auth -p openai", ""},
		{"/x/droid/bin/droid", "/x/bin/droid", "droid"},
		{"/x/droid/bin/droid", "droid exec --output-format stream-jsonrpc", ""},
		{"/usr/bin/node", "node /x/@vibe-kit/grok-cli/dist/index.js", "vibegrok"},
		{"/usr/bin/node", "node /x/.bin/grok", "vibegrok"},
		{"/usr/bin/node", "node /x/.bin/grok git commit", ""},
		{"/home/a/.local/bin/cursor-agent", "cursor-agent --resume", "cursor"},
		{"/usr/local/bin/crush", "crush -y", "crush"},
		{"/usr/local/bin/crush", "crush run fix it", ""},
		{"/bin/bash", "bash -c claude", ""},
		{"/usr/bin/vim", "vim claude", ""},
		{"/usr/bin/tail", "tail -f pi", ""},
		{"", "", ""},
	} {
		d, ok := s.Recognise(ProcessInfo{Exe: c.exe, Argv: strings.Fields(c.argv)})
		if got := map[bool]string{false: ""}[ok]; ok {
			got = d.CLI
			if got != c.want {
				t.Errorf("%s %q: %q", c.exe, c.argv, got)
			}
		} else if c.want != got {
			t.Errorf("%s %q: not recognised", c.exe, c.argv)
		}
	}
}

func TestKnows(t *testing.T) {
	d := cli(t, loaded(t), "claude")
	for v, want := range map[string]Known{"2.1.332": TestedVersion, "2.1.333": Newer, "3.0": Newer, "2.1.200": Between, "0.9.9": Older, "": NoVersion} {
		if got := d.Knows(v); got != want {
			t.Errorf("%q: %s, want %s", v, got, want)
		}
	}
}

func TestOlderKey(t *testing.T) {
	d := cli(t, loaded(t), "codex")
	for v, want := range map[string]string{"0.98.0": "Enter", "0.171.0": "Tab", "": "Tab", "1.0": "Tab"} {
		if got := d.SubmitKey(v, Idle); got != want {
			t.Errorf("%q: %s, want %s", v, got, want)
		}
		if got := d.SubmitKey(v, Working); got != "Tab" {
			t.Errorf("%q, working: %s", v, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	s := loaded(f)
	f.Add([]byte("\x1b[38;5;244m────────\n\x1b[39m❯\u00a0\x1b[7m\n\x1b[0m────────\n"), uint8(8), uint8(4), 2, 1, false)
	f.Add([]byte("\n\x1b[1m›\x1b[0m \x1b[2mAsk\n\n  ? for shortcuts"), uint8(20), uint8(5), 2, 1, true)
	f.Fuzz(func(t *testing.T, ansi []byte, cols, rows uint8, x, y int, shown bool) {
		scr := vt.Capture(ansi, int(cols), int(rows), screen.Cursor{X: x, Y: y, Visible: shown}, false, string(ansi))
		for _, name := range s.Names() {
			if r := cli(t, s, name).Read(scr, ""); r.MayType != (r.Reason == "") || r.MayType && r.Composer != Empty {
				t.Fatalf("%s: %+v", name, r)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(least))
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := parse(text, "x.toml"); err == nil {
			d.Read(vt.Capture([]byte("a\n> b\n"), 4, 3, screen.Cursor{}, true, ""), "1.0")
		} else if !strings.HasPrefix(err.Error(), "x.toml:") {
			t.Fatal(err)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	all, err := frames()
	if err != nil {
		b.Fatal(err)
	}
	s := loaded(b)
	for _, name := range []string{"claude/2.1.332/idle-after-long-reply", "claude/2.1.332/question-single", "codex/0.171.0/busy-tool-running-2", "pi/1.6.0/idle-after-stream", "opencode/1.18.33/idle-after-reply.w200", "grok/1.0.41/permission-dialog", "gemini/0.61.0/idle-after-stream"} {
		for _, f := range all {
			if f.String() == name {
				b.Run(name, func(b *testing.B) {
					d := cli(b, s, f.cli)
					for b.Loop() {
						d.Read(f.Screen, f.Version)
					}
				})
			}
		}
	}
}

// TestSurvey leaves out what is wrong and keeps the rest.
func TestSurvey(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.toml": "cli = 1", "b.toml": least, "c.toml": strings.Replace(least, `"mine"`, `"pi"`, 1), "d.toml": "x = 1"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, wrong := Survey(dir)
	if len(wrong) != 2 || !strings.Contains(wrong[0].Error(), "a.toml:1:") || !strings.Contains(wrong[1].Error(), "d.toml:1:") {
		t.Errorf("wrong: %v", wrong)
	}
	if d := cli(t, s, "mine"); d.Replaces != "" || string(d.Source()) != least {
		t.Errorf("mine replaces %q", d.Replaces)
	}
	if d := cli(t, s, "pi"); d.Replaces != "built-in pi.toml" {
		t.Errorf("pi replaces %q", d.Replaces)
	}
}

// TestHints: ours give none but for what is said in them; a bare file gives all.
func TestHints(t *testing.T) {
	s := loaded(t)
	for _, name := range s.Names() {
		d := cli(t, s, name)
		for _, h := range d.Hints() {
			if !d.Proven() && strings.Contains(h, "no [[box]]") || strings.Contains(h, "no [transcript]") && slices.Contains([]string{"cline", "opencode", "vibegrok"}, name) {
				continue
			}
			t.Error(h)
		}
	}
	path := filepath.Join(t.TempDir(), "mine.toml")
	text := least + "[[rule]]\nname = \"r\"\nclass = \"menu\"\nseen = \"1\"\ntail = '^x'\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Check(path)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(d.Hints(), "\n")
	for _, want := range []string{":1: [process] has neither", ":1: [below] knows no footer", "no rule of class asking", "no rule of class working", "no [transcript]", ":10: tail begins with ^"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("want %q once in\n%s", want, got)
		}
	}
}
