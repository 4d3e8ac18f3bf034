package dialect

import "strings"

const (
	ghostGemini  = "{38;2;215;175;255} > {7;39}@ {0;38;2;175;175;175} Type your message or §path/to/file{39}\n"
	footerGemini = " workspace (/directory)        sandbox        /model\n /work                        no sandbox       Auto"
	aboveGemini  = "{2}===\n{0} Shift+Tab to accept edits\n"
	emptyGemini  = "✦ hi\n\n" + aboveGemini + "^^^\n" + ghostGemini + "vvv\n"

	ghostQwen  = "{38;2;203;166;247}> {4;39}@ {0;38;2;108;112;134} Type your message or §path/to/file{39}\n"
	emptyQwen  = "  ◆ hi\n\n===\n" + ghostQwen + "===\n"
	footerQwen = "  ⏸ Ask permissions (shift + tab to cycle)"

	emptyCopilot  = "● hi\n\n /work [⎇ feature/x*%]\n{2}===\n{0}❯ @\n{2}===\n{0}"
	footerCopilot = " ← open sidebar · Interactive · Manual Approval · ? help      gpt-4.1"

	emptyCline  = " * hi\n\n===\n{1;38;5;111}❯{0} {38;5;102}@Ask anything...{39}\n===\n"
	footerCline = " stub-model (1) $0.00                      ○ Plan ● Act (Tab)\n work\n ⏵⏵ Auto-approve all enabled (Shift+Tab)"
)

