package courier

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley"
	"parley/internal/roster"
)

// nobody is the sentence for a name that means no agent, with what may have
// been meant.
func (c *Courier) nobody(ctx context.Context, n parley.Name) string {
	say := fmt.Sprintf("no agent named %q was ever seen", n)
	if lines, err := c.roster.Lines(); err == nil && slices.ContainsFunc(lines, func(m roster.Member) bool { return m.Name == n }) {
		say = fmt.Sprintf("%s has left", n)
	}
	if near := append(c.elsewhere(n), nearest(n, c.Names(ctx))...); len(near) > 0 {
		return say + DidYouMean(near)
	}
	return say + "; `parley status` lists who is there"
}

// DidYouMean is the end of a sentence about a name that is not known.
func DidYouMean(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", strings.Join(near, ", "))
}

// Names lists every name that can be written to now: members first, then tmux
// sessions with an agent in them.
func (c *Courier) Names(ctx context.Context) []parley.Name {
	var out []parley.Name
	add := func(n parley.Name) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	lines, _ := c.roster.Lines()
	for _, m := range lines {
		if m.Kind != roster.Left {
			add(m.Name)
		}
	}
	sightings, _ := roster.Sightings(ctx, c.dialects, c.Where())
	for _, s := range sightings {
		if n, err := s.Name(); err == nil && !c.cfg.Person(n) && !roster.HasLeft(lines, n, s.Agent.Identity) {
			add(n)
		}
	}
	return out
}

// elsewhere is where a name stands in other teams, as NAME@TEAM.
func (c *Courier) elsewhere(n parley.Name) (out []string) {
	for _, t := range Teams(c.cfg.Home) {
		if _, known, _ := c.in(t).roster.Member(n); known && t != c.cfg.Team {
			out = append(out, string(n)+"@"+t)
		}
	}
	return out
}

// Teams lists the teams that have state below a home.
func Teams(home string) (out []string) {
	entries, _ := os.ReadDir(filepath.Join(home, "teams"))
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// Boxes lists every name that has an inbox.
func (c *Courier) Boxes() (out []parley.Name) {
	entries, _ := os.ReadDir(filepath.Join(c.dir, "inbox"))
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok {
			out = append(out, parley.Name(n))
		}
	}
	return out
}

// Stranger says that a name is nobody's: it is neither the person nor an
// agent, and nothing was ever saved for it. near are names that may be meant.
func (c *Courier) Stranger(ctx context.Context, n parley.Name) (near []string, is bool) {
	known := append(c.Boxes(), c.Names(ctx)...)
	if c.cfg.Person(n) || slices.Contains(known, n) {
		return nil, false
	}
	slices.Sort(known)
	return append(c.elsewhere(n), nearest(n, slices.Compact(known))...), true
}

// nearest returns up to three of all that somebody who typed n may have meant,
// the likeliest first: few slips away, or one begins with the other, or n is a
// part of it.
func nearest(n parley.Name, all []parley.Name) []string {
	type hit struct {
		name  string
		slips int
	}
	var hits []hit
	for _, a := range all {
		long, short := string(a), string(n)
		if len(long) < len(short) {
			long, short = short, long
		}
		d := slips(string(n), string(a))
		switch {
		case d <= min(3, 1+len(n)/4):
		case len(short) >= 2 && strings.HasPrefix(long, short), len(short) >= 3 && strings.Contains(long, short):
			d = 4 // behind every slip
		default:
			continue
		}
		hits = append(hits, hit{string(a), d})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return a.slips - b.slips })
	var out []string
	for _, h := range hits[:min(3, len(hits))] {
		out = append(out, h.name)
	}
	return out
}

// slips counts the letters that are wrong, missing, too many, or exchanged with
// their neighbour, between two names in ASCII.
func slips(a, b string) int {
	var older []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := append(make([]int, 0, len(b)+1), i+1)
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, older[j-1]+1)
			}
			row = append(row, d)
		}
		older, last = last, row
	}
	return last[len(b)]
}
