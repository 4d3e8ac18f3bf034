package turn

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/dialect"
	"parley/internal/screen"
	"parley/internal/transcript"
	"parley/internal/vt"
)

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		name                       string
		file, record, title, shown string
		want                       dialect.Turn
	}{
		{"all agree", "idle", "idle", "", "idle", dialect.Idle},
		{"the screen alone", "", "", "", "idle", dialect.Idle},
		{"nothing without a screen", "idle", "idle", "", "", dialect.UnknownTurn},
		{"nor with one that nobody can read", "idle", "idle", "", "unknown", dialect.UnknownTurn},
		{"a question on screen", "idle", "idle", "", "asking", dialect.Asking},
		{"a question on screen while it works", "working", "working", "", "asking", dialect.Asking},
		{"a question that no rule knows", "asking", "working", "", "unknown", dialect.Asking},
		{"a question answered, and the file late", "asking", "working", "", "working", dialect.Working},
		{"a question in the file, a box on screen", "asking", "", "", "idle", dialect.Working},
		{"the file works, the screen lags", "working", "", "", "idle", dialect.Working},
		{"the record works, the screen says nothing of it", "", "working", "", "idle", dialect.Working},
		{"the record has no end, the file knows better", "idle", "working", "", "idle", dialect.Idle},
		{"the screen works, the file lags", "idle", "idle", "", "working", dialect.Working},
		{"the title works", "", "", "working", "", dialect.Working},
		{"the title asks", "", "", "asking", "", dialect.Asking},
		{"a menu is open while it works", "working", "", "", "unknown", dialect.Working},
		{"nothing at all", "", "", "", "", dialect.UnknownTurn},
	} {
		var signals []Signal
		for _, s := range []Signal{{File, dialect.Turn(tt.file), tt.file}, {Record, dialect.Turn(tt.record), tt.record},
			{Title, dialect.Turn(tt.title), tt.title}, {Screen, dialect.Turn(tt.shown), tt.shown}} {
			if s.Turn != "" {
				signals = append(signals, s)
			}
		}
		if got := Judge(signals...); got.Turn != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, got.Turn, got.Evidence(), tt.want)
		}
	}
}

// TestNeverIdle: whatever else is said, an agent is idle only where the screen
// says so and neither it nor a more trusted source says otherwise.
func TestNeverIdle(t *testing.T) {
	turns := []dialect.Turn{"", dialect.Idle, dialect.Working, dialect.Asking, dialect.UnknownTurn}
	for _, file := range turns {
		for _, rec := range turns[:3] {
			for _, shown := range turns {
				s := Judge(Signal{File, file, ""}, Signal{Record, rec, ""}, Signal{Screen, shown, ""})
				if s.Turn == dialect.Idle && (shown != dialect.Idle || file == dialect.Working || file == dialect.Asking) {
					t.Errorf("idle by file %q, record %q, screen %q", file, rec, shown)
				}
				if shown == dialect.Asking && s.Turn != dialect.Asking {
					t.Errorf("%s, and a question is on screen", s.Turn)
				}
			}
		}
	}
}

// argued are frames whose label the frame itself contradicts: internal/dialect
// says why of each (TestFrames).
var argued = map[string]dialect.Turn{
	"claude/2.0.20/idle-after-reply":              dialect.Working,
	"pi/1.6.0/busy-thinking-0.5s":                 dialect.Idle,
	"qwen/0.24.4/busy-streaming-1.5s":             dialect.Idle,
	"qwen/0.24.4/permission-mcp":                  dialect.Idle,
	"cline/3.0.65/permission-dialog-after-typing": dialect.Idle,
	"droid/0.215.0/question-dialog":               dialect.Idle,
	"opencode/1.18.33/first-reply":                dialect.Working,
}

const frames = "../dialect/testdata/frames"

// TestFrames: whose move it is on every labelled frame, by its screen and, where
// that was kept, by what the CLI's own file said in that moment.
func TestFrames(t *testing.T) {
	set, err := dialect.Load("")
	if err != nil {
		t.Fatal(err)
	}
	files := stateFiles(t)
	judged := 0
	for name, label := range labels(t) {
		cli, rest, _ := strings.Cut(name, "/")
		version, _, _ := strings.Cut(rest, "/")
		d, ok := set.CLI(cli)
		if !ok {
			t.Fatalf("no dialect %s", cli)
		}
		r := d.Read(frame(t, name), strings.TrimPrefix(version, "mario-"))
		p := transcript.Proc{PID: 7, Start: "boot-4711", Config: t.TempDir()}
		if text, ok := files[name]; ok {
			write(t, filepath.Join(p.Config, "sessions", "7.json"), text)
		}
		s := Of(d, p, r)
		if a, ok := argued[name]; ok {
			label = a
		}
		if label != "-" {
			judged++
		}
		if label != "-" && s.Turn != label {
			t.Errorf("%s: %s, want %s (%s)", name, s.Turn, label, s.Evidence())
		}
		if s.Evidence() == "" || s.Turn == dialect.Idle && r.Turn != dialect.Idle {
			t.Errorf("%s: %s by %q", name, s.Turn, s.Evidence())
		}
	}
	if judged < 300 || len(files) < 140 {
		t.Errorf("only %d frames and %d files were judged", judged, len(files))
	}
}

