package dialect

import (
	"regexp"
	"strconv"
	"strings"
)

// token is how a collapsed paste stands in the box. The named groups lines and
// chars of Pattern are its counts, head is how its text begins; a blank in it
// matches a line break too, since a token wraps like other text.
type token struct {
	Pattern  string `toml:"pattern"`
	Seen     string `toml:"seen"`
	Newlines bool   `toml:"newlines"` // lines counts newlines, not lines

	re *regexp.Regexp
}

func (t *token) check() (err error) {
	if t.Seen == "" {
		return ruleError{t.Pattern, "a token says where it was seen"}
	}
	if t.re, err = regexp.Compile(strings.ReplaceAll(t.Pattern, " ", `\s*`)); err != nil {
		return ruleError{t.Pattern, err.Error()}
	}
	return nil
}

// tokensIn finds the collapsed pastes in a draft, in order.
func (d *Dialect) tokensIn(draft string) []Token {
	var out []Token
	d.eachToken(draft, func(t Token, _, _ int) { out = append(out, t) })
	return out
}

// eachToken calls f for every token with its place in the draft.
func (d *Dialect) eachToken(draft string, f func(t Token, from, to int)) {
	for from := 0; from < len(draft); {
		var best *token
		var at []int
		for i := range d.tokens {
			m := d.tokens[i].re.FindStringSubmatchIndex(draft[from:])
			if m != nil && m[1] > m[0] && (at == nil || m[0] < at[0]) {
				best, at = &d.tokens[i], m
			}
		}
		if best == nil {
			return
		}
		f(best.token(draft[from:], at), from+at[0], from+at[1])
		from += at[1]
	}
}

func (t *token) token(s string, m []int) Token {
	out := Token{Text: strings.Join(strings.Fields(s[m[0]:m[1]]), " "), Newlines: -1, Chars: -1}
	for i, name := range t.re.SubexpNames() {
		if name == "" || m[2*i] < 0 {
			continue
		}
		group := s[m[2*i]:m[2*i+1]]
		n, err := strconv.Atoi(group)
		switch {
		case name == "head":
			out.Head = group
		case err != nil:
		case name == "chars":
			out.Chars = n
		case t.Newlines:
			out.Newlines = n
		default:
			out.Newlines = n - 1
		}
	}
	return out
}
