package dialect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/internal/screen"
	"parley/internal/vt"
)

// Screens made by hand from the grammar that the captures show: variations
// people meet, and conversation that imitates. In their text
//
//	{7} stands for ESC [ 7 m, ~ for a no-break space, § for @, and === (%%%
//	heavy, ^^^ and vvv lower and upper half blocks) for a rule over the whole
//	width; @ marks the cursor and is taken out.
type made struct {
	name, cli, version string
	cols               int
	title              string
	shown              bool
	rows               string
	want               string // "composer turn may reason"
}

func (m made) screen() screen.Screen {
	text := strings.Trim(m.rows, "\n")
	text = strings.NewReplacer("{", "\x1b[", "}", "m", "~", "\u00a0", "===", strings.Repeat("─", m.cols), "%%%", strings.Repeat("━", m.cols), "^^^", strings.Repeat("▄", m.cols), "vvv", strings.Repeat("▀", m.cols)).Replace(text)
	lines := strings.Split(text, "\n")
	cur := screen.Cursor{Visible: m.shown}
	for y, l := range lines {
		if head, tail, ok := strings.Cut(l, "@"); ok {
			at := vt.Capture([]byte(head+"\x1b[0m\u25c6"), 400, 1, screen.Cursor{}, false, "")
			for x := range at.Cells[0] {
				if at.Cells[0][x].Text == "\u25c6" {
					cur.X, cur.Y = x, y
				}
			}
			lines[y] = head + tail
		}
	}
	text = strings.ReplaceAll(strings.Join(lines, "\n"), "§", "@")
	return vt.Capture([]byte(text), m.cols, len(lines), cur, false, m.title)
}

const (
	emptyClaude = "{38;5;244}===\n{39}❯~@{7} {0}\n{38;5;244}===\n{39}"
	draftClaude = "{38;5;244}===\n{39}❯~some draft@{7} {0}\n{38;5;244}===\n{39}"
	emptyCodex  = "\n{1}›{0} @{2}Ask Codex to do anything{0}\n\n"
	emptyPi     = "{2}===\n{0}@{7} {0}\n{2}===\n"
	footerPi    = "{2}/home/dev/project (main)\n↑1 ↓1 0.0%/128k (auto)          stub-model{0}"
	footerCodex = "  gpt-5 · /work\n  {1}?{0} for shortcuts"
)

var handmade = slices.Concat(madeFirst, madeNodes, madeNative, madeStray)

