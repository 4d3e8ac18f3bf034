package modelstub

import (
	"encoding/json"
	"path"
	"strings"
)

// gemini is generateContent and streamGenerateContent.
type gemini struct{}

func (gemini) parse(url string, body []byte) (Prompt, error) {
	var req struct {
		Contents []struct {
			Role  string
			Parts []struct {
				Text             string
				FunctionResponse *struct{ Response json.RawMessage }
			}
		}
		Tools []struct {
			FunctionDeclarations []struct {
				Name                 string
				Parameters           json.RawMessage
				ParametersJsonSchema json.RawMessage
			}
		}
		GenerationConfig struct{ ResponseJsonSchema json.RawMessage }
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return Prompt{}, err
	}
	model, method, _ := strings.Cut(path.Base(url), ":")
	p := Prompt{API: Gemini, Model: model, Stream: method == "streamGenerateContent",
		Wants: req.GenerationConfig.ResponseJsonSchema}
	for _, group := range req.Tools {
		for _, f := range group.FunctionDeclarations {
			schema := f.ParametersJsonSchema
			if schema == nil {
				schema = f.Parameters
			}
			p.Tools = append(p.Tools, Tool{f.Name, schema})
		}
	}
	var turns []turn
	for _, c := range req.Contents {
		t := turn{model: c.Role == "model"}
		for _, part := range c.Parts {
			if part.Text != "" {
				t.texts = append(t.texts, part.Text)
			}
			if part.FunctionResponse != nil {
				t.results = append(t.results, string(part.FunctionResponse.Response))
			}
		}
		turns = append(turns, t)
	}
	p.digest(turns)
	return p, nil
}

func (gemini) candidate(p Prompt, parts []any, finish any) obj {
	c := obj{"index": 0, "content": obj{"role": "model", "parts": parts}}
	if finish != nil {
		c["finishReason"] = finish
	}
	return obj{"candidates": []any{c}, "modelVersion": p.Model,
		"usageMetadata": obj{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}}
}

func (gemini) call(c *Call) obj {
	return obj{"functionCall": obj{"name": c.Tool, "args": c.Args}}
}

func (a gemini) whole(p Prompt, r Reply) any {
	parts := []any{obj{"text": r.Text}}
	if r.Call != nil {
		parts = append(parts, a.call(r.Call))
	}
	return a.candidate(p, parts, "STOP")
}

func (a gemini) stream(out *writer, p Prompt, r Reply) {
	out.words(r.Text, r.Over, func(piece string) {
		out.event("", a.candidate(p, []any{obj{"text": piece}}, nil))
	})
	last := []any{obj{"text": ""}}
	if r.Call != nil {
		last = []any{a.call(r.Call)}
	}
	out.event("", a.candidate(p, last, "STOP"))
}

func (gemini) failure(status int, text string) any {
	return obj{"error": obj{"code": status, "message": text, "status": "STUB"}}
}
