package courier

import (
	"strings"
	"unicode/utf8"

	"parley"
)

// What parley itself takes out of a body. A control character in a bracketed
// paste can end it and let the rest act as keys, so none is ever typed.
const (
	changeControls  parley.Change = "controls"  // C0 but newline and tab, DEL, C1
	changeNewlines  parley.Change = "newlines"  // CRLF, CR and Unicode's own two became LF
	changeEncoding  parley.Change = "encoding"  // invalid UTF-8 became U+FFFD
	changeInvisible parley.Change = "invisible" // characters that the CLI removes or stops at
)

// clean returns the body that is safe to paste anywhere, and what was changed.
func clean(body string) (string, []parley.Change) {
	var changes []parley.Change
	note := func(old, new string, c parley.Change) string {
		if old != new {
			changes = append(changes, c)
		}
		return new
	}
	if !utf8.ValidString(body) {
		body = note(body, strings.ToValidUTF8(body, "\uFFFD"), changeEncoding)
	}
	body = note(body, newlines.Replace(body), changeNewlines)
	body = note(body, strings.Map(dropControl, body), changeControls)
	return body, changes
}

// newlines: tmux 3.3a drops U+2028 and U+2029, and Claude Code 2.1.332 records
// them as LF.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

func dropControl(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return -1
	}
	return r
}

// without removes what the CLI would remove itself, or stop at (Claude Code
// 2.1.332 wants a second Enter after bidi controls).
func without(body string, strip []string) (string, []parley.Change) {
	out := body
	for _, s := range strip {
		out = strings.ReplaceAll(out, s, "")
	}
	if out != body {
		return out, []parley.Change{changeInvisible}
	}
	return body, nil
}