// The CLIs that run in node.
var madeNodes = []made{
	{"gemini: idle", "gemini", "0.61.0", 60, "", false, emptyGemini + footerGemini, "empty idle yes"},
	{"gemini: branch, model with signs", "gemini", "0.61.0", 70, "", false,
		emptyGemini + " workspace (/directory)   branch             sandbox      /model\n /a/work                 feature/parser*    no sandbox   qwen3:8b (x), y", "empty idle yes"},
	{"gemini: context and quota", "gemini", "0.61.0", 80, "", false,
		emptyGemini + " workspace (/directory)   context    quota     /model\n /a/work                 12% used   3% used   gemini-3-pro", "empty idle yes"},
	{"gemini: 256 colours, no focus", "gemini", "0.61.0", 60, "", false,
		strings.Replace(emptyGemini, "{7;39}@ {0;38;2;175;175;175}", "{38;5;248} ", 1) + footerGemini, "empty idle yes"},
	{"gemini: another theme", "gemini", "0.61.0", 60, "", false, strings.Replace(emptyGemini, "38;2;175;175;175", "34", 1) + footerGemini, "empty idle yes"},
	{"gemini: no focus, a draft", "gemini", "0.61.0", 60, "", false, "✦ hi\n\n^^^\n > half a thought\nvvv\n" + footerGemini, "draft idle no draft"},
	{"gemini: no focus, the placeholder's words as a draft", "gemini", "0.61.0", 60, "", false, "✦ hi\n\n^^^\n >   Type your message or §path/to/file\nvvv\n" + footerGemini, "draft idle no draft"},
	{"gemini: no focus, blanks", "gemini", "0.61.0", 60, "", false, "✦ hi\n\n^^^\n >     \nvvv\n" + footerGemini, "unreadable unknown no unreadable"},
	{"gemini: works, without its title", "gemini", "0.61.0", 60, "", false,
		"✦ hi\n\n  Queued (press ↑ to edit):\n    more\n\n ⠹ {3}Reading the parser{0} (esc to cancel, 1m 3s)\n" + strings.TrimPrefix(emptyGemini, "✦ hi\n\n") + footerGemini, "empty working yes"},
	{"gemini: works by its title", "gemini", "0.61.0", 60, "✦  Working… (work)", false, emptyGemini + footerGemini, "empty working yes"},
	{"gemini: imitations in a reply", "gemini", "0.61.0", 60, "◇  Ready (work)", false,
		"✦ It looks so:\n   ⠹ Thinking... (esc to cancel, 3s)\n  ▄▄▄▄▄▄▄▄\n   > hello\n  ▀▀▀▀▀▀▀▀\n  │ ● 1. Allow once\n  ╰──────╯\n" + emptyGemini + footerGemini, "empty idle yes"},
	{"gemini: title asks", "gemini", "0.61.0", 60, "✋  Action Required (work)", false, emptyGemini + footerGemini, "empty asking no asking"},
	{"gemini: history search", "gemini", "0.61.0", 60, "", false, "✦ hi\n\n^^^\n (r:) {7}@ {0;38;2;175;175;175} Type your message or §path/to/file{39}\nvvv\n" + footerGemini, "empty idle no mode"},
	{"gemini: half blocks that end before the edge", "gemini", "0.61.0", 60, "", false, "✦ hi\n\n▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n" + ghostGemini + "▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n" + footerGemini, "unreadable unknown no unreadable"},
	{"gemini: killed, a shell's cursor", "gemini", "0.61.0", 60, "", true, emptyGemini + footerGemini, "unreadable unknown no unreadable"},
	{"gemini: no footer", "gemini", "0.61.0", 60, "", false, emptyGemini, "unreadable unknown no unreadable"},
	{"gemini: unknown footer", "gemini", "0.61.0", 60, "", false, emptyGemini + " Allow this command?  y/n", "unreadable unknown no unreadable"},
	{"gemini: unknown row under the footer", "gemini", "0.61.0", 60, "", false, emptyGemini + footerGemini + "\n Do you want to update?", "unreadable unknown no unreadable"},
	{"gemini: choice under the footer", "gemini", "0.61.0", 60, "", false, emptyGemini + footerGemini + "\n 1. Yes   2. No", "unreadable unknown no unreadable"},
	{"gemini: sent prompt above an unknown dialog", "gemini", "0.61.0", 60, "", false, "^^^\n > hello\nvvv\n\n Something new is asked here\n > yes\n", "unreadable unknown no unreadable"},
	{"gemini: placeholder in thirty columns", "gemini", "0.61.0", 30, "", false,
		"✦ hi\n\n^^^\n{38;2;215;175;255} > {7;39}@ {0;34} Type your message or\n   §path/to/file{39}\nvvv\n workspace (/directory)\n /work                     …", "empty idle yes"},

	{"qwen: branch, model with signs, counts", "qwen", "0.24.4", 70, "Qwen - work", true,
		emptyQwen + "  ➜ work · git:(feature/parser*) · qwen3:8b (local), q4\n" + footerQwen + " · 3 agents", "empty idle yes"},
	{"qwen: status line of the user's own", "qwen", "0.24.4", 60, "Qwen - work", true, emptyQwen + "  50% | $1.20\n  main\n" + footerQwen, "empty idle yes"},
	{"qwen: another theme", "qwen", "0.24.4", 60, "Qwen - work", true, strings.Replace(emptyQwen, "38;2;108;112;134", "34", 1) + footerQwen, "empty idle yes"},
	{"qwen: suggestion in 256 colours", "qwen", "0.24.4", 60, "Qwen - work", true, "===\n> {4}@r{0;38;5;103}un the tests{39}\n===\n  ➜ work · x\n" + footerQwen, "empty idle yes"},
	{"qwen: the same words typed, cursor at their head", "qwen", "0.24.4", 60, "Qwen - work", true, "===\n> {4}@r{0}un the tests\n===\n  ➜ work · x\n" + footerQwen, "draft idle no draft"},
	{"qwen: a tab, which the terminal's cursor counts as nothing", "qwen", "0.24.4", 60, "Qwen - work", true,
		"===\n> indented   @     by a tab{4} {0}\u200b\n===\n  ➜ work · x\n" + footerQwen, "draft idle no draft"},
	{"qwen: session's name in a border of full width", "qwen", "0.24.4", 60, "Qwen - work", true,
		strings.Replace(emptyQwen, "===", strings.Repeat("─", 39)+" parser · review, 2 ─", 1) + "  ➜ work · x\n" + footerQwen, "empty idle yes"},
	{"qwen: rules that end before the edge", "qwen", "0.24.4", 60, "Qwen - work", true, "  ◆ hi\n\n────────────\n" + ghostQwen + "────────────\n  ➜ work · x\n" + footerQwen, "unreadable unknown no unreadable"},
	{"qwen: cursor hidden", "qwen", "0.24.4", 60, "Qwen - work", false, emptyQwen + "  ➜ work · x\n" + footerQwen, "unreadable unknown no unreadable"},
	{"qwen: works by its title", "qwen", "0.24.4", 60, "◐︎ Qwen - work", true, emptyQwen + "  ➜ work · x\n" + footerQwen, "empty working yes"},
	{"qwen: works by its footer", "qwen", "0.24.4", 30, "", true, "===\n{38;5;183}> {4;39}@ {0;38;5;103} Type your message or\n  §path/to/file{39}\n===\n  ➜ work · x\n  Enter to steer · Ctrl+Q t…", "empty working yes"},
	{"qwen: title asks", "qwen", "0.24.4", 60, "✳︎ Qwen - work", true, emptyQwen + "  ➜ work · x\n" + footerQwen, "empty asking no asking"},
	{"qwen: asks, without its title", "qwen", "0.24.4", 60, "", false, "   › 1. Yes, allow once\n     2. No, suggest changes (esc)\n\n\n  ⠏ Waiting for user confirmation...@", "absent asking no asking"},
	{"qwen: imitations in a reply", "qwen", "0.24.4", 60, "Qwen - work", true,
		"  ◆ So:\n    ⠏ Waiting for user confirmation...\n    Enter to steer · Ctrl+Q to queue\n    › 1. Yes\n" + emptyQwen + "  ➜ work · x\n" + footerQwen, "empty idle yes"},
	{"qwen: menu under the box", "qwen", "0.24.4", 60, "Qwen - work", true, emptyQwen + "  > model\n    theme", "unreadable unknown no unreadable"},
	{"qwen: shell under the box", "qwen", "0.24.4", 60, "", true, emptyQwen + "  ➜ work · x\n" + footerQwen + "\n$ ", "unreadable unknown no unreadable"},

	{"copilot: model with signs, counts", "copilot", "1.0.102", 80, "x - GitHub Copilot", true, emptyCopilot + " 2 tasks · Plan · Auto Approval · ? help                  qwen3:8b (local), q4", "empty idle yes"},
	{"copilot: name in the border", "copilot", "1.0.102", 60, "", true, strings.Replace(emptyCopilot, "===", strings.Repeat("─", 43)+" parser, review ─", 1) + footerCopilot, "empty idle yes"},
	{"copilot: rules that end before the edge", "copilot", "1.0.102", 60, "", true, "● hi\n\n────────────\n❯ @\n────────────\n" + footerCopilot, "unreadable unknown no unreadable"},
	{"copilot: cursor hidden", "copilot", "1.0.102", 60, "", false, emptyCopilot + footerCopilot, "unreadable unknown no unreadable"},
	{"copilot: completion behind the cursor", "copilot", "1.0.102", 60, "", true, "● hi\n\n===\n❯ /@add-dir\n===\n" + footerCopilot, "draft idle no draft"},
	{"copilot: draft of blanks", "copilot", "1.0.102", 60, "", true, "● hi\n\n===\n❯   @\n===\n" + footerCopilot, "draft idle no draft"},
	{"copilot: streams", "copilot", "1.0.102", 60, "", true, emptyCopilot + " ◎ Working · 1.2 KB esc esc interrupt            gpt-4.1", "empty working yes"},
	{"copilot: shell mode", "copilot", "1.0.102", 60, "", true, "● hi\n\n===\n! @Execute shell command\n===\n Shell · esc exit shell mode · Manual Approval", "draft idle no mode"},
	{"copilot: unknown row under the footer", "copilot", "1.0.102", 60, "", true, emptyCopilot + footerCopilot + "\n Allow it?", "unreadable unknown no unreadable"},
	{"copilot: unknown footer", "copilot", "1.0.102", 60, "", true, emptyCopilot + " Allow it? · yes · no", "unreadable unknown no unreadable"},
	{"copilot: imitations in a reply", "copilot", "1.0.102", 60, "", true,
		"● So:\n │ ❯ 1. Yes │\n ╰────╯\n ◎ Working esc esc interrupt\n" + emptyCopilot + footerCopilot, "empty idle yes"},

	{"cline: branch, model with signs", "cline", "3.0.65", 62, "> x", true,
		emptyCline + " qwen3:8b (local), q4 (12) $1.20           ○ Plan ● Act (Tab)\n work (feature/parser) | 3 files\n Auto-approve all disabled (Shift+Tab)", "empty idle yes"},
	{"cline: glyph that is not bold", "cline", "3.0.65", 62, "> x", true, " * hi\n\n===\n❯ {38;5;102}@Ask anything...{39}\n===\n" + footerCline, "unreadable unknown no unreadable"},
	{"cline: cursor hidden", "cline", "3.0.65", 62, "> x", false, emptyCline + footerCline, "unreadable unknown no unreadable"},
	{"cline: unknown row under the footer", "cline", "3.0.65", 62, "> x", true, emptyCline + footerCline + "\n Allow it?", "unreadable unknown no unreadable"},
	{"cline: two unknown rows in the footer", "cline", "3.0.65", 62, "> x", true, emptyCline + " Allow it?\n yes\n" + footerCline, "unreadable unknown no unreadable"},
	{"cline: in the middle, edges that do not agree", "cline", "3.0.65", 62, "Cline", true,
		"     ────────────────────\n     {1}❯{0} {38;5;102}@What can I do for you?{39}\n    ────────────────────\n" + footerCline, "unreadable unknown no unreadable"},
	{"cline: rule drawn in a draft", "cline", "3.0.65", 62, "> x", true, " * hi\n\n===\n{1}❯{0} see\n  ────────────────────────────────────────────────────────────\n  @\n===\n" + footerCline, "draft idle no draft"},
	{"cline: imitations in a reply", "cline", "3.0.65", 62, "> x", true,
		" * So:\n   ⠸ Thinking... (esc to cancel)\n  [y] Approve   [n] Deny\n   ────────────\n   ❯ \n   ────────────\n" + emptyCline + footerCline, "empty idle yes"},
	{"cline: wrapped footer", "cline", "3.0.65", 40, "> x", true, emptyCline + " stub-model          ○ Plan ● Act (Tab)\n (0) $0.00\n work\n ⏵⏵ Auto-approve all enabled (\n Shift+Tab)", "empty idle yes"},

	{"vibegrok: yellow frame alone", "vibegrok", "0.0.34", 60, "", false, vibe("33", "{2;90}Ask me anything...{0;30;47} {39;49}"), "empty working no working"},
	{"vibegrok: spinner alone", "vibegrok", "0.0.34", 60, "", false, "  {36}/ Processing... {90}(1s · ↑ 8 tokens · esc to interrupt){39}\n\n" + vibe("34", "{2;90}Ask me anything...{0;30;47} {39;49}"), "empty working no working"},
	{"vibegrok: local model", "vibegrok", "0.0.34", 60, "", false, strings.Replace(vibe("34", "{2;90}Ask me anything...{0;30;47} {39;49}"), "grok-4", "qwen3:8b (local), q4", 1), "empty idle yes"},
	{"vibegrok: draft", "vibegrok", "0.0.34", 60, "", false, vibe("34", "half a thought{30;47} {39;49}    "), "draft idle no draft"},
	{"vibegrok: blanks", "vibegrok", "0.0.34", 60, "", false, vibe("34", "   {30;47} {39;49}               "), "draft idle no draft"},
	{"vibegrok: the placeholder's words as a draft", "vibegrok", "0.0.34", 60, "", false, vibe("34", "Ask me anything...{30;47} {39;49}"), "draft idle no draft"},
	{"vibegrok: dead", "vibegrok", "0.0.34", 60, "", true, vibe("34", "{2;90}Ask me anything...{0;30;47} {39;49}") + "\n@", "unreadable unknown no unreadable"},
	{"vibegrok: unknown row", "vibegrok", "0.0.34", 60, "", false, vibe("34", "{2;90}Ask me anything...{0;30;47} {39;49}") + "\n  Allow it?", "unreadable unknown no unreadable"},
	{"vibegrok: imitation in a reply", "vibegrok", "0.0.34", 60, "", false, "  ⏺ / Processing... (1s · esc to interrupt)\n  Do you want to proceed with this operation?\n" + vibe("34", "{2;90}Ask me anything...{0;30;47} {39;49}"), "empty idle yes"},
}

