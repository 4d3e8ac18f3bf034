package transcript

import (
	"strings"

	"parley/internal/dialect"
)

// utterance is what one line has of the agent's own: words, the call of a tool
// behind them, or both.
type utterance struct {
	words string
	tool  bool
}

// said reads one line by the rule that all records share: a message is the
// object that bears a role, the line itself or the one member it is wrapped in;
// where there is no role, the line's own type names who speaks. A dialect says
// where its CLI's words are if that does not find them.
func said(v any, t dialect.Transcript) utterance {
	for _, p := range t.Said {
		if matches(v, p.Where) {
			return blocks(firstOf(at(v, path(p.Text))))
		}
	}
	line, ok := v.(map[string]any)
	if !ok {
		return utterance{}
	}
	m, role := message(line)
	if !agentRoles[role] {
		return utterance{tool: calls(m) || calls(line)}
	}
	for _, name := range []string{"content", "parts", "text"} {
		if content, ok := m[name]; ok {
			return blocks(content)
		}
	}
	return utterance{}
}

// agentRoles are the names under which agents speak.
var agentRoles = map[string]bool{"assistant": true, "model": true, "agent": true}

// message finds the object that bears a role. Without one, the line's type is
// the role, up to a dot, and its words are its own or those of the one object
// in it that has any.
func message(line map[string]any) (m map[string]any, role string) {
	if role, ok := line["role"].(string); ok {
		return line, role
	}
	var inner map[string]any
	for _, name := range wrappers {
		o, ok := line[name].(map[string]any)
		if !ok {
			continue
		}
		if role, ok := o["role"].(string); ok {
			return o, role
		}
		inner = o
	}
	kind, _ := line["type"].(string)
	role, _, _ = strings.Cut(kind, ".")
	if _, own := line["content"]; own || inner == nil {
		return line, role
	}
	return inner, role
}

// wrappers are the members in which records wrap a message.
var wrappers = []string{"message", "payload", "data", "info", "item"}

// calls reports whether an object without a speaker is the call of a tool.
func calls(o map[string]any) bool {
	kind, _ := o["type"].(string)
	return isCall(kind)
}

func isCall(kind string) bool {
	kind = strings.ToLower(kind)
	return strings.HasSuffix(kind, "call") || strings.HasSuffix(kind, "tool_use") || strings.HasSuffix(kind, "tool_request")
}

// blocks are the words of a message's content: a string, or the blocks whose
// type ends in "text" and untyped ones with a text that is no thought. What
// stood before the call of a tool is not the message's last word.
func blocks(content any) (u utterance) {
	if s, ok := content.(string); ok {
		return utterance{words: s}
	}
	list, ok := content.([]any)
	if !ok {
		list = []any{content}
	}
	for _, e := range list {
		b, ok := e.(map[string]any)
		if !ok {
			if s, ok := e.(string); ok {
				u = u.then(s)
			}
			continue
		}
		switch kind, text := kindOf(b); {
		case kind == "text":
			u = u.then(text)
		case kind == "call":
			u.tool = true
		}
	}
	return u
}

// then adds words; behind a call they are a message of their own.
func (u utterance) then(words string) utterance {
	if words == "" {
		return u
	}
	if u.tool {
		return utterance{words: words}
	}
	u.words += words
	return u
}

// kindOf says whether a block is "text", a "call" of a tool, or neither.
func kindOf(b map[string]any) (kind, text string) {
	text, _ = b["text"].(string)
	typed, _ := b["type"].(string)
	thought, _ := b["thought"].(bool)
	_, call := b["functionCall"]
	switch {
	case thought:
		return "", ""
	case call || isCall(typed):
		return "call", ""
	case typed == "" || strings.HasSuffix(strings.ToLower(typed), "text"):
		return "text", text
	}
	return "", ""
}

func firstOf(vs []any) any {
	if len(vs) == 1 {
		return vs[0]
	}
	return vs
}

// Matches reports whether all members of a JSON value that are asked for, by
// their dotted paths, have their values.
func Matches(v any, where map[string]string) bool { return matches(v, where) }

// Member is the scalar at a dotted path; "" if there is none.
func Member(v any, dotted string) string { return one(v, dotted) }

// matches reports whether all members that are asked for have their values.
func matches(v any, where map[string]string) bool {
	for path, want := range where {
		if !holds(v, path, want) {
			return false
		}
	}
	return true
}

// one is the scalar at a path; "" if there is none.
func one(v any, dotted string) string {
	if dotted == "" {
		return ""
	}
	for _, f := range at(v, path(dotted)) {
		if s, ok := scalar(f); ok {
			return s
		}
	}
	return ""
}
