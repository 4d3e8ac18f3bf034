package rig

import (
	"encoding/json"
	"fmt"
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

// droid is Factory's Droid 0.215.0 (2026-11-30).
var droid = recipe{
	env: func(place) []string { return []string{"FACTORY_API_KEY=x", "FACTORY_AIRGAP_ENABLED=1"} },
	files: func(p place) map[string]string {
		return map[string]string{".factory/settings.json": fmt.Sprintf(droidSettings, p.url, p.cwd)}
	},
	box: droidBox,
}

const droidSettings = `{"customModels":[{"model":"stub-model","id":"custom:Stub-0","index":0,"displayName":"Stub",` +
	`"baseUrl":"%s/v1","apiKey":"x","provider":"generic-chat-completion-api"}],` +
	`"sessionDefaultSettings":{"model":"custom:Stub-0"},"trustedFolders":{"%s":{"trustedAt":"2026-11-30T12:00:00.000Z"}}}`

// droidBox reads the last box whose first row has a prompt; the terminal's cursor is below
// it, whatever the caret. While it works a dim hint is in the box.
func droidBox(l Look) (string, bool) {
	top, bottom := last(l, func(r Row) bool { return r.starts("╭─") }, func(r Row) bool { return r.starts("╰─") })
	if top < 0 || l.Cursor || !l.Rows[top+1].glyph(2, ">!") {
		return "", false
	}
	return inside(l, top, bottom, 4, func(r Row, from int) string { return unborder(solid(r, from)) }), true
}

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
	box: clineBox,
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

// vibegrok is the Grok CLI of vibe-kit 0.0.34 (2026-11-30), which its users call grok too.
var vibegrok = recipe{
	command: "grok",
	env: func(p place) []string {
		return []string{"GROK_BASE_URL=" + p.url + "/v1", "GROK_API_KEY=x", "GROK_MODEL=grok-code-fast-1"}
	},
	box: vibegrokBox,
}

// vibegrokBox reads the last box whose first row has a prompt.
func vibegrokBox(l Look) (string, bool) {
	top, bottom := last(l, func(r Row) bool { return r.starts("  ╭─") }, func(r Row) bool { return r.starts("  ╰─") })
	if top < 0 || l.Cursor || !l.Rows[top+1].glyph(4, "❯") {
		return "", false
	}
	return inside(l, top, bottom, 6, func(r Row, from int) string { return unborder(solid(r, from)) }), true
}
