package rig

import "fmt"

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
