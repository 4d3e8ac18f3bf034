package dialect

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// keys are those that may submit. A terminal types a name that it does not know
// letter by letter; Escape and most Ctrl keys cancel turns or end programs.
var keys = regexp.MustCompile(`^([CMS]-){0,3}(Enter|Tab)$`)

// checkSubmit refuses keys that are never pressed: the text would be left
// standing in the box.
func (d *Dialect) checkSubmit() error {
	if d.Submit.Key == "" && len(d.boxes) > 0 {
		return ruleError{"[submit]", "with a [[box]] it needs a key: nothing could be submitted"}
	}
	all := []string{d.Submit.Key}
	all = slices.AppendSeq(all, maps.Values(d.Submit.Before))
	all = slices.AppendSeq(all, maps.Values(d.Submit.Working))
	for _, k := range all {
		if k != "" && !keys.MatchString(k) {
			return ruleError{k, "no key that may be pressed: Enter or Tab, perhaps with C-, M- or S- in front"}
		}
	}
	return nil
}

// strangers are command lines that no dialect may claim: what runs them all is
// no CLI, and a shell would run what is typed.
var strangers = []string{"sh", "-sh", "bash", "-bash", "/bin/bash", "zsh", "-zsh", "fish", "dash", "node", "node server.js",
	"bun", "deno", "python3", "python3 app.py", "ruby", "tmux", "ssh host", "vim notes", "less notes", "sudo -s"}

// checkProcess refuses patterns that claim programs which are not the CLI.
func (p Process) checkProcess() error {
	for _, s := range strangers {
		argv := strings.Fields(s)
		if (Process{Exe: p.Exe, Argv: p.Argv}).Is(ProcessInfo{Exe: argv[0], Argv: argv}) {
			return ruleError{"[process]", fmt.Sprintf("it claims every %q: name the CLI's own executable, or match its script's path with argv", s)}
		}
	}
	return nil
}

// oneRow are the keys whose patterns see one row at a time, or one item of it.
var oneRow = []string{"Top", "Bottom", "Foot", "Clipped", "More", "Title", "Mark", "Rows", "Items", "Extra", "Free"}

// checkReach refuses a pattern that what it is held against can never match.
func checkReach(v reflect.Value, field string) error {
	if p, ok := v.Interface().(Pattern); ok {
		if !p.Set() || !slices.Contains(oneRow, field) {
			return nil
		}
		return reach(p, field)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			if err := checkReach(v.Field(i), f.Name); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkReach(v.Index(i), field); err != nil {
				return err
			}
		}
	}
	return nil
}

// blankEnd is a pattern that wants a blank at the end of a row.
var blankEnd = regexp.MustCompile(`([^\\ ] | \+|\\s\+?|\\s)\$$`)

func reach(p Pattern, field string) error {
	re, err := syntax.Parse(p.String(), syntax.Perl)
	if err != nil {
		return ruleError{p.String(), err.Error()}
	}
	switch {
	case needs(re, "\n"):
		return ruleError{p.String(), "it can never match: it sees one row, which holds no newline"}
	case blankEnd.MatchString(p.String()):
		return ruleError{p.String(), "it can never match: blanks at the end of a row are cut off"}
	case field == "Items" && (needs(re, "  ") || needs(re, " · ") || needs(re, " | ")):
		return ruleError{p.String(), "it can never match: rows are split into items at two blanks, \" · \" and \" | \""}
	case field == "Items" && strings.HasPrefix(p.String(), "^ "):
		return ruleError{p.String(), "it can never match: an item has no blank in front"}
	}
	return nil
}

// needs reports whether every match holds the text.
func needs(re *syntax.Regexp, text string) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return strings.Contains(string(re.Rune), text)
	case syntax.OpCharClass:
		r := []rune(text)
		return len(r) == 1 && len(re.Rune) == 2 && re.Rune[0] == r[0] && re.Rune[1] == r[0]
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return needs(s, text) })
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !needs(s, text) })
	case syntax.OpCapture, syntax.OpPlus:
		return needs(re.Sub[0], text)
	case syntax.OpRepeat:
		return re.Min > 0 && needs(re.Sub[0], text)
	}
	return false
}
