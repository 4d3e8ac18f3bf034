package modelstub

import (
	"encoding/json"
	"strings"
	"time"
)

// API names the protocol of a request.
type API string

const (
	Anthropic API = "anthropic" // POST /v1/messages
	Responses API = "responses" // POST /v1/responses
	Chat      API = "chat"      // POST /v1/chat/completions
	Gemini    API = "gemini"    // POST …:generateContent, …:streamGenerateContent
)

// Prompt is one request to the model.
type Prompt struct {
	Seq    int // place in the log, from 0
	At     time.Time
	API    API
	Model  string
	Stream bool
	Body   []byte // the whole request, as it came

	// Text is the last user turn: its text blocks joined by newlines, without those
	// that CLIs add by themselves (<system-reminder>, <environment_context>).
	Text string
	// Tail has each text of a user after the model's last turn, exactly: also those
	// that CLIs add, and messages steered in beside tool results.
	Tail []string
	// Notes has each text that the CLI added in the system's name after the model's last
	// turn. Claude Code 2.1.332 may put a steered message there.
	Notes []string
	// Results has what tools answered after the model's last turn.
	Results []string
	// Users has each text of a user in the whole request.
	Users []string
	Tools []Tool
	// Wants is the JSON schema that the answer must fit; empty for text.
	Wants json.RawMessage
	// Side tells title makers, summaries, suggestions and routers from the
	// conversation: they offer no tools or force one, or do not end in a user's turn.
	Side bool

	Ended time.Time // when the answer had been written, or cut; zero before
	Cut   bool      // the CLI went away before the end of the answer
}

// Tool is a tool that the CLI offers.
type Tool struct {
	Name   string
	Schema json.RawMessage // JSON schema of its arguments; empty for free-form tools
}

// Says reports whether text stands in what is new in this request: the user's texts
// and the tool results after the model's last turn.
func (p Prompt) Says(text string) bool {
	for _, part := range [][]string{p.Tail, p.Results, p.Notes} {
		for _, t := range part {
			if strings.Contains(t, text) {
				return true
			}
		}
	}
	return false
}

// Offers reports whether the CLI offers a tool of this name.
func (p Prompt) Offers(name string) bool {
	for _, t := range p.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// turn is one entry of a conversation, the same for all APIs.
type turn struct {
	model   bool // else the user, or tools on the user's side
	texts   []string
	results []string
	notes   []string // in the system's name
}

// digest fills in what follows from the turns, in order, and from p.Tools.
func (p *Prompt) digest(turns []turn) {
	tail := 0
	for i, t := range turns {
		if t.model {
			tail = i + 1
			continue
		}
		p.Users = append(p.Users, t.texts...)
	}
	for _, t := range turns[tail:] {
		p.Tail = append(p.Tail, t.texts...)
		p.Results = append(p.Results, t.results...)
		p.Notes = append(p.Notes, t.notes...)
		if own := typed(t.texts); len(own) > 0 {
			p.Text = strings.Join(own, "\n")
		}
	}
	p.Side = p.Side || len(p.Tools) == 0 || tail == len(turns) || p.aside()
}

// aside reports whether the CLI asks something of its own about the conversation, for which
// it offers tools too: Grok 1.0.41 in a reminder alone, Qwen Code 0.24.4 in words of its own.
func (p *Prompt) aside() bool {
	if p.Text == "" {
		return len(p.Results) == 0 && len(p.Notes) == 0
	}
	return strings.HasPrefix(p.Text, "[SUGGESTION MODE: ") || strings.HasPrefix(p.Text, "Managed memory has ")
}

// forced reports whether a request's tool_choice names the tool to call: Grok 1.0.41 makes
// its titles so.
func forced(choice json.RawMessage) bool { return strings.HasPrefix(string(choice), "{") }

// typed drops the texts that CLIs put in the user's mouth. Those start with these tags
// (Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, Grok 1.0.41; 2026-11-30).
func typed(texts []string) []string {
	var own []string
	for _, t := range texts {
		head := strings.TrimSpace(t)
		switch {
		case strings.HasPrefix(head, "<system-reminder>"),
			strings.HasPrefix(head, "<session_context>"),
			strings.HasPrefix(head, "<user_info>"),
			strings.HasPrefix(head, "<environment_context>"),
			strings.HasPrefix(head, "<user_instructions>"),
			strings.HasPrefix(head, "# AGENTS.md"):
		default:
			own = append(own, unwrap(t))
		}
	}
	return own
}

// wrappers are what CLIs put around a user's text: Copilot CLI 1.0.102, Grok 1.0.41, Cline
// 3.0.65.
var wrappers = []struct{ open, shut string }{
	{"<current_datetime>", "</current_datetime>\n\n"},
	{"<user_query>\n", "\n</user_query>"},
	{"<user_input mode=\"act\">", "</user_input>"},
}

// unwrap takes off the time before a text, or the tags around it.
func unwrap(t string) string {
	for _, w := range wrappers {
		rest, ok := strings.CutPrefix(t, w.open)
		if !ok {
			continue
		}
		if w.open == "<current_datetime>" {
			_, rest, _ = strings.Cut(rest, w.shut)
			return rest
		}
		return strings.TrimSuffix(rest, w.shut)
	}
	return t
}

// content reads a message's content: a string, or a list of blocks with "text".
func content(raw json.RawMessage) []string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	var blocks []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &blocks) != nil {
		return nil
	}
	var texts []string
	for _, b := range blocks {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return texts
}
