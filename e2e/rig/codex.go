package rig

import (
	"fmt"
	"strings"
)

// codex is Codex 0.98.0 to 0.171.0 (2026-11-30). Without a daemon the environment of
// hooks and tools is the pane's own.
var codex = recipe{
	args: func(p place) []string {
		if p.daemon || older(p.version, "0.149.0") {
			return nil
		}
		return []string{"--no-daemon"}
	},
	env: func(p place) []string {
		return []string{"CODEX_HOME=" + p.home + "/.codex", "STUB_API_KEY=any"}
	},
	files: func(p place) map[string]string {
		return map[string]string{".codex/config.toml": fmt.Sprintf(codexConfig, codexModel(p), p.url, p.cwd)}
	},
	box: codexBox,
	listens: func(_ *Agent, l Look) bool {
		// The footer names the model, or how much context is left, when the session is set up.
		s := l.String()
		return strings.Contains(s, "? for shortcuts") &&
			(strings.Contains(s, "gpt-5.") || strings.Contains(s, "context left"))
	},
}

// codexModel is one that raises no menu about a newer one.
func codexModel(p place) string {
	if older(p.version, "0.149.0") {
		return "gpt-5.2-codex"
	}
	return "gpt-5.1-codex"
}

const codexConfig = `model = "%s"
model_provider = "stub"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "%s/v1"
wire_api = "responses"
env_key = "STUB_API_KEY"
requires_openai_auth = false

[projects."%s"]
trust_level = "trusted"

[analytics]
enabled = false

[feedback]
enabled = false
`

// codexBox reads from the last row whose glyph in column 0 is bold, not dim and not
// inverse, to the next blank row below it that the cursor is not in.
func codexBox(l Look) (string, bool) {
	top := -1
	for y, r := range l.Rows {
		if len(r) > 0 && (r[0].Char == '›' || r[0].Char == '!') && r[0].Bold && !r[0].Dim && !r[0].Inverse {
			top = y
		}
	}
	if top < 0 || !l.Cursor || l.Y < top {
		return "", false
	}
	bottom := max(top, l.Y)
	for bottom+1 < len(l.Rows) && len(l.Rows[bottom+1].String()) > 0 {
		bottom++
	}
	var lines []string
	for _, r := range l.Rows[top : bottom+1] {
		lines = append(lines, solid(r, 2))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), true
}
