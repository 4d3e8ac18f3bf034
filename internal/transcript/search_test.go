package transcript

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/dialect"
)

const tag = "[#0a1b2c3d]"

type where = map[string]string

// Patterns as the dialects' files have them.
var (
	claude = dialect.Transcript{
		Prompts: []dialect.Prompt{
			{Where: where{"type": "user"}, Text: "message.content"},
			{Where: where{"type": "attachment", "attachment.type": "queued_command"}, Text: "attachment.prompt"},
		},
		Queued: []dialect.Prompt{{Where: where{"type": "queue-operation", "operation": "enqueue"}, Text: "content"}},
	}
	codex = dialect.Transcript{Prompts: []dialect.Prompt{
		{Where: where{"type": "event_msg", "payload.type": "item_completed", "payload.item.type": "UserMessage"}, Text: "payload.item.content"},
		{Where: where{"type": "event_msg", "payload.type": "user_message"}, Text: "payload.message"},
	}}
	pi = dialect.Transcript{Prompts: []dialect.Prompt{{Where: where{"type": "message", "message.role": "user"}, Text: "message.content"}}}
)

// shipped are the patterns of a dialect that parley brings along.
func shipped(t testing.TB, cli string) dialect.Transcript {
	t.Helper()
	set, err := dialect.Load("")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := set.CLI(cli)
	return d.Transcript
}

