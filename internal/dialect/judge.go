package dialect

import (
	"fmt"
	"strings"

	"parley/internal/screen"
)

// Frame is one labelled screen. A label that is "" or "-" is not judged.
type Frame struct {
	Name     string
	Version  string // the CLI's own; "" if not known
	Screen   screen.Screen
	Composer string // empty, draft or none; none stands for absent and unreadable
	Turn     string // idle, working, asking or unknown
	MayType  string // yes or no
}

// Judged is a frame with its reading.
type Judged struct {
	Frame
	Reading Reading
	Wrong   string // in what the reading differs from the labels; "" if in nothing
	Labels  bool   // there is a label to judge by
	Danger  bool   // it would type where the label says no
}

// Judge reads labelled frames, in their order.
func (d *Dialect) Judge(frames []Frame) []Judged {
	var out []Judged
	for _, f := range frames {
		j := Judged{Frame: f, Reading: d.Read(f.Screen, f.Version)}
		j.compare("composer", j.Reading.Composer.label(), f.Composer)
		j.compare("turn", string(j.Reading.Turn), f.Turn)
		j.compare("may_type", map[bool]string{true: "yes", false: "no"}[j.Reading.MayType], f.MayType)
		j.Labels = f.judged()
		j.Danger = j.Reading.MayType && f.MayType == "no"
		out = append(out, j)
	}
	return out
}

// judged reports whether a frame has any label.
func (f Frame) judged() bool {
	for _, l := range []string{f.Composer, f.Turn, f.MayType} {
		if l != "" && l != "-" {
			return true
		}
	}
	return false
}

func (j *Judged) compare(what, got, want string) {
	if want == "" || want == "-" || got == want {
		return
	}
	if j.Wrong != "" {
		j.Wrong += "; "
	}
	j.Wrong += fmt.Sprintf("%s %s, not %s", what, got, want)
}

// label is the word that tables of labels have for a composer.
func (c Composer) label() string {
	if c == Absent || c == Unreadable {
		return "none"
	}
	return string(c)
}

// Label puts the labels of one row of a table into a frame. The columns are
// those of its header; a word that no label has is an error.
func (f *Frame) Label(header, row []string) error {
	for i, column := range header {
		if i >= len(row) {
			return nil
		}
		var to *string
		var words []string
		switch column {
		case "state", "name":
			to = &f.Name
		case "version":
			to = &f.Version
		case "composer":
			to, words = &f.Composer, []string{"empty", "draft", "none"}
		case "turn":
			to, words = &f.Turn, []string{"idle", "working", "asking", "unknown"}
		case "may_type":
			to, words = &f.MayType, []string{"yes", "no"}
		default:
			continue
		}
		if words != nil && row[i] != "-" && oneOf(f.Name, column, row[i], words...) != nil {
			return fmt.Errorf("%s: %q is none of %s", column, row[i], strings.Join(words, ", "))
		}
		*to = row[i]
	}
	return nil
}
