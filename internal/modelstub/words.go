package modelstub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Reply is an answer. With a Status of 400 or more it is an error with Text as its
// message; else the Text, then the Call if there is one.
type Reply struct {
	Text   string
	Call   *Call
	Status int           // HTTP status; 0 is 200
	Delay  time.Duration // silence before the first byte
	Over   time.Duration // the words of Text are spread over this time
}

// Call makes the CLI run one of its tools.
type Call struct {
	Tool string
	Args map[string]any
}

// Words is the built-in script. It obeys these words in the user's new texts, several
// at once too, and answers "You said: …" where there are none:
//
//	STUB:slow=3s        the answer's words come spread over 3 s
//	STUB:delay=2s       silence before the first byte
//	STUB:status=429     an error of this HTTP status
//	STUB:long=300       an answer of 300 lines
//	STUB:say=TEXT       an answer of exactly TEXT
//	STUB:tool=COMMAND   a call of the CLI's shell tool (in Codex: one that needs approval)
//	STUB:question=TEXT  a call of the CLI's question tool, with the choices Red and Blue
//
// COMMAND and TEXT go to the end of the line, or up to a message's tag (" [#").
// Side requests and tool results get a plain text.
func Words(p Prompt) Reply {
	if p.Side {
		return Reply{Text: sideAnswer(p)}
	}
	script := strings.Join(p.Tail, "\n")
	r := Reply{Text: said(p)}
	r.Delay = duration(script, "delay")
	r.Over = duration(script, "slow")
	if r.Over > 0 {
		r.Text += slowTail
	}
	if v, ok := word(script, "long"); ok {
		n, _ := strconv.Atoi(first(v))
		r.Text = lines(n)
	}
	if v, ok := word(script, "say"); ok {
		r.Text = v
	}
	if v, ok := word(script, "status"); ok {
		r.Status, _ = strconv.Atoi(first(v))
		r.Text = "stub: " + http.StatusText(r.Status)
	}
	if v, ok := word(script, "tool"); ok {
		r.Call = shellCall(p, v)
	}
	if v, ok := word(script, "question"); ok {
		r.Call = questionCall(p, v)
	}
	return r
}

// sideAnswer answers a side request. Gemini CLI asks a model which model to ask, and
// asks again until the answer fits its schema.
func sideAnswer(p Prompt) string {
	if len(p.Wants) == 0 {
		return "Stub"
	}
	data, err := json.Marshal(fitting(p.Wants))
	if err != nil {
		return "Stub"
	}
	return string(data)
}

// slowTail gives a slow answer words enough to be seen growing, and a last word that
// shows it was not cut.
const slowTail = "\n" +
	"one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
	"fifteen sixteen seventeen eighteen nineteen twenty and that was the last word: unabridged."

// said is the plain answer. It quotes the first 60 characters of what the user typed.
func said(p Prompt) string {
	if p.Text == "" && len(p.Results) > 0 {
		return "The tool has answered."
	}
	text := strings.ReplaceAll(strings.TrimSpace(p.Text), "\n", " ")
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:60])
	}
	return "You said: " + text
}

// word finds the last STUB:name=value in script.
func word(script, name string) (string, bool) {
	key := "STUB:" + name + "="
	i := strings.LastIndex(script, key)
	if i < 0 {
		return "", false
	}
	v, _, _ := strings.Cut(script[i+len(key):], "\n")
	v, _, _ = strings.Cut(v, " [#")
	v, _, _ = strings.Cut(v, " STUB:")
	return strings.TrimSpace(v), true
}

func first(v string) string {
	v, _, _ = strings.Cut(v, " ")
	return v
}

func duration(script, name string) time.Duration {
	v, ok := word(script, name)
	if !ok {
		return 0
	}
	d, _ := time.ParseDuration(strings.TrimRight(first(v), ".,;"))
	return d
}

func lines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%d. line %d of the long answer\n", i, i)
	}
	return b.String()
}
