package person

import (
	"context"
	"fmt"
	"strings"
)

var words = strings.Fields(`the parser tests folder keeps one more line and then we see whether a cache helps here or not
please look at why build fails again on second run with old files maybe it was never deleted nice größer façade 漢字`)

// Sentence makes up something to say. No two of one person are equal, and none
// begins with a character that a CLI would take for a command.
func (p *Person) Sentence() string {
	p.note++
	said := []string{fmt.Sprintf("note %d:", p.note)}
	for range 2 + p.rnd.IntN(7) {
		said = append(said, words[p.rnd.IntN(len(words))])
	}
	return strings.Join(said, " ")
}

// Live says n things as people do: with pauses, with typing errors that are
// taken back, some given up half-way, some left to stand for a while. It
// returns when n were submitted or ctx ends.
func (p *Person) Live(ctx context.Context, n int) error {
	for len(p.Submitted()) < n {
		if err := p.pause(ctx, thinking); err != nil {
			return err
		}
		if err := p.say(ctx); err != nil {
			return err
		}
	}
	return nil
}

// say is one thing, submitted or given up.
func (p *Person) say(ctx context.Context) error {
	head, tail := p.split(p.Sentence())
	if err := p.Type(ctx, head); err != nil {
		return err
	}
	if p.rnd.IntN(3) == 0 { // a typing error
		slip := words[p.rnd.IntN(len(words))]
		if err := p.Type(ctx, slip); err != nil {
			return err
		}
		if ok, err := p.Erase(ctx, len([]rune(slip))); !ok || err != nil {
			return err
		}
	}
	if p.rnd.IntN(4) == 0 { // half a thought, left to stand
		if err := p.pause(ctx, thinking); err != nil {
			return err
		}
	}
	if p.rnd.IntN(6) == 0 { // given up
		_, err := p.Erase(ctx, -1)
		return err
	}
	if err := p.Type(ctx, tail); err != nil {
		return err
	}
	_, err := p.Submit(ctx)
	return err
}

// split cuts a sentence at a random blank behind its first two words.
func (p *Person) split(s string) (head, tail string) {
	parts := strings.SplitAfter(s, " ")
	cut := 2 + p.rnd.IntN(len(parts)-2)
	return strings.Join(parts[:cut], ""), strings.Join(parts[cut:], "")
}
