package courier

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/screen"
	"parley/internal/term"
	"parley/internal/term/termtest"
)

type ctx = context.Context

type fake = termtest.Fake

// program is an agent's CLI in a terminal in memory: it draws what boxDialect
// reads, folds long pastes, queues while it works, keeps a record, and counts
// keys that answered a dialog, which none of ours ever may.
type program struct {
	testing.TB
	config string
	turn   string // what has the keys or is drawn: "", "working", "asking", "menu", "shell", "odd"
	queue  []string
	folded map[string]string // token → text
	said   []string          // prompts that reached the conversation, whole

	loseKeys int           // so many Enters have no effect
	keepRows int           // so many keys that take out a row have none
	tab      bool          // Tab, and no Enter, submits while it works
	mute     bool          // it keeps no record
	late     bool          // it reads, and draws nothing
	loseHead int           // bytes cut from each paste
	returns  time.Duration // so long after it was gone, a prompt is put back into the box

	answered int // keys that answered a dialog or menu
	fake     *termtest.Fake
}

func newProgram(t testing.TB, config string) *program {
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	return &program{TB: t, config: config, folded: map[string]string{}}
}

func (p *program) terminal() *termtest.Fake {
	f := termtest.NewFake()
	f.Cols, f.Rows = 60, 14
	f.Identity.TTY = "/dev/none"
	f.Draw = p.draw
	f.Box.OnPaste, f.Box.OnKey = p.paste, p.key
	p.fake = f
	return f
}

func (p *program) paste(b *termtest.Box, text string) {
	if p.turn == "asking" || p.turn == "menu" {
		return // dropped, as real dialogs do
	}
	if p.loseHead > 0 && p.loseHead < len(text) {
		text = text[p.loseHead:]
	}
	if n := strings.Count(text, "\n"); n >= 3 || utf8.RuneCountInString(text) > 200 {
		token := "[Pasted " + strconv.Itoa(n+1) + " lines]"
		p.folded[token] = text
		text = token
	}
	b.Draft += text
}

func (p *program) key(b *termtest.Box, k term.Key) {
	switch {
	case p.turn == "asking" || p.turn == "menu":
		p.answered++
		p.turn = ""
		return
	case k == "C-u" && p.keepRows > 0:
		p.keepRows--
		return
	case k == "C-u":
		b.TakeLine()
		return
	case p.loseKeys > 0:
		p.loseKeys--
		return
	case p.tab && (k == "Tab") != (p.turn == "working"):
		return
	case k != "Enter" && !p.tab || b.Draft == "":
		return
	}
	text, stood := p.unfold(b.Draft), b.Draft
	b.Draft = ""
	if p.returns > 0 {
		time.AfterFunc(p.returns, func() { p.fake.Do(func(f *fake) { f.Box.Draft = stood }) })
		return
	}
	if p.turn == "working" {
		p.queue = append(p.queue, text)
		p.record("queued", text)
		return
	}
	p.take(text)
}

// take is a prompt that reaches the conversation.
func (p *program) take(text string) {
	p.said = append(p.said, text)
	p.record("user", text)
}

// idle ends the turn: what was queued is taken.
func (p *program) idle() {
	p.turn = ""
	for _, q := range p.queue {
		p.take(q)
	}
	p.queue = nil
}

