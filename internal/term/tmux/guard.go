package tmux

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/screen"
	"parley/internal/term"
)

// guarded are the formats that must be the same in the moment of a paste or a
// press as in the look before. The title is not among them: it animates.
//
// session_activity is when a client of the pane's session last sent a key, in
// whole seconds: with no key in the second of the look, any key since then
// shows, drawn or not. bracket_paste_flag is empty before tmux 3.7.
var guarded = []string{
	"pid", "start_time", "pane_id", "pane_pid", "pane_tty", "pane_dead", "pane_in_mode", "pane_input_off",
	"pane_synchronized", "cursor_x", "cursor_y", "cursor_flag", "alternate_on", "bracket_paste_flag",
	"pane_width", "pane_height", "session_activity",
	"pane_current_command", // last: the only one that may hold anything, '|' too
}

var guardFormat = "#{" + strings.Join(guarded, "}|#{") + "}"

// fields are the values of guarded, by name.
type fields map[string]string

func parseFields(s string) (fields, error) {
	values := strings.SplitN(s, "|", len(guarded))
	if len(values) != len(guarded) {
		return nil, fmt.Errorf("%w: %d fields of %d", errOutput, len(values), len(guarded))
	}
	f := fields{}
	for i, name := range guarded {
		f[name] = values[i]
	}
	return f, nil
}

// number is a field that is a number or, for a flag that is off or a pane that
// is dead, nothing.
func (f fields) number(name string) int {
	n, _ := strconv.Atoi(f[name])
	return n
}

// on reports a flag. What is no flag's value counts as set: it forbids typing.
func (f fields) on(name string) bool { return f[name] != "0" && f[name] != "" }

func (f fields) identity() term.Identity {
	return term.Identity{
		Server:  f["pid"] + "@" + f["start_time"],
		Pane:    f["pane_id"],
		PanePID: f.number("pane_pid"),
		TTY:     f["pane_tty"],
		Command: f["pane_current_command"],
	}
}

func (f fields) state() term.State {
	return term.State{
		Dead:         f.on("pane_dead"),
		InMode:       f.on("pane_in_mode"),
		InputOff:     f.on("pane_input_off"),
		Synchronized: f.on("pane_synchronized"),
	}
}

// literal makes a text stand for itself inside a #{...} format.
func literal(s string) string { return formatEscapes.Replace(s) }

var formatEscapes = strings.NewReplacer("#", "##", ",", "#,", "}", "#}")

// equals is one comparison of two whole strings: #{&&:} takes two operands and
// ignores the rest without a word.
func equals(format, want string) string { return "#{==:" + format + "," + literal(want) + "}" }

// before is the format that gives 1 as long as the server's clock shows a whole
// second earlier than t: #{T;l:%s} is the time now (strftime).
func before(t time.Time) string {
	return "#{e|<:#{T;l:%s}," + strconv.FormatInt(t.Unix(), 10) + "}"
}

// rowOf is the format that gives the row, counted from 1, of the first row
// from the top of the visible screen that holds text; 0 if none does. #{C/r:}
// wants a POSIX extended regular expression.
func rowOf(text string) string { return "#{C/r:" + regexLiteral(text) + "}" }

// cursorRow is the format that finds the text of the row on which the cursor
// stood, and what it gave: a dialog or a popup that leaves the cursor where it
// was changes that. A blank row says nothing and is left out.
func cursorRow(s screen.Screen) (format, was string) {
	text := s.Row(s.Cursor.Y)
	end := "$"
	if r := []rune(text); len(r) > 250 { // the whole command line has a limit of 16 KB
		text, end = string(r[:250]), ""
	}
	if strings.TrimSpace(text) == "" {
		return "-", "-"
	}
	for y := range s.Rows {
		row := s.Row(y)
		if row == text || end == "" && strings.HasPrefix(row, text) {
			return "#{C/r:^" + regexLiteral(text) + end + "}", strconv.Itoa(y + 1)
		}
	}
	return "-", "-"
}

// regexLiteral escapes first for the regular expression, then for the format.
// A ':' is not escaped: only the first one counts, and "#:" stays as it is.
func regexLiteral(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(`\.[]()*+?{}|^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return literal(b.String())
}
