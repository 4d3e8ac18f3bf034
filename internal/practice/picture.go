package practice

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// The marks that a dialect reads. The prompt is » and a no-break space; a
// prompt in the conversation has » and a plain one.
const (
	promptMark = "»\u00a0"
	promptCols = 2
	ruleGlyph  = "━"
)

var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

func spin(now time.Time) string {
	return string(spinner[now.UnixMilli()/100%int64(len(spinner))])
}

// picture is what the screen should show now. What does not fit is cut off at
// the top.
func (a *agent) picture(now time.Time) frame {
	f := frame{title: a.title(now)}
	var rows []string
	rows = append(rows, a.header()...)
	for _, s := range a.talk {
		rows = append(rows, "")
		rows = append(rows, a.entry(s)...)
	}
	rows = append(rows, "")
	rows = append(rows, a.status(now)...)
	top := len(rows)
	if a.covered() {
		rows = append(rows, a.popupRows()...)
		f.x, f.y = 0, len(rows)-1
	} else {
		box, x, y := a.boxRows()
		rows = append(rows, box...)
		f.x, f.y, f.cursor = x, top+y, true
		rows = append(rows, a.footer())
	}
	if cut := len(rows) - a.term.rows; cut > 0 {
		rows, f.y = rows[cut:], max(f.y-cut, 0)
	}
	f.rows = rows
	return f
}

// covered reports whether a popup stands on screen in the box's place.
func (a *agent) covered() bool { return a.popup != nil && a.popup.drawn }

func (a *agent) header() []string {
	return []string{
		paint(styleBold, a.fit("◆ parley practice")),
		paint(styleDim, a.fit("  /work SECONDS · /ask · /draft TEXT · /menu · /quit")),
	}
}

func (a *agent) fit(s string) string { return ansi.Truncate(s, max(a.term.cols-1, 1), "…") }

// entry draws one of the conversation. A long one shows its end: nothing above
// the screen's height can be seen anyway.
func (a *agent) entry(s said) []string {
	rows := wrapText(s.text, max(a.term.cols-promptCols-1, 1))
	for i, row := range rows {
		mark := "  "
		if i == 0 {
			mark = s.mark
		}
		rows[i] = paint(s.style, mark+row)
	}
	return rows[max(len(rows)-a.term.rows, 0):]
}

// status is what stands right above the box: the spinner and the queue.
func (a *agent) status(now time.Time) []string {
	var rows []string
	switch {
	case a.turn.state == working && !a.covered():
		seconds := int(now.Sub(a.turn.since).Seconds())
		rows = append(rows, paint(styleToken, fmt.Sprintf("%s Working… %ds · esc to interrupt", spin(now), seconds)))
	case a.q.IdleSpinner:
		rows = append(rows, paint(styleDim, spin(now)+" Indexing the folder"))
	}
	for _, q := range a.queue {
		line := strings.ReplaceAll(q, "\n", " ")
		rows = append(rows, paint(styleDim, a.fit("  ↳ queued: "+line)))
	}
	if len(rows) > 0 {
		rows = append(rows, "")
	}
	return rows
}

// boxRows are the rules and what stands between them, and where the cursor is.
func (a *agent) boxRows() (rows []string, x, y int) {
	box := &a.box
	if a.shown != nil {
		box = a.shown
	}
	l := box.wrap(max(a.term.cols-promptCols-1, 1))
	from, to := window(len(l.rows), max(min(a.term.rows/2, a.term.rows-4), 1), l.y)
	rows = append(rows, a.rule("↑", from))
	for i, row := range l.rows[from:to] {
		mark := "  "
		if i+from == 0 {
			mark = paint(styleBold, promptMark)
			if box.empty() {
				row = a.ghost()
			}
		}
		rows = append(rows, mark+row)
	}
	rows = append(rows, a.rule("↓", len(l.rows)-to))
	return rows, promptCols + l.x, 1 + l.y - from
}

// rule is a row of the box's edge; it says how many rows lie beyond it.
func (a *agent) rule(arrow string, more int) string {
	label := ""
	if more > 0 {
		label = fmt.Sprintf("━━━ %s %d more ", arrow, more)
	}
	return paint(styleRule, a.fitRule(label))
}

func (a *agent) fitRule(label string) string {
	label = ansi.Truncate(label, a.term.cols, "")
	return label + strings.Repeat(ruleGlyph, max(a.term.cols-ansi.StringWidth(label), 0))
}

func (a *agent) ghost() string {
	g := ansi.Truncate(a.q.Ghost, max(a.term.cols-promptCols-1, 1), "")
	if a.q.GhostStyle == "plain" {
		return g
	}
	return paint(styleDim, g)
}

func (a *agent) footer() string {
	switch {
	case a.armed != nil:
		return paint(styleDim, a.fit("  press ctrl-c again to exit"))
	case a.turn.state == working:
		return paint(styleDim, a.fit("  working · enter queues"))
	}
	return paint(styleDim, a.fit("  ready · enter sends · ctrl-j for a new line"))
}

func (a *agent) popupRows() []string {
	head, items, foot := "━━ permission ", []string{"1. Yes, run it", "2. No (esc)"}, "  enter approves · esc or n rejects"
	rows := []string{""}
	if a.popup.what == "menu" {
		head, items, foot, rows = "━━ menu ", menuItems, "  enter picks · esc leaves", nil
	} else {
		rows = []string{a.fit("  The practice tool wants to write one line to its own log. Run it?")}
	}
	for i, item := range items {
		mark := "    "
		if i == a.popup.pick {
			mark = "  ▸ "
		}
		rows = append(rows, a.fit(mark+item))
	}
	rows = append([]string{paint(styleAsk, a.fitRule(head))}, rows...)
	return append(rows, paint(styleAsk, a.fitRule("")), paint(styleDim, a.fit(foot)))
}

func (a *agent) title(now time.Time) string {
	switch {
	case !a.q.Title:
		return ""
	case a.covered() && a.popup.what == "dialog":
		return "! practice · asking"
	case a.turn.state == working:
		return spin(now) + " practice · working"
	}
	return "○ practice · idle"
}