// vibe is a box 60 columns wide whose text takes 19.
func vibe(frame, text string) string {
	bar := "{" + frame + "}"
	return "  " + bar + "╭" + strings.Repeat("─", 54) + "╮\n{39}  " + bar + "│{39} {36}❯ {39}" + text + strings.Repeat(" ", 32) + bar +
		"│\n{39}  " + bar + "╰" + strings.Repeat("─", 54) + "╯{39}\n\n  ⏸ auto-edit: off (shift + tab)  ≋ grok-4"
}

// grok is a box 60 columns wide; text is as wide as it says.
func grok(text string, cols int, label string) string {
	pad := strings.Repeat(" ", 51-cols)
	return "  hi\n\n  {38;5;239}╭" + strings.Repeat("─", 54) + "╮{39}\n  {38;5;239}│{39} ❯ " + text + pad + "{38;5;239}│{39}\n  {38;5;239}╰" +
		strings.Repeat("─", 51-len([]rune(label))) + " {38;5;244}" + label + "{38;5;239} ─╯{39}\n\n"
}

// open is OpenCode's box, 60 columns wide.
func open(text, mode string) string {
	return "     hi\n\n  {38;5;75}┃{39}\n  {38;5;75}┃{39}  " + text + "\n  {38;5;75}┃{39}\n  {38;5;75}┃{39}  " + mode + "\n  {38;5;75}╹{39}" + strings.Repeat("▀", 57) + "\n"
}

