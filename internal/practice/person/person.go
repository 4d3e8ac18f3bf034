// Package person is a simulated person at a terminal, for tests: it types,
// pauses, mistypes, erases and submits, and knows exactly what it did. Given
// the same seed and an eye that sees the same, it does the same.
package person

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Kind is what the person did.
type Kind string

const (
	Typed     Kind = "typed"     // Text went into the box, key by key
	Erased    Kind = "erased"    // Text was taken back, key by key, newest last
	Submitted Kind = "submitted" // Enter, with Text as the person's own words in the box
	Noticed   Kind = "noticed"   // Saw stood in the box where Text should: no Enter
	Cleared   Kind = "cleared"   // out of patience: everything erased, Saw was there
)

// Act is one thing that the person did.
type Act struct {
	At   time.Time
	Kind Kind
	Text string
	Saw  string
}

// Look says what a person sees in the input box; an error: nothing to go by.
type Look func() (string, error)

// Options say how the person is. The zero value types blindly at a person's speed.
type Options struct {
	Seed  uint64
	Speed float64 // 2 halves every pause; 0 is 1
	// See is looked through before an Enter and before erasing; nil: blind.
	// White space and its kind do not count: wrapping changes both.
	See Look
	// Patience is how long foreign text is given to go away (0: five seconds).
	// After that the person clears the box, as Cleared says.
	Patience time.Duration
}

// The times of a person's hand, each drawn evenly between its ends. Keys follow
// each other in 60 to 200 ms at some 60 words a minute; a look and the finger
// on Enter are a reaction time apart.
var (
	keyGap   = span{60 * time.Millisecond, 200 * time.Millisecond}
	wordGap  = span{80 * time.Millisecond, 350 * time.Millisecond}
	thinking = span{300 * time.Millisecond, 2 * time.Second}
	reaction = span{150 * time.Millisecond, 350 * time.Millisecond}
)

type span struct{ from, to time.Duration }

// Person types on one keyboard. Its methods are called by one goroutine; the
// records may be read by others.
type Person struct {
	keys io.Writer
	o    Options
	rnd  *rand.Rand
	note int // sentences said so far

	mu    sync.Mutex
	draft string
	acts  []Act
}

// New returns a person whose keys go to keys: the PTY of an attached tmux
// client (Attach), or tmux's own send-keys (Bare).
func New(keys io.Writer, o Options) *Person {
	if o.Speed == 0 {
		o.Speed = 1
	}
	if o.Patience == 0 {
		o.Patience = 5 * time.Second
	}
	return &Person{keys: keys, o: o, rnd: rand.New(rand.NewPCG(o.Seed, 1))}
}

// Draft is what the person believes to have in the box.
func (p *Person) Draft() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.draft
}

// Acts are all records so far, oldest first.
func (p *Person) Acts() []Act {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.acts)
}

// Submitted are the texts that the person sent, oldest first.
func (p *Person) Submitted() []string {
	var texts []string
	for _, a := range p.Acts() {
		if a.Kind == Submitted {
			texts = append(texts, a.Text)
		}
	}
	return texts
}

func (p *Person) did(k Kind, text, saw string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acts = append(p.acts, Act{At: time.Now(), Kind: k, Text: text, Saw: saw})
}

func (p *Person) setDraft(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.draft = s
}

// press sends one key.
func (p *Person) press(key string) error {
	if _, err := io.WriteString(p.keys, key); err != nil {
		return fmt.Errorf("press a key: %w", err)
	}
	return nil
}

func (p *Person) pause(ctx context.Context, s span) error {
	d := s.from + time.Duration(p.rnd.Int64N(int64(s.to-s.from)))
	t := time.NewTimer(time.Duration(float64(d) / p.o.Speed))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Type types text key by key; a newline in it goes in as Ctrl-J. What was typed
// when ctx ended is recorded.
func (p *Person) Type(ctx context.Context, text string) error {
	typed := ""
	defer func() {
		if typed != "" {
			p.did(Typed, typed, "")
		}
	}()
	for _, r := range text {
		if err := p.press(string(r)); err != nil {
			return err
		}
		typed += string(r)
		p.setDraft(p.Draft() + string(r))
		gap := keyGap
		if r == ' ' {
			gap = wordGap
		}
		if err := p.pause(ctx, gap); err != nil {
			return err
		}
	}
	return nil
}

// Erase takes n characters back with Backspace, all of them if n is negative.
// Foreign text in the box stops it: false.
func (p *Person) Erase(ctx context.Context, n int) (bool, error) {
	if ok, err := p.alone(ctx); !ok || err != nil {
		return ok, err
	}
	draft := p.Draft()
	if n < 0 || n > utf8.RuneCountInString(draft) {
		n = utf8.RuneCountInString(draft)
	}
	erased := ""
	defer func() {
		if erased != "" {
			p.did(Erased, erased, "")
		}
	}()
	for range n {
		if err := p.press("\x7f"); err != nil {
			return true, err
		}
		r, size := utf8.DecodeLastRuneInString(draft)
		erased, draft = string(r)+erased, draft[:len(draft)-size]
		p.setDraft(draft)
		if err := p.pause(ctx, keyGap); err != nil {
			return true, err
		}
	}
	return true, nil
}

// Submit looks, if the person can see, and presses Enter. If other text stands
// in the box it does not: false.
func (p *Person) Submit(ctx context.Context) (bool, error) {
	if ok, err := p.alone(ctx); !ok || err != nil {
		return ok, err
	}
	if err := p.pause(ctx, reaction); err != nil {
		return false, err
	}
	if err := p.press("\r"); err != nil {
		return false, err
	}
	p.did(Submitted, p.Draft(), "")
	p.setDraft("")
	return true, nil
}

// alone waits, as long as patience lasts, until the box holds exactly the
// person's own draft, and clears the box if it never does. A blind person
// believes so at once.
func (p *Person) alone(ctx context.Context) (bool, error) {
	if p.o.See == nil {
		return true, nil
	}
	noticed := false
	for end := time.Now().Add(p.o.Patience); ; {
		saw, err := p.o.See()
		if err == nil && squeeze(saw) == squeeze(p.Draft()) {
			return true, nil
		}
		if time.Now().After(end) {
			return false, p.clear(ctx, saw)
		}
		// A first look may come before the last key's echo.
		if err == nil && !noticed && time.Until(end) < p.o.Patience/2 {
			noticed = true
			p.did(Noticed, p.Draft(), saw)
		}
		if err := p.pause(ctx, reaction); err != nil {
			return false, err
		}
	}
}

// clear empties the box line by line.
func (p *Person) clear(ctx context.Context, saw string) error {
	p.did(Cleared, p.Draft(), saw)
	p.setDraft("")
	for range 200 {
		if err := p.press("\x15"); err != nil {
			return err
		}
		if err := p.pause(ctx, keyGap); err != nil {
			return err
		}
		if now, err := p.o.See(); err == nil && squeeze(now) == "" {
			return nil
		}
	}
	return nil
}

// squeeze leaves white space out.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
