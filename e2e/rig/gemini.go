package rig

import (
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

// geminiSettings also turn off a dialog that asks what to do about a model which repeats
// itself, as the stub does.
const geminiSettings = `{"security":{"auth":{"selectedType":"gemini-api-key"},"folderTrust":{"enabled":false}},` +
	`"general":{"enableAutoUpdate":false,"enableAutoUpdateNotification":false},` +
	`"privacy":{"usageStatisticsEnabled":false},"model":{"disableLoopDetection":true}}`

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
