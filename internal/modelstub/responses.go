package modelstub

import (
	"encoding/json"
	"fmt"
)

// responses is the OpenAI Responses API.
type responses struct{}

func (responses) parse(_ string, body []byte) (Prompt, error) {
	var req struct {
		Model  string
		Stream bool
		Input  json.RawMessage
		Tools  []responsesTool
		Choice json.RawMessage `json:"tool_choice"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return Prompt{}, err
	}
	p := Prompt{API: Responses, Model: req.Model, Stream: req.Stream, Side: forced(req.Choice)}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, t.flat()...)
	}
	var text string
	if json.Unmarshal(req.Input, &text) == nil {
		p.digest([]turn{{texts: []string{text}}})
		return p, nil
	}
	var items []responsesItem
	if err := json.Unmarshal(req.Input, &items); err != nil {
		return Prompt{}, err
	}
	var turns []turn
	for _, it := range items {
		if t, ok := it.turn(); ok {
			turns = append(turns, t)
		}
	}
	p.digest(turns)
	return p, nil
}

// responsesTool is a function, or a namespace of functions.
type responsesTool struct {
	Type       string
	Name       string
	Parameters json.RawMessage
	Tools      []responsesTool
}

func (t responsesTool) flat() []Tool {
	if len(t.Tools) == 0 {
		name := t.Name
		if name == "" {
			name = t.Type // built-in tools have a type only
		}
		return []Tool{{name, t.Parameters}}
	}
	var out []Tool
	for _, inner := range t.Tools {
		out = append(out, inner.flat()...)
	}
	return out
}

type responsesItem struct {
	Type    string
	Role    string
	Content json.RawMessage
	Output  json.RawMessage
}

// turn is false for what is neither side's: system and developer messages.
func (it responsesItem) turn() (turn, bool) {
	switch it.Type {
	case "function_call_output", "custom_tool_call_output":
		return turn{results: content(it.Output)}, true
	case "", "message":
		switch it.Role {
		case "user":
			return turn{texts: content(it.Content)}, true
		case "assistant":
			return turn{model: true, texts: content(it.Content)}, true
		}
		return turn{}, false
	}
	return turn{model: true}, true // calls, reasoning
}

func (responses) items(p Prompt, r Reply) []any {
	var out []any
	if r.Text != "" {
		out = append(out, obj{"type": "message", "id": fmt.Sprintf("msg_stub%d", p.Seq), "role": "assistant",
			"status": "completed", "content": []any{obj{"type": "output_text", "text": r.Text, "annotations": []any{}}}})
	}
	if r.Call != nil {
		out = append(out, obj{"type": "function_call", "id": fmt.Sprintf("fc_stub%d", p.Seq),
			"call_id": fmt.Sprintf("call_stub%d", p.Seq), "name": r.Call.Tool,
			"arguments": r.Call.arguments(), "status": "completed"})
	}
	return out
}

func (a responses) response(p Prompt, status string, output []any) obj {
	return obj{"id": fmt.Sprintf("resp_stub%d", p.Seq), "object": "response", "status": status,
		"model": p.Model, "output": output, "created_at": p.At.Unix(),
		"usage": obj{"input_tokens": 100, "input_tokens_details": obj{"cached_tokens": 0},
			"output_tokens": 10, "output_tokens_details": obj{"reasoning_tokens": 0}, "total_tokens": 110}}
}

func (a responses) whole(p Prompt, r Reply) any {
	return a.response(p, "completed", a.items(p, r))
}

func (a responses) stream(out *writer, p Prompt, r Reply) {
	seq := 0
	event := func(kind string, v obj) {
		v["type"], v["sequence_number"] = kind, seq
		seq++
		out.event(kind, v)
	}
	event("response.created", obj{"response": a.response(p, "in_progress", []any{})})
	items := a.items(p, r)
	for i, it := range items {
		item := it.(obj)
		if item["type"] == "message" {
			a.streamText(event, out, i, item, r)
		} else {
			event("response.output_item.added", obj{"output_index": i, "item": item})
			event("response.function_call_arguments.done", obj{"output_index": i,
				"item_id": item["id"], "arguments": item["arguments"]})
		}
		event("response.output_item.done", obj{"output_index": i, "item": item})
	}
	event("response.completed", obj{"response": a.response(p, "completed", items)})
}

func (responses) streamText(event func(string, obj), out *writer, i int, item obj, r Reply) {
	part := func(kind string, v obj) {
		v["output_index"], v["content_index"], v["item_id"] = i, 0, item["id"]
		event(kind, v)
	}
	event("response.output_item.added", obj{"output_index": i, "item": obj{"type": "message",
		"id": item["id"], "role": "assistant", "status": "in_progress", "content": []any{}}})
	part("response.content_part.added", obj{"part": obj{"type": "output_text", "text": "", "annotations": []any{}}})
	out.words(r.Text, r.Over, func(piece string) {
		part("response.output_text.delta", obj{"delta": piece})
	})
	part("response.output_text.done", obj{"text": r.Text})
	part("response.content_part.done", obj{"part": obj{"type": "output_text", "text": r.Text, "annotations": []any{}}})
}

func (responses) failure(status int, text string) any { return openAIFailure(status, text) }

func openAIFailure(status int, text string) any {
	return obj{"error": obj{"message": text, "type": "stub_error", "code": fmt.Sprint(status)}}
}