func labels(t *testing.T) map[string]dialect.Turn {
	out := map[string]dialect.Turn{}
	for _, c := range table(t, filepath.Join(frames, "expect.tsv")) {
		out[c[0]+"/"+c[1]+"/"+c[2]] = dialect.Turn(c[4])
	}
	return out
}

// stateFiles are the files that Claude Code kept while frames were taken.
func stateFiles(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, c := range table(t, "testdata/state-files.tsv") {
		out[c[0]+"/"+c[1]+"/"+c[2]] = fmt.Sprintf(`{"pid":7,"procStart":"4711","status":%q,"waitingFor":%q}`, c[3], c[4])
	}
	return out
}

func table(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Scan() // the header
	for in.Scan() {
		rows = append(rows, strings.Split(in.Text(), "\t"))
	}
	return rows
}

func frame(t *testing.T, name string) screen.Screen {
	t.Helper()
	ansi, err := os.ReadFile(filepath.Join(frames, name+".ansi"))
	if err != nil {
		t.Fatal(err)
	}
	meta, err := os.ReadFile(filepath.Join(frames, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(meta, &m); err != nil {
		t.Fatal(err)
	}
	n := func(k string) int { f, _ := m[k].(float64); return int(f) }
	yes := func(k string) bool { b, _ := m[k].(bool); return b || n(k) == 1 }
	title, _ := m["pane_title"].(string)
	cur := screen.Cursor{X: n("cursor_x"), Y: n("cursor_y"), Visible: yes("cursor_visible")}
	return vt.Capture(ansi, n("cols"), n("rows"), cur, yes("alternate_on"), title)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestStateFile: only the file of this very process is believed.
func TestStateFile(t *testing.T) {
	f := dialect.StateFile{File: "{config}/{pid}.json", Start: "start",
		Turns: []dialect.FileTurn{{Where: map[string]string{"status": "busy"}, Is: dialect.Working}}}
	for text, want := range map[string]bool{
		`{"start":"4711","status":"busy"}`:      true,
		`{"start":"boot:4711","status":"busy"}`: true,
		`{"start":4711,"status":"busy"}`:        true,
		`{"start":"471","status":"busy"}`:       false, // an earlier process with its number
		`{"start":"711","status":"busy"}`:       false,
		`{"status":"busy"}`:                     false,
		`{"start":"4711","status":"new word"}`:  false,
		`{"start":"4711"`:                       false,
		``:                                      false,
	} {
		p := transcript.Proc{PID: 7, Start: "boot-4711", Config: t.TempDir()}
		write(t, filepath.Join(p.Config, "7.json"), text)
		if _, ok := ofFile(f, p); ok != want {
			t.Errorf("%s: believed %v", text, ok)
		}
	}
}

// TestRecord: a record's last mark, where it is certain whose record it is.
func TestRecord(t *testing.T) {
	set, err := dialect.Load("")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := set.CLI("practice")
	r := dialect.Reading{Turn: dialect.Idle, Rule: "idle: box"}
	for _, tt := range []struct {
		record string
		turn   dialect.Turn
		end    dialect.End
	}{
		{"", dialect.Idle, ""},
		{"user", dialect.Working, ""},
		{"user assistant", dialect.Working, ""},
		{"user assistant end=done", dialect.Idle, dialect.Done},
		{"user end=interrupted", dialect.Idle, dialect.Stopped},
		{"user assistant end=done queued", dialect.Idle, dialect.Done},
		{"user assistant end=done user", dialect.Working, ""},
	} {
		var b strings.Builder
		for _, w := range strings.Fields(tt.record) {
			role, text, _ := strings.Cut(w, "=")
			fmt.Fprintf(&b, `{"role":%q,"text":%q}`+"\n", role, text)
		}
		path := filepath.Join(t.TempDir(), "sessions", "0a.jsonl")
		write(t, path, b.String())
		s := Of(d, transcript.Proc{PID: 7, OpenFiles: func() []string { return []string{path} }}, r)
		if s.Turn != tt.turn || s.End != tt.end {
			t.Errorf("%q: %s %s (%s), want %s %s", tt.record, s.Turn, s.End, s.Evidence(), tt.turn, tt.end)
		}
		if s := Of(d, transcript.Proc{PID: 7}, r); s.Turn != dialect.Idle {
			t.Errorf("%q, not its own: %s", tt.record, s.Turn)
		}
	}
}
