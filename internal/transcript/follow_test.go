package transcript

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/internal/dialect"
)

// tagged is a sample of a CLI's own record in which one prompt bears our tag,
// wherever the CLI wrote it.
func tagged(t testing.TB, file, prompt string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	asWritten := strings.ReplaceAll(prompt, "\n", `\n`)
	if !strings.Contains(string(text), `"`+asWritten+`"`) {
		t.Fatalf("%s has no prompt %q", file, prompt)
	}
	return strings.ReplaceAll(string(text), `"`+asWritten+`"`, `"`+asWritten+" "+tag+`"`)
}

func is(prompt string) func(string) bool {
	return func(text string) bool { return text == prompt+" "+tag }
}

func follow(t testing.TB, text, prompt string, d dialect.Transcript) Said {
	t.Helper()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Follow(path, tag, d, 0, is(prompt)).Read()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s Said) String() string {
	out := fmt.Sprintf("%.60q", s.Text)
	for _, w := range []struct {
		is   bool
		word string
	}{{!s.Prompt, "not there"}, {s.Tool, "tool"}, {s.End != "", string(s.End)}, {s.Left, "left"}} {
		if w.is {
			out += " " + w.word
		}
	}
	return strings.TrimSpace(out + " " + s.Note)
}

// replies are prompts of the samples and what their records hold of the answer.
var replies = []struct{ cli, file, prompt, want string }{
	{"claude", "claude-2.1.332-tour.jsonl", "first prompt, THINK2", `"ECHO[first prompt, THINK2]" done`}, // thinking is none
	{"claude", "claude-2.1.332-tour.jsonl", "SAYFIRST then USEBASH: touch /tmp/q9", `"TOOLDONE" done`},   // what stood before the tool is not the last word
	{"claude", "claude-2.1.332-tour.jsonl", "queued prompt", `"ECHO[queued prompt]" done`},
	{"claude", "claude-2.1.332-tour.jsonl", "SLOW8 to interrupt", `"" left`}, // taken back: the next prompt follows an earlier line
	{"claude", "claude-2.1.332-tour.jsonl", `\n!echo hi`, `"ECHO[!echo hi]" done`},
	{"claude", "claude-2.1.332-steer.jsonl", "queued message one", `"ECHO[queued two line a\nqueued two line b]" done`}, // answered together
	{"claude", "claude-2.1.332-steer.jsonl", "queued two line a\nqueued two line b", `"ECHO[queued two line a\nqueued two line b]" done`},
	{"claude", "claude-2.1.332-steer.jsonl", "USEBASH: sleep 12 && touch /tmp/zz", `"ECHO[n turn. Address the message above as you continue this " done`},
	{"claude", "claude-2.1.332-steer.jsonl", "steer message during tool", `"ECHO[n turn. Address the message above as you continue this " done`}, // an attachment
	{"claude", "claude-2.1.332-steer.jsonl", "SLOW12 second", `"" stopped`},
	{"claude", "claude-2.1.332-steer.jsonl", "queued then esc", `"ECHO[queued then esc]" done`},
	{"claude", "claude-2.1.332-steer.jsonl", "SLOW12 third", `"" left`},
	{"claude", "claude-2.1.332-steer.jsonl", "agent msg after stash", `"ECHO[agent msg after stash]" done`},
	{"claude", "claude-2.1.197.jsonl", "SLOW6 THINK3 STREAM3 go", `"word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 " done`},
	{"claude", "claude-2.1.197.jsonl", "please USEBASH: touch /tmp/q3", `"" tool stopped`},
	{"claude", "claude-2.1.197.jsonl", "ASKQ", `"" tool stopped`},
	{"claude", "claude-2.0.20.jsonl", "hello one", `"ECHO[hello one]" left`}, // a side thread's answer stands between
	{"claude", "claude-2.0.20.jsonl", "queued message one", `"ECHO[queued message one]" left`},
	{"claude", "claude-2.0.20.jsonl", "abcafter stash", `"ECHO[abcafter stash]"`},
	{"codex", "codex-0.171.0.jsonl", "hello one", `"ECHO[hello one]" done`},
	{"codex", "codex-0.171.0.jsonl", "SAFETOOL run echo\nsecond line of the prompt", `"TOOLDONE Chunk ID: 9ff822\nWall time: 0.0000 seconds\nProcess " done`},
	{"codex", "codex-0.171.0.jsonl", "THINK1 then answer", `"ECHO[THINK1 then answer]" done`},
	{"codex", "codex-0.171.0.jsonl", "SLEEPTOOL3 steer me", `"ECHO[steered text]" done`}, // one turn
	{"codex", "codex-0.171.0.jsonl", "steered text", `"ECHO[steered text]" done`},
	{"codex", "codex-0.171.0.jsonl", "USETOOL deny", `"" tool stopped`},
	{"codex", "codex-0.171.0.jsonl", "SLOW5 interrupt", `"" stopped`},
	{"codex", "codex-0.171.0.jsonl", "ERRCTX error", `"" failed Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.`},
	{"codex", "codex-0.98.0.jsonl", "hello one", `"ECHO[hello one]" left`},
	{"codex", "codex-0.98.0.jsonl", "SLEEPTOOL3 steer me", `"ECHO[steered text]" left`},
	{"codex", "codex-0.98.0.jsonl", "USETOOL deny", `"" tool stopped`},
	{"codex", "codex-0.98.0.jsonl", "SLOW5 interrupt", `"" stopped`},
	{"codex", "codex-0.98.0.jsonl", "ERRCTX error", `""`}, // the record says nothing of it
	{"pi", "pi-1.6.0.jsonl", "plain first turn", `"ECHO[plain first turn]" done`},
	{"pi", "pi-1.6.0.jsonl", "USETOOL second", `"TOOLDONE" done`},
	{"pi", "pi-0.73.1.jsonl", "SLOW6 old pi", `"ECHO[SLOW6 old pi]" done`},
	{"pi", "pi-0.73.1.jsonl", "steer old", `"ECHO[steer old]" done`},
}

