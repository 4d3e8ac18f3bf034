package modelstub

import (
	"encoding/json"
	"fmt"
)

// chat is the OpenAI Chat Completions API.
type chat struct{}

func (chat) parse(_ string, body []byte) (Prompt, error) {
	var req struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		ToolChoice json.RawMessage `json:"tool_choice"`
		Tools      []struct {
			Function struct {
				Name       string
				Parameters json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return Prompt{}, err
	}
	p := Prompt{API: Chat, Model: req.Model, Stream: req.Stream, Side: forced(req.ToolChoice)}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, Tool{t.Function.Name, t.Function.Parameters})
	}
	var turns []turn
	for _, m := range req.Messages {
		switch m.Role {
		case "user":
			turns = append(turns, turn{texts: content(m.Content)})
		case "tool", "function":
			turns = append(turns, turn{results: content(m.Content)})
		case "assistant":
			turns = append(turns, turn{model: true})
		}
	}
	p.digest(turns)
	return p, nil
}

func (chat) call(p Prompt, c *Call) obj {
	return obj{"index": 0, "id": fmt.Sprintf("call_stub%d", p.Seq), "type": "function",
		"function": obj{"name": c.Tool, "arguments": c.arguments()}}
}

func (chat) finish(r Reply) string {
	if r.Call != nil {
		return "tool_calls"
	}
	return "stop"
}

var chatUsage = obj{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}

func (chat) head(p Prompt, object string) obj {
	return obj{"id": fmt.Sprintf("chatcmpl-stub%d", p.Seq), "object": object, "created": p.At.Unix(), "model": p.Model}
}

func (a chat) whole(p Prompt, r Reply) any {
	message := obj{"role": "assistant", "content": r.Text}
	if r.Call != nil {
		message["tool_calls"] = []any{a.call(p, r.Call)}
	}
	v := a.head(p, "chat.completion")
	v["choices"] = []any{obj{"index": 0, "message": message, "finish_reason": a.finish(r)}}
	v["usage"] = chatUsage
	return v
}

func (a chat) stream(out *writer, p Prompt, r Reply) {
	chunk := func(delta obj, finish any) {
		v := a.head(p, "chat.completion.chunk")
		v["choices"] = []any{obj{"index": 0, "delta": delta, "finish_reason": finish}}
		out.event("", v)
	}
	chunk(obj{"role": "assistant", "content": ""}, nil)
	out.words(r.Text, r.Over, func(piece string) { chunk(obj{"content": piece}, nil) })
	if r.Call != nil {
		chunk(obj{"tool_calls": []any{a.call(p, r.Call)}}, nil)
	}
	chunk(obj{}, a.finish(r))
	v := a.head(p, "chat.completion.chunk")
	v["choices"], v["usage"] = []any{}, chatUsage
	out.event("", v)
	out.raw("data: [DONE]\n\n")
}

func (chat) failure(status int, text string) any { return openAIFailure(status, text) }