// droid is a box 60 columns wide whose text takes one column.
func droid(text string) string {
	return "⛬  hi\n\n Auto (Off) · all actions require approval           qwen3:8b (x)\n{38;5;244}╭" + strings.Repeat("─", 58) + "╮\n│{39} {38;5;172}> {39}" + text + strings.Repeat(" ", 54) + "{38;5;244}│\n╰" +
		strings.Repeat("─", 58) + "╯{39}\n"
}

const (
	footerGrok = "  Shift+Tab:mode  │  Ctrl+x:shortcuts"
	footerOpen = "   /work                                  2 (0%)  ctrl+p commands"
)

// The CLIs that are programs of their own.
var madeNative = []made{
	{"grok: idle", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "stub-model") + footerGrok, "empty idle yes"},
	{"grok: local model with signs, mode", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "qwen3:8b (local), q4 · auto") + footerGrok + "  │  2 tasks", "empty idle yes"},
	{"grok: title in the border", "grok", "1.0.41", 60, "x - grok", true, strings.Replace(grok("@", 0, "m"), strings.Repeat("─", 54)+"╮", "─ parser, review ─"+strings.Repeat("─", 36)+"╮", 1) + footerGrok, "empty idle yes"},
	{"grok: footer cut", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "m") + "  Tab/→:accept suggestion  │  Shift+Tab:", "empty idle yes"},
	{"grok: suggestion", "grok", "1.0.41", 60, "x - grok", true, grok("@{3;38;5;240}run{0}", 3, "m") + footerGrok, "empty idle yes"},
	{"grok: cursor hidden", "grok", "1.0.41", 60, "x - grok", false, grok("@", 0, "m") + footerGrok, "unreadable unknown no unreadable"},
	{"grok: blanks", "grok", "1.0.41", 60, "x - grok", true, grok("  @", 2, "m") + footerGrok, "draft idle no draft"},
	{"grok: turn can be cancelled", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "m") + "  Shift+Tab:mode  │  Ctrl+c:cancel  │  Ctrl+x:shortcuts", "empty working no working"},
	{"grok: spinner alone", "grok", "1.0.41", 60, "grok", true, "   ⠋ Resp…   6.2s ⇣1 [stop]\n" + strings.TrimPrefix(grok("@", 0, "m"), "  hi\n\n") + "  Shift+Tab:mode  │", "empty working no working"},
	{"grok: token of lines", "grok", "1.0.41", 60, "x - grok", true, grok("[Pasted: 4 lines]@", 17, "m") + footerGrok, "draft idle no draft"},
	{"grok: token of size", "grok", "1.0.41", 60, "x - grok", true, grok("[Pasted: 10 KB]@", 15, "m") + footerGrok, "draft idle no draft"},
	{"grok: border broken by something over it", "grok", "1.0.41", 60, "x - grok", true, strings.Replace(grok("@", 0, "m"), "───────╮", "──│  │─╮", 1) + footerGrok, "unreadable unknown no unreadable"},
	{"grok: unknown footer", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "m") + "  1/5:select  │  Ctrl+c:cancel", "unreadable unknown no unreadable"},
	{"grok: unknown row under the footer", "grok", "1.0.41", 60, "x - grok", true, grok("@", 0, "m") + footerGrok + "\n  Allow it?", "unreadable unknown no unreadable"},
	{"grok: imitations in a reply", "grok", "1.0.41", 60, "x - grok", true, "  ┃  1 (●) Yes\n  ┃\n  ⠋ Responding… 2s ⇣1\n  ╭────╮\n  │ ❯  │\n  ╰────╯\n  Ctrl+c:cancel\n" + grok("@", 0, "m") + footerGrok, "empty idle yes"},
	{"grok: minimal, a sent prompt last", "grok", "1.0.41", 60, "grok", true, "hi\n{1;36}❯ {39}@{0}\nqwen3:8b · 2 / 256K (0%) · ctrl+o transcript", "unreadable unknown no unreadable"},
	{"grok: minimal, local model", "grok", "1.0.41", 60, "grok", true, "{1;36}❯ {39}hi{0}\n\nyou\nminimal · /help\n❯ @\nqwen3:8b (local), q4 · 2.3K / 256K (1%) · ctrl+o transcript", "empty idle yes"},
	{"grok: minimal, cursor hidden", "grok", "1.0.41", 60, "grok", false, "you\nminimal · /help\n❯ @\nm · 2.3K / 256K (1%) · ctrl+o transcript", "unreadable unknown no unreadable"},
	{"grok: minimal, dead", "grok", "1.0.41", 60, "grok", true, "you\nminimal · /help\n❯ \nm · 2.3K / 256K (1%) · ctrl+o transcript\n$ @", "unreadable unknown no unreadable"},

	{"opencode: local model with signs", "opencode", "1.18.33", 60, "OC | x", true, open("@", "Plan-b · qwen3:8b (local), q4 Ollama · high") + footerOpen, "empty idle yes"},
	{"opencode: counts", "opencode", "1.18.33", 60, "OC | x", true, open("@", "Build · m P") + "   /work  3 agents", "empty idle yes"},
	{"opencode: question in the mode's row", "opencode", "1.18.33", 60, "OC | x", true, open("@", "Build · Allow it? yes no") + footerOpen, "unreadable unknown no unreadable"},
	{"opencode: more behind the model", "opencode", "1.18.33", 60, "OC | x", true, open("@", "Build · m P     enter confirm") + footerOpen, "unreadable unknown no unreadable"},
	{"opencode: cursor hidden", "opencode", "1.18.33", 60, "OC | x", false, open("@", "Build · m P") + footerOpen, "unreadable unknown no unreadable"},
	{"opencode: popup over the box", "opencode", "1.18.33", 60, "OC | x", true, strings.Replace(open("see §x@", "Build · m P"), "\n\n", "\n  {38;5;238}┃{39} No matching items\n", 1) + footerOpen, "unreadable unknown no unreadable"},
	{"opencode: blank rows in a draft, another colour above", "opencode", "1.18.33", 60, "OC | x", true, strings.Replace(open("a\n  {38;5;75}┃{39}\n  {38;5;75}┃{39}  @", "Build · m P"), "{38;5;75}┃{39}  a", "{38;5;76}┃{39}  a", 1) + footerOpen, "unreadable unknown no unreadable"},
	{"opencode: sidebar", "opencode", "1.18.33", 120, "OC | x", true, strings.Replace(open("@", "Build · m P"), "m P\n", "m P"+strings.Repeat(" ", 60)+"Context: 12 tokens\n", 1) + footerOpen, "empty idle yes"},
	{"opencode: unknown row under the box", "opencode", "1.18.33", 60, "OC | x", true, open("@", "Build · m P") + "   Allow it?", "unreadable unknown no unreadable"},
	{"opencode: imitations in a reply", "opencode", "1.18.33", 60, "OC | x", true, "     ┃  △ Permission required\n     ┃  ⇆ select  enter confirm\n     esc interrupt\n" + open("@", "Build · m P") + footerOpen, "empty idle yes"},

	{"droid: idle", "droid", "0.215.0", 60, "⛬ x", false, droid("{7} {0}") + "[⏱ 1h 2m] ? for help · 2 tasks                       TMUX ⧉", "empty idle yes"},
	{"droid: spinner alone", "droid", "0.215.0", 60, "⛬ x", false, " {38;5;172}⠰ Thinking...  {2}(Press ESC to stop){0}\n" + strings.TrimPrefix(droid("{7} {0}"), "⛬  hi\n") + "? for help", "empty working yes"},
	{"droid: hint alone", "droid", "0.215.0", 60, "⛬ x", false, droid("{7}E{0;2}nter to steer · Ctrl+Enter to queue{0}") + "? for help", "unreadable unknown no unreadable"},
	{"droid: hint alone, box as wide", "droid", "0.215.0", 60, "⛬ x", false, strings.Replace(droid("{7}E{0;2}nter to steer · Ctrl+Enter to queue{0}"), strings.Repeat(" ", 54), strings.Repeat(" ", 19), 1) + "? for help", "empty working yes"},
	{"droid: hint under a draft", "droid", "0.215.0", 60, "⛬ x", false, strings.Replace(droid("a{7} {0}"), strings.Repeat(" ", 54), strings.Repeat(" ", 53)+"{38;5;244}│\n│{39}   {2}Enter to steer · Ctrl+Enter to queue{0}"+strings.Repeat(" ", 19), 1) + "? for help", "draft working no draft"},
	{"droid: a shell's cursor", "droid", "0.215.0", 60, "⛬ x", true, droid("{7}@ {0}") + "? for help", "unreadable unknown no unreadable"},
	{"droid: dead", "droid", "0.215.0", 60, "", true, droid("{7} {0}") + "? for help\n$ @", "unreadable unknown no unreadable"},
	{"droid: no drawn cursor", "droid", "0.215.0", 60, "⛬ x", false, droid(" ") + "? for help", "unreadable unknown no unreadable"},
	{"droid: unknown row", "droid", "0.215.0", 60, "⛬ x", false, droid("{7} {0}") + "? for help\n  Allow it?", "unreadable unknown no unreadable"},
	{"droid: imitations in a reply", "droid", "0.215.0", 60, "⛬ x", false, "⛬  So:\n   ⠰ Thinking...  (Press ESC to stop)\n  ↑↓ navigate   Enter select   Esc cancel\n" + droid("{7} {0}") + "? for help", "empty idle yes"},
}
