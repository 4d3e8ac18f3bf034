package dialect

import "slices"

// Unused names what none of the frames has shown: boxes with their modes, rules
// and tokens, as "class: name". Without a frame that needs it nobody knows
// whether a rule is right.
func (d *Dialect) Unused(frames []Frame) []string {
	held := map[string]bool{}
	for _, f := range frames {
		v := d.look(f.Screen, f.Version)
		if v.f != nil {
			held["box: "+v.f.Name] = true
			if v.f.mode != nil {
				held["mode: "+v.f.mode.Name] = true
			}
		}
		for i := range d.rules {
			if r := &d.rules[i]; v.holds(r) {
				held[r.Class+": "+r.Name] = true
			}
		}
		d.eachToken(v.c.text, func(t Token, _, _ int) { held[d.tokenName(t.Text)] = true })
	}
	return slices.DeleteFunc(d.everything(), func(s string) bool { return held[s] })
}

// everything are the names that Unused may give, in the order of the file.
func (d *Dialect) everything() (out []string) {
	for _, b := range d.boxes {
		out = append(out, "box: "+b.Name)
		for _, m := range b.Modes {
			out = append(out, "mode: "+m.Name)
		}
	}
	for _, r := range d.rules {
		out = append(out, r.Class+": "+r.Name)
	}
	for _, t := range d.tokens {
		out = append(out, "token: "+t.Pattern)
	}
	return out
}

// tokenName is the name of the first token that a text is one of.
func (d *Dialect) tokenName(text string) string {
	for i := range d.tokens {
		if d.tokens[i].re.MatchString(text) {
			return "token: " + d.tokens[i].Pattern
		}
	}
	return ""
}
