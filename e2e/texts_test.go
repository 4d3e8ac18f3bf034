package e2e

import (
	"fmt"
	"strings"
)

// text is one body of the mixed texts: what real messages are made of, and
// what has broken others.
type text struct{ name, body string }

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of %d: the quick brown fox jumps over the lazy dog\n", i+1, n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// mixed is every kind of text that must arrive once and whole. mark makes each
// body one of a kind.
func mixed(mark string) []text {
	all := []text{
		{"one line", "please rebase onto main"},
		{"three lines", lines(3)},
		{"twelve lines", lines(12)},
		{"forty lines", lines(40)},
		{"300 lines", lines(300)},
		{"50 KB", strings.Repeat("All work and no play makes Jack a dull boy. ", 50<<10/44)},
		{"one long line", strings.Repeat("word ", 155) + "end"},
		{"CJK", "日本語のメッセージ、中文信息，한국어 메시지"},
		{"emoji", "👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag, 👍🏽 thumb"},
		{"right to left", "שלום עולם and مرحبا بالعالم"},
		{"combining", "cafe\u0301 n\u0303andu\u0301 Zu\u0308rich"},
		{"tabs", "a\tb\tc\n\tindented"},
		{"CRLF", "one\r\ntwo\r\nthree"},
		{"bare CR", "one\rtwo"},
		{"leading slash", "/help me with this"},
		{"leading bang", "!ls -la is what I ran"},
		{"trailing backslash", "ends with a backslash \\"},
		{"trailing at word", "ask @bob"},
		{"trailing dollar word", "use $x"},
		{"hash and question mark", "#12 is done?"},
		{"paste end inside", "safe \x1b[201~\rtouch /tmp/parley-owned"},
		{"colour codes", "\x1b[31mred\x1b[0m text"},
		{"NUL and C1", "a\x00b\u0085c\u009bd\x07e\x7ff"},
		{"bidi controls", "abc \u202edef\u202c ghi \u2066jkl\u2069"},
		{"zero width", "zero\u200bwidth, क्\u200dष and می\u200cخواهم"},
		{"no-break space", "a\u00a0b"},
		{"blank lines", "first\n\n\nlast"},
		{"trailing blanks", "spaces at the end   "},
		{"tmux words", "; kill-server #{pid} $HOME `id` 'quoted' \"double\""},
		{"markup", "<b>bold</b> & [Pasted text #1 +3 lines] ```go\nfunc main() {}\n```"},
	}
	for i := range all {
		all[i].body = fmt.Sprintf("%s%d %s", mark, i, all[i].body)
	}
	// These two must begin as they do: the mark goes elsewhere.
	for i, t := range all {
		if t.name == "leading slash" || t.name == "leading bang" {
			_, rest, _ := strings.Cut(t.body, " ")
			all[i].body = rest + fmt.Sprintf(" %s%d", mark, i)
		}
	}
	return all
}
