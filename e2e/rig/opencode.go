package rig

import (
	"fmt"
	"strings"
)

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
