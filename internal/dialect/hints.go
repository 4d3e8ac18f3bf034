package dialect

import (
	"fmt"
	"slices"
	"strings"
)

// Hints are what is allowed in the file and probably not meant, each as
// "file:line: what". None of them makes a reading less strict.
func (d *Dialect) Hints() []string {
	var out []string
	hint := func(name, what string, args ...any) {
		err := ruleError{name, ""}
		out = append(out, fmt.Sprintf("%s:%d: %s", d.File, lineOf(d.text, err), fmt.Sprintf(what, args...)))
	}
	if len(d.Process.Exe) == 0 && len(d.Process.Argv) == 0 {
		hint("[process]", "[process] has neither exe nor argv: no running program is ever taken for it")
	}
	if len(d.boxes) == 0 {
		hint("[[box]]", "no [[box]]: every screen reads unreadable or, by a rule, absent")
		return out
	}
	b := d.below
	if len(b.Rows) == 0 && len(b.Items) == 0 && b.Bare == "" {
		hint("[below]", "[below] knows no footer and says nothing of bare: no box is ever read")
	}
	for class, what := range map[string]string{
		"asking":  "a dialog reads unreadable at best; nothing is typed then, but `status` cannot say that a person is needed",
		"working": "it always reads idle, so that a message is typed into a running turn",
	} {
		if !slices.ContainsFunc(d.rules, func(r rule) bool { return r.Class == class }) {
			hint(d.CLI, "no rule of class %s: %s", class, what)
		}
	}
	slices.Sort(out[max(0, len(out)-2):])
	if len(d.Transcript.Sources) == 0 || len(d.Transcript.Prompts) == 0 {
		hint(d.CLI, "no [transcript]: nothing stronger than left-box can be proven of a message")
	}
	for _, r := range d.rules {
		for key, p := range map[string]Pattern{"tail": r.Tail, "above": r.Above} {
			if p.Set() && strings.HasPrefix(p.String(), "^") {
				hint(r.Name, "%s begins with ^ and without (?m): it sees several rows, and ^ is the start of the first", key)
			}
		}
	}
	return out
}

// Counts says how much there is in a dialect.
func (d *Dialect) Counts() string {
	return fmt.Sprintf("boxes: %d, rules: %d, tokens: %d", len(d.boxes), len(d.rules), len(d.tokens))
}
