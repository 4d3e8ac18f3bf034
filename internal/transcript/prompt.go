package transcript

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/internal/dialect"
)

// prompt reads one line by the dialect's patterns.
func prompt(line []byte, tag string, t dialect.Transcript) (Hit, bool) {
	var v any
	if line == nil || json.Unmarshal(line, &v) != nil {
		return Hit{}, false
	}
	return promptIn(v, tag, t)
}

// promptIn finds a prompt with a tag in a line. One that is a prompt of the
// conversation and a queued one as well is the former.
func promptIn(v any, tag string, t dialect.Transcript) (Hit, bool) {
	for _, p := range t.Prompts {
		if h, ok := match(v, p); ok && strings.Contains(h.Text, tag) {
			return h, true
		}
	}
	for _, p := range t.Queued {
		if h, ok := match(v, p); ok && strings.Contains(h.Text, tag) {
			h.Queued = true
			return h, true
		}
	}
	return Hit{}, false
}

// promptOf is the pattern by which a line is a prompt of the conversation; nil
// if it is none. A tool's result is none, whatever else stands beside it.
func promptOf(v any, t dialect.Transcript) *dialect.Prompt {
	for i, p := range t.Prompts {
		if h, ok := match(v, p); ok && strings.TrimSpace(h.Text) != "" && !hasResult(at(v, path(p.Text))) {
			return &t.Prompts[i]
		}
	}
	return nil
}

func hasResult(vs []any) bool {
	for _, v := range vs {
		list, _ := v.([]any)
		for _, e := range list {
			b, _ := e.(map[string]any)
			kind, _ := b["type"].(string)
			if _, answer := b["functionResponse"]; answer || strings.HasSuffix(strings.ToLower(kind), "result") {
				return true
			}
		}
	}
	return false
}

// match reads a line by one pattern.
func match(v any, p dialect.Prompt) (Hit, bool) {
	if !fits(v, p) {
		return Hit{}, false
	}
	parts := texts(at(v, path(p.Text)))
	h := Hit{Text: strings.Join(parts, "")}
	if len(parts) > 1 {
		h.Parts = parts
	}
	return h, true
}

// holds says that the member at path is want. Through a list, one of its
// elements will do. A member that is not there is equal to "".
func holds(v any, dotted, want string) bool {
	found := at(v, path(dotted))
	for _, f := range found {
		if s, ok := scalar(f); ok && s == want {
			return true
		}
	}
	return len(found) == 0 && want == ""
}

func path(dotted string) []string { return strings.Split(dotted, ".") }

// at gives what stands at a path: one value, or, where the path goes through
// lists, one for each element that has it.
func at(v any, path []string) []any {
	if list, ok := v.([]any); ok && len(path) > 0 {
		var all []any
		for _, e := range list {
			all = append(all, at(e, path)...)
		}
		return all
	}
	if len(path) == 0 {
		return []any{v}
	}
	members, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	next, ok := members[path[0]]
	if !ok {
		return nil
	}
	return at(next, path[1:])
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

// texts are the strings in vs, and the text members of its lists of blocks.
// Blocks of other kinds, such as a tool's result, have none.
func texts(vs []any) []string {
	var all []string
	for _, v := range vs {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, e := range v {
				if s, ok := e.(string); ok {
					all = append(all, s)
				} else if block, ok := e.(map[string]any); ok {
					if s, ok := block["text"].(string); ok {
						all = append(all, s)
					}
				}
			}
		}
	}
	return all
}
