package rig

import (
	"encoding/json"
	"strings"
)

// copilot is GitHub Copilot CLI 1.0.102 (2026-11-30).
var copilot = recipe{
	env: func(p place) []string {
		return []string{"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false", "COPILOT_PROVIDER_BASE_URL=" + p.url + "/v1",
			"COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=gpt-4.1", "COPILOT_PROVIDER_WIRE_API=completions"}
	},
	files: func(p place) map[string]string {
		config, _ := json.Marshal(map[string]any{"trustedFolders": []string{p.cwd}})
		return map[string]string{".copilot/config.json": string(config)}
	},
	box:     copilotBox,
	listens: func(_ *Agent, l Look) bool { return strings.Contains(l.String(), "gpt-4.1") },
}

// copilotBox reads the rows between the two rules that the cursor is in. Ghost text has no
// style of its own: with the cursor at the start of a text, the text is one.
func copilotBox(l Look) (string, bool) {
	rule := func(r Row) bool { return r.starts("────") }
	top, bottom := around(l, rule, rule)
	if top < 0 || !l.Cursor || !l.Rows[top+1].glyph(0, "❯!") {
		return "", false
	}
	if l.X == 2 && l.Y == top+1 {
		return "", true
	}
	return inside(l, top, bottom, 2, plain), true
}
