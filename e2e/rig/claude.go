package rig

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const claudeKey = "sk-ant-stub-0000000000000000000000"

// claude is Claude Code 2.0.20 to 2.1.332 (2026-11-30).
var claude = recipe{
	args: func(p place) []string {
		if older(p.version, "2.1.0") {
			return nil
		}
		return []string{"--permission-mode", "default"}
	},
	env: func(p place) []string {
		return []string{
			"ANTHROPIC_BASE_URL=" + p.url, "ANTHROPIC_API_KEY=" + claudeKey,
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		}
	},
	files: func(p place) map[string]string {
		config, _ := json.Marshal(map[string]any{
			"hasCompletedOnboarding": true, "theme": "dark",
			"customApiKeyResponses": map[string]any{
				"approved": []string{claudeKey[len(claudeKey)-20:]}, "rejected": []string{}},
			"projects": map[string]any{p.cwd: map[string]any{
				"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true, "allowedTools": []string{}}},
		})
		return map[string]string{".claude.json": string(config)}
	},
	box:     claudeBox,
	listens: claudeListens,
}

// claudeBox reads the rows between the last two rules. The first begins with a glyph and
// a no-break space: a dialog's pointer has a plain space behind it.
func claudeBox(l Look) (string, bool) {
	top, bottom := -1, -1
	for y, r := range l.Rows {
		if strings.HasPrefix(r.String(), "────") {
			top, bottom = bottom, y
		}
	}
	if top < 0 || bottom < top+2 {
		return "", false
	}
	first := []rune(l.Rows[top+1].String())
	if len(first) == 0 || !strings.ContainsRune("❯>!", first[0]) {
		if !strings.Contains(l.Rows[top].String(), " more ") {
			return "", false
		}
	} else if len(first) > 1 && first[1] != '\u00a0' {
		return "", false
	}
	var lines []string
	for _, r := range l.Rows[top+1 : bottom] {
		lines = append(lines, solid(r, 2))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), true
}

// solid is a row's text from column from on, without dim cells, and without the inverse
// cell (the CLI's own cursor) where it is blank or the first of a dim text.
func solid(r Row, from int) string {
	var b strings.Builder
	for x := from; x < len(r); x++ {
		c := r[x]
		ghost := c.Inverse && x+1 < len(r) && r[x+1].Dim
		if c.Dim || ghost {
			continue
		}
		b.WriteRune(c.Char)
	}
	return strings.TrimRight(b.String(), " ")
}

// claudeListens wants the status "idle" in the session's own file. It is written by
// 2.1.x when the box has begun to listen; 2.0.20 has no such file.
func claudeListens(a *Agent, _ Look) bool {
	if older(a.CLI.Version, "2.1.0") {
		return true
	}
	data, err := os.ReadFile(filepath.Join(a.Home, ".claude", "sessions", fmt.Sprint(a.PID())+".json"))
	var session struct{ Status string }
	return err == nil && json.Unmarshal(data, &session) == nil && session.Status == "idle"
}
