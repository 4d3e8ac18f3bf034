package rig

import (
	"fmt"
	"strings"
	"time"
)

// gemini is Gemini CLI 0.61.0 (2026-11-30).
var gemini = recipe{
	env: func(p place) []string {
		return []string{"GEMINI_API_KEY=AIzaStub00000000000000000000000000000", "GOOGLE_GEMINI_BASE_URL=" + p.url,
			"COLORTERM=truecolor"}
	},
	files: func(place) map[string]string {
		return map[string]string{".gemini/settings.json": geminiSettings}
	},
	settle:  150 * time.Millisecond,
	box:     geminiBox,
	listens: func(_ *Agent, l Look) bool { return strings.HasPrefix(l.Title, "◇  Ready") },
}

const geminiSettings = `{"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},` +
	`"general":{"enableAutoUpdate":false,"enableAutoUpdateNotification":false},` +
	`"privacy":{"usageStatisticsEnabled":false}}`

// geminiGhosts stand in the empty box behind the drawn cursor. They have a colour of their
// own, no dimness.
var geminiGhosts = []string{"Type your message or @path/to/file", "Type your shell command"}

// geminiBox reads the rows between the rows of half blocks that the hidden cursor is in.
// Prompts of the conversation look the same, and what a resize has left may stand below.
func geminiBox(l Look) (string, bool) {
	top, bottom := around(l, func(r Row) bool { return r.starts("▄▄▄▄") }, func(r Row) bool { return r.starts("▀▀▀▀") })
	if top < 0 || l.Cursor || !l.Rows[top+1].glyph(1, ">*!(") {
		return "", false
	}
	text := inside(l, top, bottom, 3, solid)
	if trimmed := strings.TrimSpace(text); l.X == 3 && oneOf(trimmed, geminiGhosts) {
		return "", true
	}
	return text, true
}

// qwen is Qwen Code 0.24.4 (2026-11-30).
var qwen = recipe{
	env: func(p place) []string {
		return []string{"OPENAI_API_KEY=any", "OPENAI_BASE_URL=" + p.url + "/v1", "OPENAI_MODEL=stub-model"}
	},
	files: func(place) map[string]string {
		return map[string]string{".qwen/settings.json": qwenSettings}
	},
	box:     qwenBox,
	listens: func(_ *Agent, l Look) bool { return strings.HasPrefix(l.Title, "Qwen - ") },
}

// qwenSettings also turns off the mode in which a model approves tools.
const qwenSettings = `{"security":{"auth":{"selectedType":"openai"},"folderTrust":{"enabled":false}},` +
	`"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false},` +
	`"tools":{"approvalMode":"default"}}`

// qwenBox reads the rows between the two rules that the cursor is in. With the cursor at
// the start of a text, the text is a suggestion. Behind a text's end stands a U+200B.
func qwenBox(l Look) (string, bool) {
	rule := func(r Row) bool { return r.starts("────") }
	top, bottom := around(l, rule, rule)
	if top < 0 || !l.Cursor || !l.Rows[top+1].glyph(0, ">*!(") {
		return "", false
	}
	if l.X == 2 && l.Y == top+1 {
		return "", true
	}
	return inside(l, top, bottom, 2, func(r Row, from int) string {
		return strings.TrimRight(plain(r, from), " \u200b")
	}), true
}

// grok is xAI's Grok 1.0.41 (2026-11-30).
var grok = recipe{
	env: func(p place) []string {
		v1 := p.url + "/v1"
		return []string{"XAI_API_KEY=any", "GROK_MODELS_BASE_URL=" + v1, "XAI_API_BASE_URL=" + v1,
			"GROK_XAI_API_BASE_URL=" + v1, "GROK_CLI_CHAT_PROXY_BASE_URL=" + v1,
			"GROK_DISABLE_AUTOUPDATER=1", "GROK_TELEMETRY_ENABLED=0"}
	},
	box:     grokBox,
	listens: func(_ *Agent, l Look) bool { return strings.Contains(l.String(), "stub-model") },
}

// grokBox reads the rounded box that the cursor is in. With the cursor at the start of a
// text, the text is a suggestion.
func grokBox(l Look) (string, bool) {
	top, bottom := around(l, func(r Row) bool { return r.starts("  ╭─") }, func(r Row) bool { return r.starts("  ╰─") })
	if top < 0 || !l.Cursor || !l.Rows[top+1].glyph(2, "│") {
		return "", false
	}
	if l.X == 6 && l.Y == top+1 {
		return "", true
	}
	return inside(l, top, bottom, 6, bordered), true
}

// opencode is OpenCode 1.18.33 (2026-11-30).
var opencode = recipe{
	env: func(place) []string {
		return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1"}
	},
	files: func(p place) map[string]string {
		return map[string]string{".config/opencode/opencode.json": fmt.Sprintf(opencodeConfig, p.url)}
	},
	box: opencodeBox,
}

const opencodeConfig = `{"model":"stub/stub-model","small_model":"stub/stub-model","enabled_providers":["stub"],` +
	`"provider":{"stub":{"npm":"@ai-sdk/openai-compatible","name":"Stub","options":{"baseURL":"%s/v1","apiKey":"x"},` +
	`"models":{"stub-model":{"name":"Stub Model"}}}},"permission":{"bash":"ask","edit":"ask"}}`

// opencodeBox reads what has a bar at its left above the row of half blocks: a blank row,
// the text, a blank row, and the row that names the mode.
func opencodeBox(l Look) (string, bool) {
	for bottom := len(l.Rows) - 1; bottom > 0; bottom-- {
		if !strings.HasPrefix(strings.TrimSpace(l.Rows[bottom].String()), "╹▀▀▀") {
			continue
		}
		column := len(l.Rows[bottom].String()) - len(strings.TrimLeft(l.Rows[bottom].String(), " "))
		top := bottom
		for top > 0 && l.Rows[top-1].glyph(column, "┃") {
			top--
		}
		if bottom-top < 4 || !l.Cursor || l.Y <= top || l.Y >= bottom {
			return "", false
		}
		text := inside(l, top, bottom-2, column+3, plain)
		if l.X == column+3 && strings.HasPrefix(text, "Ask anything… ") {
			return "", true
		}
		return text, true
	}
	return "", false
}