var madeFirst = []made{
	{"claude: status line of three rows", "claude", "2.1.332", 60, "✳ x", false,
		"text\n" + emptyClaude + "  ~/project on main\n  ❯ 50% of context\n  cost $1.20\n  ⏸ manual mode on · ? for shortcuts", "empty idle yes"},
	{"claude: roster and counts", "claude", "2.1.332", 60, "✳ x", false,
		"text\n" + emptyClaude + "  ⏵⏵ accept edits on · 12 background tasks · 3 agents · ↓ to manage\n\n  ● main\n  ◯ general-purpose  job          5s\n  ◯ explore  other                9s", "empty idle yes"},
	{"claude: footer cut by a narrow screen", "claude", "2.1.332", 30, "✳ x", false,
		"text\n" + emptyClaude + "  ⏵⏵ bypass permissions on · esc to …", "empty idle yes"},
	{"claude: long name in the border", "claude", "2.1.332", 40, "✳ x", false,
		"text\n{38;5;244}" + strings.Repeat("─", 10) + " feature/parser · review │ 2 ─\n{39}❯~@{7} {0}\n{38;5;244}===\n{39}  ⏸ plan mode on (shift+tab to cycle)", "empty idle yes"},
	{"claude: update notice at the right", "claude", "2.1.332", 60, "✳ x", false,
		"text\n" + emptyClaude + "  ? for shortcuts                 Update available! Run: x\n                      Context left until auto-compact: 8%", "empty idle yes"},
	{"claude: vim insert alone", "claude", "2.1.332", 60, "✳ x", false, "text\n" + emptyClaude + "  -- INSERT -- ⏸ manual mode on · ← for agents", "empty idle yes"},
	{"claude: vim insert with nothing else", "claude", "2.1.197", 60, "✳ x", false, "text\n" + emptyClaude + "  -- INSERT --", "empty idle yes"},
	{"claude: unknown row under the box", "claude", "2.1.332", 60, "✳ x", false, "text\n" + emptyClaude + "  Allow this command?", "unreadable unknown no unreadable"},
	{"claude: unknown row under the footer", "claude", "2.1.332", 60, "✳ x", false, "text\n" + emptyClaude + "  ⏸ manual mode on\n  1. Yes   2. No", "unreadable unknown no unreadable"},
	{"claude: shell under the box", "claude", "2.1.332", 60, "✳ x", false, "text\n" + emptyClaude + "  ⏸ manual mode on\n\nuser@host:~$ ", "unreadable unknown no unreadable"},
	{"claude: draft of one blank", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯~ @{7} {0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "draft idle no draft"},
	{"claude: draft of newlines", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯~\n  @{7} {0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "draft idle no draft"},
	{"claude: dim text, cursor behind it", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯~{2}run the tests{0}@{7} {0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "unreadable unknown no unreadable"},
	{"claude: ghost over two rows", "claude", "2.1.332", 30, "✳ x", false, "text\n{38;5;244}===\n{39}❯~@{7}T{0;2}ry \"write a test for\n  <filepath>\"{0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "empty idle yes"},
	{"claude: real text and a ghost behind it", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯~run@{7} {0;2}the tests{0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "draft idle no draft"},
	{"claude: plain space behind the prompt", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯ @{7} {0}\n{38;5;244}===\n{39}  ⏸ manual mode on", "unreadable unknown no unreadable"},
	{"claude: reply that imitates box, dialog and spinner", "claude", "2.1.332", 60, "✳ x", false,
		"{38;5;231}●{39} It looks like this:\n  ────────────────────\n  ❯~\n  ────────────────────\n  Do you want to proceed?\n  ❯ 1. Yes\n    2. No\n  Esc to cancel\n\n  ✻ Brewing… (12s · esc to interrupt)\n\n" + emptyClaude + "  ⏸ manual mode on · ? for shortcuts", "empty idle yes"},
	{"claude: the same above a draft", "claude", "2.1.332", 60, "✳ x", false,
		"{38;5;231}●{39} It looks like this:\n  ===\n  ❯~\n  ===\n  ⏸ manual mode on\n\n" + draftClaude + "  ⏸ manual mode on", "draft idle no draft"},
	{"claude: empty box quoted above a dialog", "claude", "2.1.332", 60, "✳ x", false,
		"===\n❯~\n===\n  ⏸ manual mode on · ? for shortcuts\n\n{38;5;153}===\n{39} Bash command\n\n Do you want to proceed?\n@ ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend", "absent asking no asking"},
	{"claude: auto mode cannot check", "claude", "2.1.332", 60, "✳ x", false,
		"text\n{38;5;153}===\n{39} Auto mode can't check actions in this session\n\n@ Run it without a check?\n\n Enter to continue · shift+tab for manual mode · Esc to cancel", "absent asking no asking"},
	{"claude: spinner with a sentence", "claude", "2.1.332", 60, "✳ x", false,
		"{38;5;174}✳ Fixing the parser tests… {38;5;246}(1m 3s · ↓ 2.1k tokens){39}\n  ⎿ ~Next: run them\n\n" + emptyClaude + "  ⏸ manual mode on", "empty working yes"},
	{"claude: esc to interrupt alone", "claude", "2.1.332", 60, "✳ x", false, "text\n" + emptyClaude + "  ⏸ manual mode on · esc to interrupt", "empty working yes"},
	{"claude: title turns", "claude", "2.1.197", 60, "⠂ fix it", false, "text\n" + emptyClaude + "  ? for shortcuts", "empty working yes"},
	{"claude: 2.0 draft of blanks", "claude", "2.0.20", 60, "", false, "text\n{2;38;5;244}===\n{0}>~   {7} {0}\n{2;38;5;244}===\n{0}  {2}? for shortcuts{0}\n@", "draft idle no draft"},
	{"claude: effort in 30 columns", "claude", "2.1.197", 30, "✳ x", false, "text\n" + emptyClaude + "  ? for shortcuts · ← for a…\n            ● high · /effort", "empty idle yes"},
	{"claude: permission in 30 columns", "claude", "2.1.197", 30, "✳ x", false, "text\n{38;5;153}===\n{39} Bash command\n\n Do you want to proceed?\n@ ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n · ctrl+e to explain", "absent asking no asking"},
	{"claude: 2.0 footer in 50 columns", "claude", "2.0.20", 50, "", false, "text\n{2;38;5;244}===\n{0}>~{7} {0}\n{2;38;5;244}===\n{0}  {2}? for shortcuts{0}   {2}Thinking off (tab to toggle){0}\n@", "empty idle yes"},
	{"claude: 2.0 footer in 30 columns", "claude", "2.0.20", 30, "", false, "text\n{2;38;5;244}===\n{0}>~{7} {0}\n{2;38;5;244}===\n{0}  {2}? for {0}     {2}Thinking off{0}\n  {2}shortcuts{0}  {2}(tab to toggle){0}\n@", "empty idle yes"},
	{"claude: 2.0 footer in 40 columns", "claude", "2.0.20", 40, "", false, "text\n{2;38;5;244}===\n{0}>~{7} {0}\n{2;38;5;244}===\n{0}  {2}? for {0}         {2}Thinking off (tab to{0}\n  {2}shortcuts{0}      {2}toggle){0}\n@", "empty idle yes"},
	{"claude: 2.0 draft in 30 columns", "claude", "2.0.20", 30, "", false, "text\n{2;38;5;244}===\n{0}>~text{7} {0}\n{2;38;5;244}===\n{0}       {2}Thinking off (tab to{0}\n       {2}toggle){0}\n   {2}ctrl-g to edit prompt in{0}\n   {2}vi{0}\n@", "draft idle no draft"},
	{"claude: 2.0 shell mode", "claude", "2.0.20", 60, "", false, "text\n{2;38;5;244}===\n{0}!~{7} {0}\n{2;38;5;244}===\n{0}  {2}! for bash mode{0}\n@", "empty idle no mode"},
	{"claude: 1.0 shell mode", "claude", "1.0.100", 40, "", false,
		"text\n╭" + strings.Repeat("─", 38) + "╮\n│~!~{7} {0}" + strings.Repeat(" ", 34) + "│\n╰" + strings.Repeat("─", 38) + "╯\n  ! for bash mode\n@", "empty idle no mode"},
	{"claude: dead 2.0 box over a shell", "claude", "2.0.20", 60, "", true, "text\n{2;38;5;244}===\n{0}>~{7} {0}\n{2;38;5;244}===\n{0}  {2}? for shortcuts{0}\n$ @", "unreadable unknown no unreadable"},

	{"claude: pink rules", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;211}===\n{39}❯~@{7} {0}\n{38;5;211}===\n{39}  Press Ctrl-C again to exit", "empty idle no mode"},
	{"codex: the title asks, the box is still drawn", "codex", "0.171.0", 60, "[ ! ] Action Required | x", true, "• one\n• two\n• hi\n" + emptyCodex + footerCodex, "empty asking no asking"},
	{"codex: question with a note, without its title", "codex", "0.171.0", 60, "host", true, "\n  Question 1/1 (1 unanswered)\n\n  {1;7}› 1. Red{0}\n    2. Green\n\n  {1}›{0} pasted@\n\n  {1}tab{0} or esc to clear notes | {1}enter{0} to submit answer", "absent asking no asking"},
	{"claude: rules that end before the edge", "claude", "2.1.332", 60, "✳ x", false, "text\n────────────────\n❯~@{7} {0}\n────────────────\n  ⏸ manual mode on", "unreadable unknown no unreadable"},
	{"claude: 2.0 rules that end before the edge", "claude", "2.0.20", 60, "", false, "text\n────────────────\n>~{7} {0}\n────────────────\n  ? for shortcuts\n@", "unreadable unknown no unreadable"},
	{"claude: 1.0 box that ends before the edge", "claude", "1.0.100", 40, "", false,
		"text\n╭────╮\n│~>~{7} {0}" + strings.Repeat(" ", 34) + "│\n╰────╯\n  ? for shortcuts\n@", "unreadable unknown no unreadable"},
	{"claude: tail out of sight", "claude", "2.1.332", 60, "✳ x", false, "text\n{38;5;244}===\n{39}❯~the head@{7} {0}\n{38;5;244}─── ↓ 5 more " + strings.Repeat("─", 47) + "\n{39}  ⏸ manual mode on", "draft idle no draft"},
	{"claude: killed, a shell's cursor in the box", "claude", "2.1.332", 60, "✳ x", true, "text\n" + emptyClaude + "  ⏸ manual mode on", "unreadable unknown no unreadable"},
	{"claude: killed 2.0", "claude", "2.0.20", 60, "", true, "text\n{2;38;5;244}===\n{0}>~@{7} {0}\n{2;38;5;244}===\n{0}", "unreadable unknown no unreadable"},
	{"claude: killed 1.0", "claude", "1.0.100", 40, "", true,
		"text\n╭" + strings.Repeat("─", 38) + "╮\n│~>~@{7} {0}" + strings.Repeat(" ", 34) + "│\n╰" + strings.Repeat("─", 38) + "╯\n", "unreadable unknown no unreadable"},
	{"claude: retrying while a person drafts", "claude", "2.1.332", 60, "✳ x", false, "{38;5;211}✻{39} {38;5;211}429 too many{38;5;246} · retrying in 2s · attempt 2/2{39}\n\n" + draftClaude + "  ⏸ manual mode on", "draft working no draft"},
	{"claude: queued while a person drafts", "claude", "2.1.332", 60, "✳ x", false,
		"{38;5;246}{48;5;237}❯ text{39;49}\n{38;5;246}  ⎿  Queued · ctrl+x ctrl+s to send now{39}\n\n{38;5;174}✻ Brewing…{39}\n\n" + draftClaude + "  ⏸ manual mode on", "draft working no draft"},

	{"codex: commands under the box", "codex", "0.98.0", 60, "host", true, "• hi\n\n{1}›{0} /@\n\n  /model      choose what model to use\n  /skills     use skills\n  /review     review\n  /rename     rename\n  /new        start\n  /resume     resume", "absent unknown no menu"},
	{"codex: warnings at the left", "codex", "0.171.0", 40, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  ⚠ 2 warnings · {1}f2{0} to view", "empty idle yes"},
	{"codex: context left at the left", "codex", "0.171.0", 40, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  ? for shortcuts  98% context left", "empty idle yes"},
	{"codex: vim insert at the left", "codex", "0.171.0", 40, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  Vim: Insert · ⚠ 2 warnings", "empty idle yes"},
	{"codex: text right above the prompt", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\nmore\n{1}›{0} @{2}Ask Codex to do anything{0}\n\n" + footerCodex, "unreadable unknown no unreadable"},
	{"codex: cursor hidden", "codex", "0.171.0", 60, "project", false, "• hi\n" + emptyCodex + footerCodex, "unreadable unknown no unreadable"},
	{"codex: box as tall as the screen", "codex", "0.171.0", 60, "project", true, "{1}›{0} line 7\n  line 8\n  line 9@\n\n" + footerCodex, "draft idle no draft"},
	{"codex: head out of sight", "codex", "0.171.0", 30, "project", true, "• one\n• two\n• hi\n\n{1}›{0} word word word" + strings.Repeat(" ", 13) + "{2}↑{0}\n  word [#aaaa1111]@\n{0}", "draft idle no draft"},
	{"codex: tail out of sight", "codex", "0.171.0", 30, "project", true, "• one\n• two\n• hi\n\n{1}›{0} word@" + strings.Repeat(" ", 23) + "{2}↓{0}\n{0}", "draft idle no draft"},
	{"codex: no status line, hint cut", "codex", "0.171.0", 30, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  {1}?{0} for shortcuts", "empty idle yes"},
	{"codex: status line over three rows", "codex", "0.171.0", 30, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  qwen3:8b (local) · /work\n  · feature/parser · 12\n  files\n  {1}←{0} for agents  ⚠ 2 warnings · f2 to view", "empty idle yes"},
	{"codex: plan mode at the right", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  gpt-5 · /work\n  ? for shortcuts               Plan mode (shift+tab to cycle)", "empty idle yes"},
	{"codex: unknown rows under the box", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\n" + emptyCodex + "  Do you want to update?\n  1. Yes", "unreadable unknown no unreadable"},
	{"codex: imitations in the reply", "codex", "0.171.0", 60, "project", true,
		"{2}• {0}Working (3s • esc to interrupt)\n  › Ask Codex to do anything\n  › 1. Yes, proceed (y)\n  Press enter to confirm or esc to cancel\n" + emptyCodex + footerCodex, "empty idle yes"},
	{"codex: status row without its title", "codex", "0.171.0", 60, "host", true, "{2}◦ Thinking (1m 02s • {0;1}esc{0;2} to interrupt){0}\n" + emptyCodex + footerCodex, "empty working yes"},
	{"codex: status row in 30 columns", "codex", "0.98.0", 30, "host", true, "one\n\n\n{2}◦ Working {2}(12s • esc to inter{0}\n" + emptyCodex + footerCodex, "empty working yes"},
	{"codex: queue without its title", "codex", "0.171.0", 60, "host", true, "{2}• {0}Queued follow-up inputs\n{2}  ↳ {3}one{0}\n    {1}shift+←{0;2} edit last queued message{0}\n" + emptyCodex + footerCodex, "empty working yes"},
	{"codex: approval without its title", "codex", "0.171.0", 60, "host", false, "\n  Would you like to run it?\n\n{1;7}› 1. Yes, proceed (y){0}\n  2. No (esc)\n\n  {2}Press {0;1}enter{0;2} to confirm or {0;1}esc{0;2} to cancel{0}", "absent asking no asking"},
	{"codex: shell mode", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\n\n{1;38;5;9}!{0} @\n\n  gpt-5 · /work\n                                        Shell mode", "empty idle no mode"},
	{"codex: draft with an empty line in it", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\n\n{1}›{0} one\n\n  two@\n\n" + footerCodex, "draft idle no draft"},
	{"codex: token wrapped", "codex", "0.171.0", 60, "project", true, "• one\n• two\n• hi\n\n{1}›{0} see {38;5;6}[Pasted Content\n  1500 chars]{0}@\n\n" + footerCodex, "draft idle no draft"},

	{"practice: idle", "practice", "", 60, "○ practice · idle", true, "» hi\n\n{38;5;66}%%%\n{0;1}»~{0}@{2}Say something, or / for a command\n{0;38;5;66}%%%\n{0;2}  ready · enter sends · ctrl-j for a new line", "empty idle yes"},
	{"practice: plain ghost", "practice", "", 60, "", true, "» hi\n\n%%%\n»~@run the tests\n%%%\n  ready · enter sends", "empty idle yes"},
	{"practice: the same as a draft", "practice", "", 60, "", true, "» hi\n\n%%%\n»~run the tests@\n%%%\n  press ctrl-c again to exit", "draft idle no draft"},
	{"practice: working", "practice", "", 60, "", true, "» hi\n\n{36}⠋ Working… 3s · esc to interrupt{0}\n{2}  ↳ queued: more{0}\n\n%%%\n»~one@\n%%%\n  enter queues", "draft working no draft"},
	{"practice: working by its footer", "practice", "", 60, "", true, "{2}⠋ Indexing the folder{0}\n\n%%%\n»~@\n%%%\n  working · enter queues", "empty working yes"},
	{"practice: an idle spinner", "practice", "", 60, "", true, "{2}⠋ Indexing the folder{0}\n\n%%%\n»~@\n%%%\n  ready · enter sends", "empty idle yes"},
	{"practice: permission", "practice", "", 60, "! practice · asking", false, "» hi\n━━ permission " + strings.Repeat("━", 46) + "\n  Run it?\n  ▸ 1. Yes, run it\n    2. No (esc)\n%%%\n  enter approves · esc or n rejects\n@", "absent asking no asking"},
	{"practice: menu", "practice", "", 60, "○ practice · idle", false, "» hi\n━━ menu " + strings.Repeat("━", 52) + "\n  ▸ quiet\n    plain\n%%%\n  enter picks · esc leaves\n@", "absent unknown no menu"},
	{"practice: clipped, a token", "practice", "", 60, "", true, "» hi\n━━━ ↑ 5 more " + strings.Repeat("━", 47) + "\n  [Pasted #1 +40 lines][Pasted #2 900 chars]@\n%%%\n  ready · enter sends", "draft idle no draft"},
	{"practice: tail out of sight", "practice", "", 60, "", true, "» hi\n%%%\n»~one@\n━━━ ↓ 5 more " + strings.Repeat("━", 47) + "\n  ready · enter sends", "draft idle no draft"},
	{"practice: dead", "practice", "", 60, "", false, "» hi\n%%%\n»~@\n%%%\n  ready · enter sends", "unreadable unknown no unreadable"},
	{"practice: short rules", "practice", "", 60, "", true, "» hi\n━━━━\n»~@\n━━━━\n  ready · ctrl-j for a new line", "unreadable unknown no unreadable"},
	{"pi: local model and session name", "pi", "1.6.0", 60, "π - x", false, "text\n\n" + emptyPi + "{2}~/project (feature/parser) • my session\n$0.000 (sub) 12.5%/32k   (ollama) qwen3:8b • thinking off{0}", "empty idle yes"},
	{"pi: unknown row under the box", "pi", "1.6.0", 60, "π - x", false, "text\n\n" + emptyPi + "Allow this command?\n" + footerPi, "unreadable unknown no unreadable"},
	{"pi: completions under the box", "pi", "1.6.0", 60, "π - x", false, "text\n\n" + emptyPi + "→ settings   open\n  model      pick\n" + footerPi, "absent unknown no menu"},
	{"pi: rule drawn in a draft", "pi", "1.6.0", 60, "π - x", false, "text\n\n{2}===\n{0}look at this:\n===\n@{7} {0}\n{2}===\n" + footerPi, "draft idle no draft"},
	{"pi: draft of blanks", "pi", "1.6.0", 60, "π - x", false, "text\n\n{2}===\n{0}   @{7} {0}\n{2}===\n" + footerPi, "draft idle no draft"},
	{"pi: clipped draft", "pi", "1.6.0", 60, "π - x", false, "text\n\n{2}─── ↑ 5 more " + strings.Repeat("─", 47) + "\n{0}the tail@{7} {0}\n{2}===\n" + footerPi, "draft idle no draft"},
	{"pi: clipped draft, 0.73", "pi", "0.73.1", 60, "π - x", false, "text\n\n{38;2;80;80;80}─── ↑ 5 more " + strings.Repeat("─", 47) + "\n{0}the tail@{7} {0}\n{38;2;80;80;80}===\n" + footerPi, "draft idle no draft"},
	{"pi: tail out of sight", "pi", "1.6.0", 60, "π - x", false, "text\n\n{2}===\n{0}the head@{7} {0}\n{2}─── ↓ 5 more " + strings.Repeat("─", 47) + "\n" + footerPi, "draft idle no draft"},
	{"pi: tail out of sight, 0.73", "pi", "0.73.1", 60, "π - x", false, "text\n\n{38;2;80;80;80}===\n{0}the head@{7} {0}\n{38;2;80;80;80}─── ↓ 5 more " + strings.Repeat("─", 47) + "\n" + footerPi, "draft idle no draft"},
	{"pi: rules that end before the edge", "pi", "1.6.0", 60, "π - x", false, "text\n{2}──────────\n{0}@{7} {0}\n{2}──────────\n" + footerPi, "unreadable unknown no unreadable"},
	{"pi: rules that end before the edge, 0.73", "pi", "0.73.1", 60, "π - x", false, "text\n{38;5;8}──────────\n{0}@{7} {0}\n{38;5;8}──────────\n" + footerPi, "unreadable unknown no unreadable"},
	{"pi: spinner quoted at the end of a reply", "pi", "0.73.1", 60, "π - x", false, " ⠏ Working...\n\n{38;2;80;80;80}===\n{0}@{7} {0}\n{38;2;80;80;80}===\n" + footerPi, "empty idle yes"},
	{"pi: input dialog", "pi", "1.6.0", 60, "π - x", false, "text\n{38;5;4}===\n{39} Name?\n > @{7} {0}\n\n enter submit  escape/ctrl+c cancel\n\n{38;5;4}===\n" + footerPi, "unreadable unknown no unreadable"},
}

func (m made) wrong(r Reading) string {
	may := map[bool]string{true: "yes", false: "no"}[r.MayType]
	if got := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Composer, r.Turn, may, r.Reason)); got != m.want {
		return fmt.Sprintf("%s, not %s\n%+v", got, m.want, r)
	}
	return ""
}

func TestMadeByHand(t *testing.T) {
	s := loaded(t)
	for _, m := range handmade {
		t.Run(m.name, func(t *testing.T) {
			if w := m.wrong(cli(t, s, m.cli).Read(m.screen(), m.version)); w != "" {
				t.Error(w)
			}
		})
	}
}
