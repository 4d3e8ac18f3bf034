package serve

import (
	"bytes"
	"strconv"
	"strings"
)

// scanner tells a terminal's reports from a person's keys. Both come as bytes
// on one line: what the terminal answers to the agent's questions, its focus
// and a mouse that only moves are nobody's typing.
type scanner struct {
	part   []byte // a sequence that has begun and is not whole yet
	passed bool   // the agent has it
	paste  own
}

// own says how a person's own bracketed paste stands.
type own int

const (
	noPaste     own = iota
	heldPaste       // it has begun, and waits
	passedPaste     // it has begun, and the agent has that
)

// token is a key, a report, or a piece of one that is not whole yet.
type token struct {
	bytes  []byte
	report bool
	// rest: it finishes, or goes on with, what the agent has in part.
	rest bool
}

var pasteStart, pasteEnd = []byte("\x1b[200~"), []byte("\x1b[201~")

// midway reports whether the agent has a part of something.
func (s *scanner) midway() bool { return s.paste == passedPaste || len(s.part) > 0 && s.passed }

// split cuts what has come into tokens, in order. pass says whether keys go to
// the agent now: then parts do too, and the last token may be one.
func (s *scanner) split(b []byte, pass bool) (out []token) {
	all, had := append(s.part, b...), 0
	if s.passed {
		had = len(s.part)
	}
	s.part, s.passed = nil, false
	for len(all) > 0 {
		n, report := s.next(all)
		if n == 0 {
			break
		}
		t := token{all[had:n], report, had > 0 || s.paste == passedPaste}
		s.follow(all[:n], pass || t.rest)
		out = append(out, t)
		all, had = all[n:], 0
	}
	if len(all) == 0 {
		return out
	}
	rest := had > 0 || s.paste == passedPaste
	s.part, s.passed = bytes.Clone(all), pass || rest
	if s.passed && len(all) > had {
		out = append(out, token{all[had:], false, rest})
	}
	return out
}

// next is the length of the first token, 0 if it is not whole.
func (s *scanner) next(all []byte) (n int, report bool) {
	if s.paste != noPaste {
		return inPaste(all), false
	}
	if n = length(all); n == 0 {
		return 0, false
	}
	return n, isReport(all[:n])
}

// follow notes where a person's own paste begins and ends.
func (s *scanner) follow(t []byte, passed bool) {
	switch {
	case s.paste != noPaste && bytes.HasSuffix(t, pasteEnd):
		s.paste = noPaste
	case s.paste == noPaste && bytes.Equal(t, pasteStart) && passed:
		s.paste = passedPaste
	case s.paste == noPaste && bytes.Equal(t, pasteStart):
		s.paste = heldPaste
	}
}

// release gives the part that waited, since nothing waits any longer.
func (s *scanner) release() []byte {
	if s.paste == heldPaste {
		s.paste = passedPaste
	}
	if s.passed || len(s.part) == 0 {
		return nil
	}
	s.passed = true
	return bytes.Clone(s.part)
}

// inPaste is how much of b is surely inside a paste, its end included; what
// could be the beginning of the end waits.
func inPaste(b []byte) int {
	if i := bytes.Index(b, pasteEnd); i >= 0 {
		return i + len(pasteEnd)
	}
	for k := min(len(pasteEnd)-1, len(b)); k > 0; k-- {
		if bytes.HasSuffix(b, pasteEnd[:k]) {
			return len(b) - k
		}
	}
	return len(b)
}

// length is that of the token at the head of b; 0 if it is not whole.
func length(b []byte) int {
	if b[0] != 0x1b {
		if i := bytes.IndexByte(b, 0x1b); i > 0 {
			return i
		}
		return len(b)
	}
	if len(b) == 1 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e && !(i == 2 && b[i] == '[') {
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^', 'X':
		return stringLength(b)
	case 'O':
		if len(b) < 3 {
			return 0
		}
		return 3
	case 0x1b:
		return 1
	}
	return 2
}

// maxReport bounds a report: what is longer is none, and must not be kept back.
const maxReport = 64 << 10

// stringLength is that of a string that ends with BEL or ST.
func stringLength(b []byte) int {
	for i := 2; i < len(b); i++ {
		switch {
		case b[i] == 0x07:
			return i + 1
		case b[i] == '\\' && b[i-1] == 0x1b:
			return i + 1
		}
	}
	if len(b) > maxReport {
		return len(b)
	}
	return 0
}

// isReport reports whether a whole token is the terminal's own.
func isReport(b []byte) bool {
	if len(b) < 3 || b[0] != 0x1b {
		return false
	}
	switch b[1] {
	case ']', 'P', '_', '^', 'X':
		return true
	case '[':
		return isReportCSI(string(b[2:len(b)-1]), b[len(b)-1])
	}
	return false
}

// isReportCSI knows the answers of xterm, kitty and their kin. A cursor in the
// first row is also how F3 with a modifier is sent: that is taken for a key.
func isReportCSI(params string, final byte) bool {
	private := params != "" && params[0] >= '<' && params[0] <= '?'
	switch final {
	case 'I', 'O':
		return params == ""
	case 'R':
		return private || !strings.HasPrefix(params, "1;") && strings.Contains(params, ";")
	case 'c', 'u', 'S':
		return private
	case 'n', 't', 'y', 'x':
		return true
	case 'M', 'm':
		button, _, _ := strings.Cut(strings.TrimPrefix(params, "<"), ";")
		n, err := strconv.Atoi(button)
		return strings.HasPrefix(params, "<") && err == nil && n&32 != 0 && n&3 == 3
	}
	return false
}
