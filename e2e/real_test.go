//go:build real

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"parley"
	"parley/e2e/rig"
	"parley/internal/modelstub"
)

// TestRealTexts: each of the mixed texts arrives at the model exactly once, and
// what the model received is what was sent but for changes that the receipt
// admits to. H05-H07, H10, H17-H19, H22.
func TestRealTexts(t *testing.T) {
	for _, c := range []struct {
		cli               rig.CLI
		short, long, full int // sends
	}{
		{rig.CLI{Name: "claude", Version: "2.1.332"}, 30, 45, 120},
		{rig.CLI{Name: "codex", Version: "0.171.0"}, 30, 45, 120},
		{rig.CLI{Name: "pi", Version: "1.6.0"}, 30, 45, 120},
		{rig.CLI{Name: "claude", Version: "2.1.197"}, 6, 30, 60},
		{rig.CLI{Name: "codex", Version: "0.98.0"}, 6, 30, 60},
	} {
		t.Run(c.cli.String(), func(t *testing.T) {
			s := newStage(t)
			a := s.rig.Start(c.cli, rig.Opts{Session: "agent"})
			n := times(c.short, c.long, c.full)
			texts := mixed("m")
			for i := range n {
				one := texts[i%len(texts)]
				if n < len(texts) {
					one = texts[(i*5)%len(texts)]
				}
				one.body += fmt.Sprintf(" (%d)", i)
				s.sendReal(a, one)
			}
			s.onceEach(a)
		})
	}
}

// sendReal sends one text and judges receipt and model against each other.
func (s *stage) sendReal(a *rig.Agent, one text) parley.Receipt {
	s.Helper()
	r := s.send("agent", one.body, "--wait", "30s")
	if r.Outcome != parley.Submitted && r.Outcome != parley.Queued {
		s.Fatalf("%s: %s (%s): %+v\n%s", one.name, r.Outcome, r.Reason, r, a.Capture())
	}
	tag := "[#" + r.ID.Tag() + "]"
	p := s.prompted(a, tag)
	got := unwrap(p.Text)
	want := []string{
		"dana: " + one.body + " " + tag,
		"dana " + tag + ": " + one.body,
		"dana " + tag + ": " + one.body + " " + tag,
	}
	exact := slices.Contains(want, got)
	if !exact && !r.Altered {
		s.Errorf("%s: the model received another text, and the receipt admits nothing:\n got %.300q\nwant %.300q\n%+v", one.name, got, want[0], r)
	}
	if !exact && !slices.ContainsFunc(want, func(w string) bool { return admitted(w, r.Changes) == admitted(got, r.Changes) }) {
		s.Errorf("%s: changed beyond %v:\n got %.300q\nwant %.300q", one.name, r.Changes, got, want[0])
	}
	if !slices.Contains(r.Evidence, parley.Transcript) {
		s.Logf("%s: no transcript evidence within a second: %v", one.name, r.Evidence)
	}
	return r
}

// prompted waits until a prompt with the tag has reached the model.
func (s *stage) prompted(a *rig.Agent, tag string) modelstub.Prompt {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	p, err := a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return !p.Side && p.Says(tag) })
	if err != nil {
		s.Fatalf("no prompt with %s reached the model: %v\n%s", tag, err, a.Capture())
	}
	return p
}

// onceEach checks that no tag was prompted twice.
func (s *stage) onceEach(a *rig.Agent) {
	s.Helper()
	seen := map[string]int{}
	for _, p := range a.Stub.Prompts() {
		if p.Side {
			continue
		}
		for _, f := range strings.Fields(p.Text) {
			if strings.HasPrefix(f, "[#") && len(f) >= 11 {
				seen[f[:11]]++
			}
		}
	}
	_ = seen // a tag may stand twice in one prompt; prompts are counted below
	counts := map[string]int{}
	for _, p := range a.Stub.Prompts() {
		if p.Side {
			continue
		}
		for tag := range seen {
			if strings.Contains(p.Text, tag) {
				counts[tag]++
			}
		}
	}
	for tag, n := range counts {
		if n != 1 {
			s.Errorf("%s was prompted %d times", tag, n)
		}
	}
}

// unwrap takes off what Claude Code 2.1.332 puts around a collapsed paste.
func unwrap(text string) string {
	const open = "\n\n<pasted_content id=\""
	i := strings.Index(text, open)
	if i < 0 {
		return text
	}
	head, rest := text[:i], text[i+len(open):]
	_, rest, _ = strings.Cut(rest, ">\n")
	j := strings.LastIndex(rest, "\n</pasted_content id=\"")
	if j < 0 {
		return text
	}
	return head + rest[:j]
}

// admitted applies the changes that a receipt names to a text.
func admitted(s string, changes []parley.Change) string {
	for _, c := range changes {
		switch c {
		case "controls":
			s = strings.Map(func(r rune) rune {
				if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
					return -1
				}
				return r
			}, s)
		case "newlines":
			s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(s)
		case "tabs":
			s = strings.ReplaceAll(s, "\t", "    ")
		case "nfc":
			s = norm.NFC.String(s)
		case "invisible":
			s = strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Cf, r) {
					return -1
				}
				return r
			}, s)
		case "trimmed":
			s = strings.TrimSpace(s)
		}
	}
	return s
}
