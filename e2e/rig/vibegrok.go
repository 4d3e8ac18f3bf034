package rig

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