// TestReplies: the answer to each prompt of the real records is its own.
func TestReplies(t *testing.T) {
	for _, tt := range replies {
		got := follow(t, tagged(t, "answers/"+tt.file, tt.prompt), strings.ReplaceAll(tt.prompt, `\n`, "\n"), shipped(t, tt.cli))
		if got.String() != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.file, tt.prompt, got, tt.want)
		}
	}
}

// TestRepliesAsTheyGrow writes each record a piece at a time: what is said on
// the way is a beginning of the truth, and the end is the same.
func TestRepliesAsTheyGrow(t *testing.T) {
	for _, tt := range replies {
		text := tagged(t, "answers/"+tt.file, tt.prompt)
		path := filepath.Join(t.TempDir(), "record.jsonl")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		f := Follow(path, tag, shipped(t, tt.cli), 0, is(strings.ReplaceAll(tt.prompt, `\n`, "\n")))
		var got, before Said
		for i, step := 0, 0; i < len(text); i += step {
			step = min(1+(i*7919)%3001, len(text)-i)
			file.WriteString(text[i : i+step])
			if got, err = f.Read(); err != nil {
				t.Fatal(err)
			}
			if before.Left && got.String() != before.String() || before.Prompt && !got.Prompt {
				t.Fatalf("%s %q: %s, then %s", tt.file, tt.prompt, before, got)
			}
			before = got
		}
		if got.String() != tt.want {
			t.Errorf("%s %q, as it grew:\n got %s\nwant %s", tt.file, tt.prompt, got, tt.want)
		}
	}
}

