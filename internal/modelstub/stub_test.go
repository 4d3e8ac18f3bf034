package modelstub

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func start(t *testing.T) *Stub {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func post(t *testing.T, s *Stub, path, body string) (int, string) {
	t.Helper()
	res, err := http.Post(s.URL()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

// requests holds, for each API, a conversation after a tool call, with a message steered
// in beside the tool's result. %t is for stream.
var requests = []struct {
	api        API
	path, body string
}{
	{Anthropic, "/v1/messages?beta=true", `{"model":"m","stream":%t,
		"tools":[{"name":"Bash","input_schema":{"properties":{"command":{"type":"string"}}}}],
		"messages":[{"role":"user","content":"old"},
		{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"result"}]},
		{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"steered"}]},
		{"role":"system","content":"note"}]}`},
	{Responses, "/v1/responses", `{"model":"m","stream":%t,
		"tools":[{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{"type":"string"}}}},{"type":"web_search"}],
		"input":[{"type":"message","role":"developer","content":"dev"},
		{"type":"message","role":"user","content":[{"type":"input_text","text":"old"}]},
		{"type":"function_call","name":"exec_command","call_id":"1","arguments":"{}"},
		{"type":"function_call_output","call_id":"1","output":"result"},
		{"type":"message","role":"user","content":[{"type":"input_text","text":"steered"}]}]}`},
	{Chat, "/v1/chat/completions", `{"model":"m","stream":%t,
		"tools":[{"type":"function","function":{"name":"bash","parameters":{"properties":{"command":{"type":"string"}}}}}],
		"messages":[{"role":"system","content":"sys"},{"role":"user","content":"old"},
		{"role":"assistant","tool_calls":[]},{"role":"tool","content":"result"},
		{"role":"user","content":[{"type":"text","text":"steered"}]}]}`},
}

func TestDigest(t *testing.T) {
	for _, req := range requests {
		for _, stream := range []bool{true, false} {
			s := start(t)
			status, answer := post(t, s, req.path, fmt.Sprintf(req.body, stream))
			if status != 200 || !strings.Contains(answer, "You said: steered") {
				t.Errorf("%s: %d %s", req.api, status, answer)
			}
			p := s.Prompts()[0]
			if p.API != req.api || p.Side || p.Text != "steered" || p.Stream != stream || p.Model != "m" {
				t.Errorf("%s: %+v", req.api, p)
			}
			if !p.Says("steered") || !p.Says("result") || p.Says("old") || p.Users[0] != "old" {
				t.Errorf("%s: tail %q results %q users %q", req.api, p.Tail, p.Results, p.Users)
			}
			if p.Ended.IsZero() || p.Cut {
				t.Errorf("%s: ended %v cut %v", req.api, p.Ended, p.Cut)
			}
			if _, ok := p.tool(shellTools); !ok {
				t.Errorf("%s: no shell tool among %v", req.api, p.Tools)
			}
		}
	}
}

func TestGemini(t *testing.T) {
	s := start(t)
	body := `{"contents":[{"role":"user","parts":[{"text":"STUB:tool=ls -l"}]}],
		"tools":[{"functionDeclarations":[{"name":"run_shell_command","parametersJsonSchema":{"properties":{"command":{"type":"string"}}}}]}]}`
	for _, path := range []string{"/v1beta/models/m:streamGenerateContent?alt=sse", "/v1beta/models/m:generateContent"} {
		_, answer := post(t, s, path, body)
		if !strings.Contains(answer, `"args":{"command":"ls -l"}`) {
			t.Errorf("%s: %s", path, answer)
		}
	}
	if p := s.Prompts()[1]; p.API != Gemini || p.Model != "m" || p.Side {
		t.Errorf("%+v", p)
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"lead: STUB:tool=touch a b [#ff]", "tool", "touch a b"},
		{"STUB:slow=3s STUB:delay=1s\nnext", "slow", "3s"},
		{"STUB:slow=3s STUB:delay=1s\nnext", "delay", "1s"},
		{"STUB:slow=1s\nSTUB:slow=2s", "slow", "2s"},
	} {
		if got, _ := word(c.text, c.name); got != c.want {
			t.Errorf("%s in %q: %q", c.name, c.text, got)
		}
	}
	if _, ok := word("STUB:slower=1s", "slow"); ok {
		t.Error("found a word that is another's beginning")
	}
}

func chatBody(text string, stream bool) string {
	return fmt.Sprintf(`{"stream":%t,"messages":[{"role":"user","content":%q}],"tools":[{"function":{"name":"bash"}}]}`, stream, text)
}

func TestWords(t *testing.T) {
	s := start(t)
	if status, _ := post(t, s, "/v1/chat/completions", chatBody("STUB:status=429", true)); status != 429 {
		t.Errorf("status %d", status)
	}
	if _, answer := post(t, s, "/v1/chat/completions", chatBody("STUB:long=300", true)); !strings.Contains(answer, "line 300 of") {
		t.Error("no 300 lines")
	}
	begin := time.Now()
	_, answer := post(t, s, "/v1/chat/completions", chatBody("STUB:slow=200ms STUB:delay=100ms", true))
	if d := time.Since(begin); d < 300*time.Millisecond || !strings.Contains(answer, "unabridged") {
		t.Errorf("after %v: %s", d, answer)
	}
	if _, answer := post(t, s, "/v1/chat/completions", chatBody("STUB:tool=ls", true)); !strings.Contains(answer, `{\"command\":\"ls\"}`) {
		t.Errorf("no call: %s", answer)
	}
}

func TestSide(t *testing.T) {
	s := start(t)
	post(t, s, "/v1/chat/completions", `{"messages":[{"role":"user","content":"title for STUB:status=500"}]}`)
	for _, body := range []string{
		`{"messages":[{"role":"user","content":"<system-reminder>a line for the dashboard</system-reminder>"}],"tools":[{"function":{"name":"bash"}}]}`,
		`{"messages":[{"role":"user","content":"[SUGGESTION MODE: what next?]"}],"tools":[{"function":{"name":"bash"}}]}`,
		`{"messages":[{"role":"user","content":"hello"}],"tools":[{"function":{"name":"title"}}],"tool_choice":{"type":"function"}}`,
	} {
		post(t, s, "/v1/chat/completions", body)
	}
	for _, p := range s.Prompts() {
		if !p.Side {
			t.Errorf("no side request: %+v", p)
		}
	}
}

// What CLIs put around a user's text is no part of it.
func TestUnwrap(t *testing.T) {
	for _, wrapped := range []string{
		"hello", "<user_query>\nhello\n</user_query>", `<user_input mode="act">hello</user_input>`,
		"<current_datetime>2026-11-30T20:44:04.124+00:00</current_datetime>\n\nhello",
	} {
		if got := typed([]string{"<user_info>x</user_info>", wrapped}); len(got) != 1 || got[0] != "hello" {
			t.Errorf("%q: %q", wrapped, got)
		}
	}
}

// A side request that wants JSON gets what its schema requires.
func TestWants(t *testing.T) {
	s := start(t)
	_, answer := post(t, s, "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"how hard?"}]}],
		"generationConfig":{"responseJsonSchema":{"type":"OBJECT","required":["why","score"],
		"properties":{"why":{"type":"STRING"},"score":{"type":"INTEGER"},"more":{"type":"STRING"}}}}}`)
	if !strings.Contains(answer, `"{\"score\":1,\"why\":\"Made up by the stub\"}"`) {
		t.Error(answer)
	}
}

// A CLI that goes away in the middle of an answer has cut it; one that leaves at its last
// event has not.
func TestCut(t *testing.T) {
	s := start(t)
	for _, until := range []string{`"content"`, "[DONE]"} {
		ctx, cancel := context.WithCancel(t.Context())
		req, _ := http.NewRequestWithContext(ctx, "POST", s.URL()+"/v1/chat/completions",
			strings.NewReader(chatBody("STUB:slow=300ms", true)))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(res.Body); lines.Scan() && !strings.Contains(lines.Text(), until); {
		}
		cancel()
		res.Body.Close()
	}
	for seq, cut := range []bool{true, false} {
		p, err := s.Wait(t.Context(), func(p Prompt) bool { return p.Seq == seq && !p.Ended.IsZero() })
		if err != nil || p.Cut != cut {
			t.Errorf("prompt %d: cut %v, want %v (%v)", seq, p.Cut, cut, err)
		}
	}
}

func TestWaitTogether(t *testing.T) {
	s := start(t)
	s.Answer(func(p Prompt) Reply { return Reply{Text: "own " + p.Text} })
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			p, err := s.Wait(t.Context(), func(p Prompt) bool { return p.Says(fmt.Sprintf("<%d>", i)) })
			if err != nil || !p.Says(fmt.Sprintf("<%d>", i)) {
				t.Errorf("%d: %v", i, err)
			}
		})
		wg.Go(func() {
			if _, answer := post(t, s, "/v1/chat/completions", chatBody(fmt.Sprintf("<%d>", i), false)); !strings.Contains(answer, "own ") {
				t.Error(answer)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := s.Wait(ctx, func(Prompt) bool { return false }); err == nil {
		t.Error("Wait found what is not there")
	}
}

// FuzzParse: no request brings the stub down.
func FuzzParse(f *testing.F) {
	for _, req := range requests {
		f.Add(req.path, []byte(fmt.Sprintf(req.body, true)))
	}
	f.Fuzz(func(t *testing.T, path string, body []byte) {
		a := apiOf(strings.SplitN(path, "?", 2)[0])
		if a == nil {
			return
		}
		p, err := a.parse(path, body)
		if err != nil {
			return
		}
		if _, err := json.Marshal(a.whole(p, Words(p))); err != nil {
			t.Fatal(err)
		}
	})
}
