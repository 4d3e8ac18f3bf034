package rig

import "strings"

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
