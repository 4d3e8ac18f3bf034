package transcript

import (
	"encoding/json"
	"strconv"
	"strings"

	"parley/internal/dialect"
)

// prompt reads one line by the dialect's patterns. A line that is a prompt of
// the conversation and a queued one as well is the former.
func prompt(line []byte, tag string, t dialect.Transcript) (Hit, bool) {
	var v any
	if line == nil || json.Unmarshal(line, &v) != nil {
		return Hit{}, false
	}
	for _, p := range t.Prompts {
		if h, ok := match(v, tag, p); ok {
			return h, true
		}
	}
	for _, p := range t.Queued {
		if h, ok := match(v, tag, p); ok {
			h.Queued = true
			return h, true
		}
	}
	return Hit{}, false
}

func match(v any, tag string, p dialect.Prompt) (Hit, bool) {
	for path, want := range p.Where {
		if !holds(v, path, want) {
			return Hit{}, false
		}
	}
	parts := texts(at(v, path(p.Text)))
	h := Hit{Text: strings.Join(parts, "")}
	if len(parts) > 1 {
		h.Parts = parts
	}
	return h, strings.Contains(h.Text, tag)
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
