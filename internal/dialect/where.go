package dialect

import (
	"bytes"
	"fmt"
	"strings"
)

// Source is the dialect's file as it was read.
func (d *Dialect) Source() []byte { return bytes.Clone(d.text) }

// Where says in which line of which file the rule of a reading stands, as
// "file:line"; "" if no table has its name.
func (d *Dialect) Where(rule string) string {
	class, name, ok := strings.Cut(rule, ": ")
	if !ok {
		return ""
	}
	for _, t := range tablesIn(string(d.text)) {
		if t.name == name && t.is(class) {
			return fmt.Sprintf("%s:%d", d.File, t.line)
		}
	}
	return ""
}

// table is one [[box]], [[box.mode]] or [[rule]] of a file.
type table struct {
	kind, name, class string
	line              int
}

// is reports whether a reading's class can come from the table.
func (t table) is(class string) bool {
	switch t.kind {
	case "box":
		return class == "idle" || class == "composer"
	case "box.mode":
		return class == "mode"
	}
	return t.kind == "rule" && t.class == class
}

// tablesIn finds the tables line by line: their values were read strictly
// before, here only their places are looked for.
func tablesIn(text string) []table {
	var all []table
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			kind, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			all = append(all, table{kind: strings.TrimSpace(kind), line: n})
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || len(all) == 0 {
			continue
		}
		t := &all[len(all)-1]
		switch strings.TrimSpace(key) {
		case "name":
			t.name, t.line = unquoted(value), n
		case "class":
			t.class = unquoted(value)
		}
	}
	return all
}

// unquoted is a TOML string on one line, a comment behind it left out.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return ""
	}
	text, _, _ := strings.Cut(s[1:], s[:1])
	return text
}
