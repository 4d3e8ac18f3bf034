package modelstub

import "encoding/json"

// shellTools are the names under which CLIs offer a shell, best first.
var shellTools = []string{
	"Bash",                 // Claude Code
	"exec_command",         // Codex 0.171
	"shell_command",        // Codex 0.98
	"shell",                // Codex, older
	"bash",                 // Pi, OpenCode, Copilot
	"run_shell_command",    // Gemini CLI, Qwen Code
	"run_terminal_command", // Grok
	"run_commands",         // Cline
	"Execute",              // Droid
}

// questionTools are the names under which CLIs offer to ask the user.
var questionTools = []string{"AskUserQuestion", "request_user_input", "ask_user", "ask_user_question", "question",
	"AskUser", "ask_question"}

// property is what a schema says about one argument.
type property struct {
	Type any   `json:"type"`
	Enum []any `json:"enum"`
}

type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

func (p Prompt) tool(names []string) (Tool, bool) {
	for _, name := range names {
		for _, t := range p.Tools {
			if t.Name == name {
				return t, true
			}
		}
	}
	return Tool{}, false
}

// shellCall is a call of the CLI's shell tool, nil where it offers none. Arguments that
// the tool requires besides the command are made up; those that make Codex ask for
// approval are set where the tool has them.
func shellCall(p Prompt, command string) *Call {
	t, ok := p.tool(shellTools)
	if !ok {
		return nil
	}
	var s schema
	_ = json.Unmarshal(t.Schema, &s) // a tool without a schema gets "command"
	args := map[string]any{}
	for _, name := range s.Required {
		args[name] = s.Properties[name].any()
	}
	name := "command"
	if _, ok := s.Properties["cmd"]; ok {
		name = "cmd"
	}
	if _, ok := s.Properties["commands"]; ok {
		name = "commands"
	}
	args[name] = command
	if name == "commands" {
		args[name] = []string{command}
	} else if s.Properties[name].Type == "array" {
		args[name] = []string{"bash", "-lc", command}
	}
	if _, ok := s.Properties["sandbox_permissions"]; ok {
		args["sandbox_permissions"] = "require_escalated"
	}
	if _, ok := s.Properties["with_escalated_permissions"]; ok {
		args["with_escalated_permissions"] = true
	}
	if _, ok := s.Properties["justification"]; ok {
		args["justification"] = "The test asked for it."
	}
	return &Call{Tool: t.Name, Args: args}
}

// any is a value that the property allows.
func (p property) any() any {
	if len(p.Enum) > 0 {
		return p.Enum[0]
	}
	switch p.Type {
	case "number", "integer":
		return 1000
	case "boolean":
		return false
	case "array":
		return []any{}
	case "object":
		return map[string]any{}
	}
	return "Made up by the stub" // Droid wants three words and a capital
}

// fitting is an object with what the schema requires.
func fitting(raw json.RawMessage) map[string]any {
	var s schema
	_ = json.Unmarshal(raw, &s)
	out := map[string]any{}
	for _, name := range s.Required {
		switch p := s.Properties[name]; p.Type {
		case "INTEGER", "NUMBER", "integer", "number":
			out[name] = 1 // of 100, where Gemini CLI asks how hard a prompt is
		case "BOOLEAN":
			out[name] = false
		default:
			out[name] = p.any()
		}
	}
	return out
}

// questionCall is a call of the CLI's question tool, nil where it offers none.
func questionCall(p Prompt, text string) *Call {
	t, ok := p.tool(questionTools)
	if !ok {
		return nil
	}
	question := map[string]any{
		"question": text,
		"header":   "Colour",
		"options": []any{
			map[string]any{"label": "Red", "description": "the first choice"},
			map[string]any{"label": "Blue", "description": "the second choice"},
		},
	}
	var s schema
	_ = json.Unmarshal(t.Schema, &s)
	if args := otherQuestion(s, text); args != nil {
		return &Call{Tool: t.Name, Args: args}
	}
	switch t.Name {
	case "AskUserQuestion", "ask_user_question":
		question["multiSelect"] = false
	case "request_user_input":
		question["id"] = "colour"
	case "ask_user":
		question["type"] = "choice"
	}
	return &Call{Tool: t.Name, Args: map[string]any{"questions": []any{question}}}
}

// otherQuestion is for tools that take no list of questions: Droid's, Copilot's and Cline's;
// nil for others.
func otherQuestion(s schema, text string) map[string]any {
	has := func(name string) bool { _, ok := s.Properties[name]; return ok }
	switch {
	case has("questionnaire"):
		return map[string]any{"questionnaire": "1. [question] " + text + "\n[topic] Colour\n[option] Red\n[option] Blue\n"}
	case has("requestedSchema"):
		colour := map[string]any{"type": "string", "title": "Colour", "enum": []any{"Red", "Blue"}}
		return map[string]any{"message": text, "requestedSchema": map[string]any{
			"properties": map[string]any{"colour": colour}, "required": []any{"colour"}}}
	case has("question") && has("options"):
		return map[string]any{"question": text, "options": []any{"Red", "Blue"}}
	}
	return nil
}