func (p *program) record(role, text string) {
	if p.mute {
		return
	}
	line, err := json.Marshal(map[string]string{"role": role, "text": text})
	must(p, err)
	f, err := os.OpenFile(filepath.Join(p.config, "session.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(p, err)
	defer f.Close()
	_, err = f.Write(append(line, '\n'))
	must(p, err)
}

func (p *program) unfold(draft string) string {
	return tokenShape.ReplaceAllStringFunc(draft, func(t string) string { return p.folded[t] })
}

var tokenShape = regexp.MustCompile(`\[Pasted \d+ lines\]`)

// taken counts the prompts with a tag that reached the conversation or queue.
func (p *program) taken(tag string) (n int) {
	for _, s := range append(append([]string{}, p.said...), p.queue...) {
		if strings.Contains(s, tag) {
			n++
		}
	}
	return n
}

// typedShape is what parley types: NAME: body [#tag], or NAME [#tag]: body.
var typedShape = regexp.MustCompile(`(?s)^(lead|lead of main|dana|ops): .* \[#[0-9a-z]{8}\]$|^(lead|lead of main|dana|ops) \[#[0-9a-z]{8}\]: .*$`)

// ownText reports whether what a box shows is one whole text as parley has
// pasted it, and nothing else: judged from the calls alone.
func (p *program) ownText(shown string) bool {
	var asked []string
	for _, c := range p.fake.Calls() {
		if c.Verb == "paste" && c.Got != term.Refused {
			asked = append(asked, c.Texts...)
		}
	}
	shown = tight(p.unfold(shown))
	for i := range asked {
		for n := 1; n <= 2 && i+n <= len(asked); n++ {
			text := strings.Join(asked[i:i+n], "")
			if typedShape.MatchString(text) && tight(text) == shown {
				return true
			}
		}
	}
	return false
}

// onlyOurs reports whether a box shows whole texts as parley has pasted them, or
// the beginning of what it has pasted, and nothing else.
func (p *program) onlyOurs(shown string) bool {
	var asked []string
	for _, c := range p.fake.Calls() {
		if c.Verb == "paste" && c.Got != term.Refused {
			asked = append(asked, c.Texts...)
		}
	}
	shown = tight(p.unfold(shown))
	for i := range asked {
		if shown != "" && strings.HasPrefix(tight(strings.Join(asked[i:], "")), shown) {
			return true
		}
	}
	return false
}

func tight(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// draw shows the box with what the turn puts around or over it.
func (p *program) draw(b *termtest.Box, cols, rows int) screen.Screen {
	text, x, y := b.Rows(cols, rows)
	shown := true
	switch p.turn {
	case "working":
		text = above(text, "working (12s)")
		for _, q := range p.queue {
			text = above(text, "  queued: "+strings.ReplaceAll(q, "\n", " ")[:min(len(q), 40)])
		}
	case "asking":
		text, shown = over(text, "run rm -rf build?", "approve? (enter approves)"), false
	case "menu":
		text, shown = over(text, "a model, b model", "pick one (enter picks)"), false
	case "odd":
		text = over(text, "~~~~~~", "something new")
	case "shell":
		for i := range text {
			text[i] = strings.Replace(text[i], "> ", "! ", 1)
		}
	}
	return picture(text, cols, screen.Cursor{X: x, Y: y, Visible: shown})
}

// above puts a row right above the box's upper rule.
func above(rows []string, row string) []string {
	i := topRule(rows)
	if i < 1 {
		return rows
	}
	return append(append(append([]string{}, rows[1:i]...), row), rows[i:]...)
}

func topRule(rows []string) int {
	for i := len(rows) - 2; i >= 0; i-- {
		if strings.HasPrefix(rows[i], "---") {
			return i
		}
	}
	return -1
}

// over draws something else where the box is.
func over(rows []string, lines ...string) []string {
	out := append([]string{}, rows...)
	for i := max(topRule(rows), 0); i < len(out); i++ {
		out[i] = ""
	}
	copy(out[len(out)-len(lines):], lines)
	return out
}

func picture(text []string, cols int, cur screen.Cursor) screen.Screen {
	s := screen.Screen{Cols: cols, Rows: len(text), Cursor: cur}
	for _, row := range text {
		cells, runes := make([]screen.Cell, cols), []rune(row)
		for x := range cells {
			cells[x] = screen.Cell{Text: " ", Width: 1}
			if x < len(runes) {
				cells[x].Text = string(runes[x])
			}
		}
		s.Cells = append(s.Cells, cells)
	}
	return s
}

// drawn reads a box from a picture, without any dialect.
func drawn(s screen.Screen) (text string, ok bool) {
	rows := make([]string, s.Rows)
	for y := range rows {
		rows[y] = s.Row(y)
	}
	top := topRule(rows)
	if top < 0 || !strings.HasPrefix(rows[s.Rows-1], "---") || !strings.HasPrefix(rows[top+1], ">") {
		return "", false
	}
	var out []string
	for _, r := range rows[top+1 : s.Rows-1] {
		out = append(out, r[min(2, len(r)):])
	}
	return strings.Join(out, ""), true
}