// TestFollowOurs: of the lines that hold our tag only a prompt with our own
// text is ours; the newest counts, and what follows it.
func TestFollowOurs(t *testing.T) {
	user := func(text string) string { return `{"role":"user","text":"` + text + `"}` + "\n" }
	agent := func(text string) string { return `{"role":"assistant","text":"` + text + `"}` + "\n" }
	ours := user("lead: do it " + tag)
	end := `{"role":"end","text":"done"}` + "\n"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", `"" not there`},
		{"an earlier answer", user("lead: do it [#00000000]") + agent("earlier") + end, `"" not there`},
		{"quoted by the agent", agent("you said lead: do it " + tag), `"" not there`},
		{"quoted in a prompt", user("backend: what is "+tag+"?") + agent("no idea") + end, `"" not there`},
		{"only queued", `{"role":"queued","text":"lead: do it ` + tag + `"}` + "\n" + agent("of another turn"), `"" not there`},
		{"not answered yet", user("x") + agent("earlier") + end + ours, `""`},
		{"answered", user("x") + agent("earlier") + end + ours + agent("yes") + end, `"yes" done`},
		{"another turn came", ours + agent("yes") + end + user("y") + agent("later") + end, `"yes" done`},
		{"another turn came before any answer", ours + user("y") + agent("later") + end, `"" left`},
		{"quoted later", ours + agent("yes") + end + user("what was "+tag+"?") + agent("that") + end, `"yes" done`},
		{"written again", ours + agent("no") + end + ours + agent("yes") + end, `"yes" done`},
		{"written again, and no answer yet", ours + agent("no") + end + ours, `""`},
		{"its line has no end", ours[:len(ours)-1], `"" not there`},
		{"the answer's line has no end", ours + agent("yes")[:30], `""`},
		{"a line of another kind", ours + "not json\n" + agent("yes") + end, `"yes" done`},
		{"a line too long for an answer", ours + agent(strings.Repeat("x", maxSaid)) + agent("yes") + end, `"yes" done`},
	} {
		if got := follow(t, tt.text, "lead: do it", shipped(t, "practice")); got.String() != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestCommonRule: words are where records put them, and nothing else is.
func TestCommonRule(t *testing.T) {
	for _, tt := range []struct{ name, line, words string }{
		{"a role and a string", `{"role":"assistant","content":"a"}`, "a"},
		{"a role and a text", `{"role":"assistant","text":"a"}`, "a"},
		{"wrapped", `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"a"}]}}`, "a"},
		{"wrapped otherwise", `{"type":"response_item","payload":{"role":"assistant","content":[{"type":"output_text","text":"a"}]}}`, "a"},
		{"parts without a type", `{"message":{"role":"model","parts":[{"text":"a"},{"text":"b"}]}}`, "ab"},
		{"a thought among them", `{"message":{"role":"model","parts":[{"text":"hm","thought":true},{"text":"a"}]}}`, "a"},
		{"the type names the speaker", `{"type":"assistant.message","data":{"content":"a"}}`, "a"},
		{"thinking", `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","text":"hm"},{"type":"text","text":"a"}]}`, "a"},
		{"before a call", `{"role":"assistant","content":[{"type":"text","text":"first"},{"type":"tool_use","name":"x"},{"type":"text","text":"a"}]}`, "a"},
		{"a call alone", `{"role":"assistant","content":[{"type":"toolCall","name":"x"}]}`, ""},
		{"a tool's result", `{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]}`, ""},
		{"a tool's turn", `{"message":{"role":"toolResult","content":[{"type":"text","text":"x"}]}}`, ""},
		{"the user", `{"role":"user","content":"x"}`, ""},
		{"the system", `{"role":"system","content":"x"}`, ""},
		{"reasoning", `{"type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}]}}`, ""},
		{"an event about a message", `{"type":"event_msg","payload":{"type":"agent_message","message":"x"}}`, ""},
		{"no content", `{"role":"assistant"}`, ""},
		{"no object", `["x"]`, ""},
	} {
		var v any
		if err := json.Unmarshal([]byte(tt.line), &v); err != nil {
			t.Fatal(err)
		}
		if got := said(v, dialect.Transcript{}); got.words != tt.words {
			t.Errorf("%s: %q, want %q", tt.name, got.words, tt.words)
		}
	}
}

// TestFollowCosts: what a look costs does not grow with the record.
func TestFollowCosts(t *testing.T) {
	small, large := allocated(t, 4<<20), allocated(t, 4<<20<<times(4, 6, 8))
	if large > small+1<<20 {
		t.Errorf("%d bytes allocated for a small record, %d for a large one", small, large)
	}
}

// times picks a count by depth, as in e2e.
func times(short, long, full int) int {
	switch os.Getenv("PARLEY_DEPTH") {
	case "full":
		return full
	case "long":
		return long
	}
	return short
}

func allocated(t *testing.T, size int) uint64 {
	path := sized(t, size, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := Follow(path, tag, claude, 0, func(string) bool { return true }).Read()
	runtime.ReadMemStats(&after)
	if err != nil || !s.Prompt {
		t.Fatal(s, err)
	}
	return after.TotalAlloc - before.TotalAlloc
}

func FuzzFollow(f *testing.F) {
	for _, tt := range replies {
		f.Add([]byte(tagged(f, "answers/"+tt.file, tt.prompt)), tt.cli)
	}
	set, err := dialect.Load("")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, cli string) {
		d, ok := set.CLI(cli)
		if !ok {
			return
		}
		path := filepath.Join(t.TempDir(), "x")
		os.WriteFile(path, text, 0o600)
		s, err := Follow(path, tag, d.Transcript, 0, func(string) bool { return true }).Read()
		if err != nil || !s.Prompt && s.Text != "" {
			t.Fatal(s, err)
		}
	})
}

// TestLastMark cuts a real record behind every line.
func TestLastMark(t *testing.T) {
	for _, tt := range []struct{ cli, file, want string }{
		{"codex", "codex-0.171.0.jsonl", "begun done begun done begun done begun done begun done begun stopped begun stopped begun failed"},
		{"claude", "claude-2.1.332-steer.jsonl", "- done - done - done - done - stopped - done - done"},
		{"pi", "pi-1.6.0.jsonl", "- done - done - done"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", "answers", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "record.jsonl")
		var got []string
		for at := range text {
			if text[at] != '\n' {
				continue
			}
			if err := os.WriteFile(path, text[:at+1], 0o600); err != nil {
				t.Fatal(err)
			}
			m, err := LastMark(path, shipped(t, tt.cli))
			if err != nil {
				t.Fatal(err)
			}
			word := map[bool]string{true: "begun", false: "-"}[m.Begun]
			if m.End != "" {
				word = string(m.End)
			}
			if len(got) == 0 || got[len(got)-1] != word {
				got = append(got, word)
			}
		}
		if s := strings.Trim(strings.Join(got, " "), "- "); s != strings.Trim(tt.want, "- ") {
			t.Errorf("%s:\n got %s\nwant %s", tt.file, s, tt.want)
		}
	}
}
