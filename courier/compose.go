package courier

import (
	"fmt"
	"strings"

	"parley"
	"parley/internal/dialect"
)

// typed is a message as it goes into one CLI's box.
type typed struct {
	pastes  []string       // one, or signature and body where the body collapses
	want    dialect.Wanted // what must stand in the box, alone, before the key
	whole   string         // what the CLI's record should hold, but for its own changes
	tag     string         // "[#xxxxxxxx]": in sight in every case
	name    string         // who speaks, as it stands in front
	changes []parley.Change
}

// compose writes NAME: body [#tag]. The signature in front and the tag behind
// make any body harmless at both ends. A body that the CLI would fold into a
// token goes in behind a short paste of its own that holds both.
func compose(m parley.Message, d *dialect.Dialect) typed {
	body, changes := without(m.Body, d.Text.Strip)
	t := typed{tag: "[#" + m.ID.Tag() + "]"}
	t.changes = append(append(t.changes, m.Changes...), changes...)
	// An @ could open a menu of files: lead@ops speaks as "lead of ops".
	from := strings.Replace(string(m.From), "@", " of ", 1)
	t.name = from + ":"
	one := fmt.Sprintf("%s: %s %s", from, body, t.tag)
	if !d.Collapses(one) {
		t.pastes, t.whole = []string{one}, one
		t.want = dialect.Wanted{Body: one, Whole: one, Tag: t.tag}
		return t
	}
	sign := fmt.Sprintf("%s %s: ", from, t.tag)
	if !d.Collapses(body) {
		body += " " + t.tag // stays inline by a hair: its end must be harmless too
	}
	t.pastes, t.whole = []string{sign, body}, sign+body
	t.want = dialect.Wanted{Signature: sign, Body: body, Whole: t.whole, Tag: t.tag}
	return t
}
