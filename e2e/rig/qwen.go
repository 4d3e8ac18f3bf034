package rig

import "strings"

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
