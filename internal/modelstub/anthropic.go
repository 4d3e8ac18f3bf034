package modelstub

import (
	"encoding/json"
	"fmt"
)

// anthropic is the Messages API.
type anthropic struct{}

func (anthropic) parse(_ string, body []byte) (Prompt, error) {
	var req struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Tools []struct {
			Name   string
			Schema json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return Prompt{}, err
	}
	p := Prompt{API: Anthropic, Model: req.Model, Stream: req.Stream}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, Tool{t.Name, t.Schema})
	}
	var turns []turn
	for _, m := range req.Messages {
		if m.Role == "system" {
			turns = append(turns, turn{notes: content(m.Content)})
			continue
		}
		turns = append(turns, turn{
			model:   m.Role == "assistant",
			texts:   content(m.Content),
			results: toolResults(m.Content),
		})
	}
	p.digest(turns)
	return p, nil
}

// toolResults reads the texts of the tool_result blocks of a message.
func toolResults(raw json.RawMessage) []string {
	var blocks []struct {
		Type    string
		Content json.RawMessage
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil
	}
	var out []string
	for _, b := range blocks {
		if b.Type == "tool_result" {
			out = append(out, content(b.Content)...)
		}
	}
	return out
}

func (anthropic) id(p Prompt) string { return fmt.Sprintf("msg_stub%d", p.Seq) }

func (a anthropic) message(p Prompt, content []any, stop any) obj {
	return obj{"id": a.id(p), "type": "message", "role": "assistant", "model": p.Model,
		"content": content, "stop_reason": stop, "stop_sequence": nil,
		"usage": obj{"input_tokens": 100, "output_tokens": 10}}
}

func (anthropic) stop(r Reply) string {
	if r.Call != nil {
		return "tool_use"
	}
	return "end_turn"
}

func (anthropic) toolUse(p Prompt, c *Call, input any) obj {
	return obj{"type": "tool_use", "id": fmt.Sprintf("toolu_stub%d", p.Seq), "name": c.Tool, "input": input}
}

func (a anthropic) whole(p Prompt, r Reply) any {
	blocks := []any{obj{"type": "text", "text": r.Text}}
	if r.Call != nil {
		blocks = append(blocks, a.toolUse(p, r.Call, r.Call.Args))
	}
	return a.message(p, blocks, a.stop(r))
}

func (a anthropic) stream(out *writer, p Prompt, r Reply) {
	event := func(kind string, v obj) {
		v["type"] = kind
		out.event(kind, v)
	}
	event("message_start", obj{"message": a.message(p, []any{}, nil)})
	event("content_block_start", obj{"index": 0, "content_block": obj{"type": "text", "text": ""}})
	out.words(r.Text, r.Over, func(piece string) {
		event("content_block_delta", obj{"index": 0, "delta": obj{"type": "text_delta", "text": piece}})
	})
	event("content_block_stop", obj{"index": 0})
	if r.Call != nil {
		event("content_block_start", obj{"index": 1, "content_block": a.toolUse(p, r.Call, obj{})})
		event("content_block_delta", obj{"index": 1,
			"delta": obj{"type": "input_json_delta", "partial_json": r.Call.arguments()}})
		event("content_block_stop", obj{"index": 1})
	}
	event("message_delta", obj{"delta": obj{"stop_reason": a.stop(r), "stop_sequence": nil},
		"usage": obj{"output_tokens": 10}})
	event("message_stop", obj{})
}

// failureTypes are the names that the API gives to HTTP statuses.
var failureTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
	404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error",
}

func (anthropic) failure(status int, text string) any {
	kind := failureTypes[status]
	if kind == "" {
		kind = "api_error"
	}
	return obj{"type": "error", "error": obj{"type": kind, "message": text}}
}
