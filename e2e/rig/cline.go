package rig

import (
	"fmt"
	"strings"
	"time"
)

// cline is Cline 3.0.65 (2026-11-30).
var cline = recipe{
	files: func(p place) map[string]string {
		const dir = ".cline/data/settings/"
		return map[string]string{
			dir + "providers.json":       fmt.Sprintf(clineProviders, p.url),
			dir + "global-settings.json": `{"autoUpdateEnabled":false,"telemetryOptOut":true,"toolAutoApprove":false}`,
			// Else offers cover the first starts; Enter on one opens a browser.
			dir + "cli-notices.json": `{"shown":{"cline-cli-cline-pass-intro":true,"cline-cli-desktop-launch":true,"cline-cli-zen":true}}`,
		}
	},
	// An Enter right at the end of a turn was lost once in 28: the text stood for a minute.
	settle: 100 * time.Millisecond,
	box:    clineBox,
}

// clineProviders is what "cline auth -p openai" writes.
const clineProviders = `{"version":1,"lastUsedProvider":"openai-compatible","modes":{},"providers":{` +
	`"openai-compatible":{"settings":{"provider":"openai-compatible","apiKey":"x","model":"stub-model",` +
	`"baseUrl":"%s/v1"},"updatedAt":"2026-11-30T12:00:00.000Z","tokenSource":"manual"}}}`

var clineGhosts = []string{"What can I do for you?", "Ask anything..."}

// clineBox reads the rows between the two rules that the cursor is in; before the first
// prompt they are in the middle of the screen.
func clineBox(l Look) (string, bool) {
	rule := func(r Row) bool { return strings.HasPrefix(strings.TrimLeft(r.String(), " "), "────") }
	top, bottom := around(l, rule, rule)
	if top < 0 || !l.Cursor {
		return "", false
	}
	column := strings.IndexRune(l.Rows[top].String(), '─')
	if !l.Rows[top+1].glyph(column, "❯!") {
		return "", false
	}
	text := inside(l, top, bottom, column+2, plain)
	if l.X == column+2 && oneOf(text, clineGhosts) {
		return "", true
	}
	return text, true
}