func search(t testing.TB, text string, d dialect.Transcript) []Hit {
	t.Helper()
	path := filepath.Join(t.TempDir(), "record.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	hits, err := Search(path, tag, d)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func show(hits []Hit) string {
	var s []string
	for _, h := range hits {
		s = append(s, fmt.Sprintf("%q %v", h.Text, h.Queued))
	}
	return strings.Join(s, "; ")
}

// TestSamples puts a tag behind a prompt, wherever the CLI wrote it, also
// where it or its agent quoted it.
func TestSamples(t *testing.T) {
	for _, tt := range []struct {
		file, prompt string
		d            dialect.Transcript
		want         string
	}{
		{"claude-2.1.332-steer.jsonl", "warm up", claude, "%q false"},
		{"claude-2.1.332-steer.jsonl", "queued message one", claude, "%[1]q false; %[1]q true"},
		{"claude-2.1.332-steer.jsonl", "steer message during tool", claude, "%[1]q false; %[1]q true"},
		{"claude-2.1.332-queue.jsonl", "queued prompt", claude, "%[1]q false; %[1]q true"},
		{"codex-0.171.0.jsonl", "SAFETOOL run echo\nsecond line of the prompt", codex, "%q false"},
		{"codex-0.98.0.jsonl", "SAFETOOL run echo\nsecond line of the prompt", codex, "%q false"},
		{"pi-1.6.0.jsonl", "plain first turn", pi, "%q false"},
		{"gemini-0.61.0.jsonl", "CALLMCP now", shipped(t, "gemini"), "%[1]q false; %[1]q false"}, // written again later
		{"qwen-0.24.4.jsonl", "USETOOL first turn", shipped(t, "qwen"), "%q false"},
		{"grok-1.0.41.jsonl", "first turn, 日本 text\nline two", shipped(t, "grok"), "%q false"},
		{"copilot-1.0.102.jsonl", "hello first", shipped(t, "copilot"), "%q false"},
		{"droid-0.215.0.jsonl", "hello first", shipped(t, "droid"), "%q false"},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		asWritten := strings.ReplaceAll(tt.prompt, "\n", `\n`)
		tagged := strings.ReplaceAll(string(text), asWritten, asWritten+" "+tag)
		want := fmt.Sprintf(tt.want, tt.prompt+" "+tag)
		if got := show(search(t, tagged, tt.d)); got != want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.file, tt.prompt, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		d          dialect.Transcript
		want       string
	}{
		{"string", `{"type":"user","message":{"content":"a [#0a1b2c3d]"}}`, claude, `"a [#0a1b2c3d]" false`},
		{"blocks", `{"type":"message","message":{"role":"user","content":[{"type":"text","text":"a "},{"type":"image"},{"type":"text","text":"[#0a1b2c3d]"}]}}`, pi, `"a [#0a1b2c3d]" false`},
		{"steered", `{"type":"attachment","attachment":{"type":"queued_command","prompt":"a [#0a1b2c3d]"}}`, claude, `"a [#0a1b2c3d]" false`},
		{"steered, as blocks", `{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"a [#0a1b2c3d]"}]}}`, claude, `"a [#0a1b2c3d]" false`},
		{"queued", `{"type":"queue-operation","operation":"enqueue","content":"a [#0a1b2c3d]"}`, claude, `"a [#0a1b2c3d]" true`},
		{"taken from the queue", `{"type":"queue-operation","operation":"remove","content":"a [#0a1b2c3d]"}`, claude, ``},
		{"a tool's result", `{"type":"user","message":{"content":[{"type":"tool_result","content":"a [#0a1b2c3d]"}]}}`, claude, ``},
		{"a tool's result in blocks", `{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"a [#0a1b2c3d]"}]}]},"toolUseResult":"[#0a1b2c3d]"}`, claude, ``},
		{"the agent's words", `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"a [#0a1b2c3d]"}]}}`, claude, ``},
		{"the last prompt, noted again", `{"type":"last-prompt","lastPrompt":"a [#0a1b2c3d]"}`, claude, ``},
		{"item", `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"a [#0a1b2c3d]"}]}}}`, codex, `"a [#0a1b2c3d]" false`},
		{"event", `{"type":"event_msg","payload":{"type":"user_message","message":"a [#0a1b2c3d]"}}`, codex, `"a [#0a1b2c3d]" false`},
		{"the agent's item", `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"text","text":"a [#0a1b2c3d]"}]}}}`, codex, ``},
		{"the model's input", `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a [#0a1b2c3d]"}]}}`, codex, ``},
		{"command", `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","aggregated_output":"[#0a1b2c3d]"}}}`, codex, ``},
		{"the agent's turn", `{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"[#0a1b2c3d]"}]}}`, pi, ``},
		{"a tool's turn", `{"type":"message","message":{"role":"toolResult","content":[{"type":"text","text":"[#0a1b2c3d]"}]}}`, pi, ``},
		{"through lists", `{"parts":[{"kind":"x","text":"no"},{"kind":"y","text":"a [#0a1b2c3d]"}]}`,
			dialect.Transcript{Prompts: []dialect.Prompt{{Where: where{"parts.kind": "y"}, Text: "parts.text"}}}, `"noa [#0a1b2c3d]" false`},
		{"number, truth and absence", `{"n":3,"b":false,"text":"a [#0a1b2c3d]"}`,
			dialect.Transcript{Prompts: []dialect.Prompt{{Where: where{"n": "3", "b": "false", "side": ""}, Text: "text"}}}, `"a [#0a1b2c3d]" false`},
		{"no JSON", `a [#0a1b2c3d]`, claude, ``},
		{"not an object", `["[#0a1b2c3d]"]`, claude, ``},
	} {
		if got := show(search(t, "{}\n"+tt.line+"\n{}\n", tt.d)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if got := show(search(t, tt.line, tt.d)); got != "" {
			t.Errorf("%s, newline not yet written: %s", tt.name, got)
		}
	}
}

// TestPlaces puts the line at every place where pieces could cut it.
func TestPlaces(t *testing.T) {
	line := `{"type":"user","message":{"content":"a ` + tag + ` b"}}` + "\n"
	other := `{"type":"assistant","text":"` + strings.Repeat("x", 97) + `"}` + "\n"
	for _, behind := range []int{0, 1, piece - 70, piece - 45, piece - 44, piece - 40, piece - 30, piece - 20, piece - 1, piece, 3*piece - 35, 700_000} {
		for _, before := range []int{0, 1, piece, 500_000} {
			text := long(other, before) + line + long(other, behind)
			hits := search(t, text, claude)
			if len(hits) != 1 || text[hits[0].Offset:hits[0].Offset+int64(len(line))] != line {
				t.Fatalf("%d before, %d behind: %s", before, behind, show(hits))
			}
		}
	}
}

// long gives about n bytes of whole lines, exactly n where that can be.
func long(line string, n int) string {
	var b strings.Builder
	for b.Len()+len(line) <= n {
		b.WriteString(line)
	}
	if rest := n - b.Len(); rest > 0 {
		b.WriteString(strings.Repeat(" ", rest-1) + "\n")
	}
	return b.String()
}

func TestLongLine(t *testing.T) {
	body := strings.Repeat("é\\n", 2<<20)
	text := "{}\n" + `{"type":"user","message":{"content":"` + body + tag + `"}}` + "\n{}\n"
	hits := search(t, text, claude)
	if len(hits) != 1 || len(hits[0].Text) != 3*(2<<20)+len(tag) {
		t.Fatalf("%d hits", len(hits))
	}
}

func TestAfter(t *testing.T) {
	line := `{"type":"user","message":{"content":"a ` + tag + `"}}` + "\n"
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(line+line), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[int64]int{0: 2, 1: 1, int64(len(line)): 1, int64(len(line)) + 1: 0, int64(2 * len(line)): 0, 1 << 40: 0} {
		hits, err := SearchAfter(path, "0a1b2c3d", claude, from)
		if err != nil || len(hits) != want {
			t.Errorf("from %d: %d hits, %v", from, len(hits), err)
		}
	}
	if _, err := Search(path+"?", tag, claude); err == nil || strings.Count(err.Error(), path) != 1 {
		t.Error(err)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte(`{"type":"user","message":{"content":"a [#0a1b2c3d]"}}`+"\n"), 0)
	f.Fuzz(func(t *testing.T, text []byte, pad int) {
		pad = min(max(pad, 0), 3*piece)
		text = append(bytes.Repeat([]byte{'\n'}, pad), text...)
		path := filepath.Join(t.TempDir(), "x")
		os.WriteFile(path, text, 0o600)
		hits, err := Search(path, tag, claude)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) > bytes.Count(text, []byte(tag)) {
			t.Fatalf("%d hits", len(hits))
		}
	})
}
