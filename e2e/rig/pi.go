package rig

import (
	"fmt"
	"strings"
)

// pi is Pi 0.73.1 to 1.6.0 (2026-11-30).
var pi = recipe{
	args: func(place) []string { return nil },
	env:  func(place) []string { return []string{"PI_OFFLINE=1"} },
	files: func(p place) map[string]string {
		return map[string]string{
			".pi/agent/models.json":   fmt.Sprintf(piModels, p.url),
			".pi/agent/settings.json": `{"defaultProvider":"stub","defaultModel":"stub-model"}`,
		}
	},
	box: piBox,
	listens: func(_ *Agent, l Look) bool {
		return l.Command == "pi" && strings.Contains(l.String(), "stub-model")
	},
}

const piModels = `{"providers":{"stub":{"baseUrl":"%s/v1","api":"openai-completions","apiKey":"x",` +
	`"models":[{"id":"stub-model"}]}}}`

// piBox reads the rows between the last two rules. It has no glyph.
func piBox(l Look) (string, bool) {
	top, bottom := -1, -1
	for y, r := range l.Rows {
		if strings.HasPrefix(r.String(), "──") {
			top, bottom = bottom, y
		}
	}
	if top < 0 || bottom < top+2 {
		return "", false
	}
	var lines []string
	for _, r := range l.Rows[top+1 : bottom] {
		lines = append(lines, solid(r, 0))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), true
}
