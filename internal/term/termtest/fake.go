package termtest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"parley/internal/screen"
	"parley/internal/term"
)

// Fault is how a call to a Fake goes wrong.
type Fault int

const (
	NoFault    Fault = iota
	NotApplied       // it fails, and nothing reached the program
	ButApplied       // it fails, and yet it was applied
)

// ErrFault is what a call with a fault returns.
var ErrFault = errors.New("the terminal call failed")

// Call is one call that a Fake received.
type Call struct {
	Verb   string   // "look", "paste", "press" or "clear"
	N      int      // how many calls of this verb there were, this one counted
	Texts  []string // paste
	Key    term.Key // press, clear
	Anchor string
	Got    term.Applied // once it is over
}

// Fake is a terminal in memory with one Box in it. Set its fields before it is
// used; afterwards change it by Do.
type Fake struct {
	Box        Box
	Cols, Rows int // 0 = 80 by 24
	Identity   term.Identity
	State      term.State
	// Draw shows the box; nil = Box.Screen.
	Draw func(b *Box, cols, rows int) screen.Screen
	// Before is called as a call begins and may change the fake: what it
	// changes, the guard sees. It returns the call's fault.
	Before func(f *Fake, c Call) Fault
	// Within is called once the guard has held, before the call is applied:
	// what it changes, no guard sees (a key on its way, a dialog not drawn).
	Within func(f *Fake, c Call)
	// Now is the clock of Snapshot.At; nil = time.Now.
	Now func() time.Time

	mu     sync.Mutex
	lock   chan struct{} // holds one token while the target is locked
	calls  []Call
	count  map[string]int
	gone   bool
	frozen *screen.Screen
}

// NewFake is a Fake of the usual size with an identity of its own.
func NewFake() *Fake {
	return &Fake{
		Cols: 80, Rows: 24,
		Identity: term.Identity{Server: "100@1000", Pane: "%0", PanePID: 101, TTY: "/dev/pts/0", Command: "box"},
		lock:     make(chan struct{}, 1),
		count:    map[string]int{},
	}
}

// Do changes the fake while no call runs.
func (f *Fake) Do(change func(*Fake)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// Calls lists every call so far, in order.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Call(nil), f.calls...)
}

// Events lists what the program received so far.
func (f *Fake) Events() []Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Event(nil), f.Box.Events...)
}

// Freeze keeps showing the screen as it is, whatever the program receives: it
// reads, and has not drawn yet. Thaw ends that. Both are for Do, Before and
// Within.
func (f *Fake) Freeze() {
	s := f.screen()
	f.frozen = &s
}

// Thaw shows the program's state again.
func (f *Fake) Thaw() { f.frozen = nil }

// Remove takes the pane away. For Do, Before and Within.
func (f *Fake) Remove() { f.gone = true }

// Replace puts another program in the pane. For Do, Before and Within.
func (f *Fake) Replace() {
	f.Identity.PanePID++
	f.Box = Box{Events: f.Box.Events}
}

// Hold takes the target's lock until ctx ends, and tries at least once.
func (f *Fake) Hold(ctx context.Context) (term.Terminal, func(), error) {
	select {
	case f.lock <- struct{}{}:
	default:
		select {
		case f.lock <- struct{}{}:
		case <-ctx.Done():
			return nil, nil, term.ErrLocked
		}
	}
	return f, sync.OnceFunc(func() { <-f.lock }), nil
}

func (f *Fake) screen() screen.Screen {
	if f.frozen != nil {
		return *f.frozen
	}
	if f.Draw != nil {
		return f.Draw(&f.Box, f.Cols, f.Rows)
	}
	return f.Box.Screen(f.Cols, f.Rows)
}

// seen is what a guard compares: as much as a real terminal knows, no more.
func (f *Fake) seen(s screen.Screen) string {
	return fmt.Sprintf("%+v|%+v|%+v|%v|%dx%d", f.Identity, f.State, s.Cursor, s.Alternate, s.Cols, s.Rows)
}

// begin counts a call and lets Before change the fake.
func (f *Fake) begin(c Call) (int, Fault) {
	f.count[c.Verb]++
	c.N = f.count[c.Verb]
	f.calls = append(f.calls, c)
	if f.Before == nil {
		return len(f.calls) - 1, NoFault
	}
	return len(f.calls) - 1, f.Before(f, c)
}

// Look implements term.Viewer.
func (f *Fake) Look(ctx context.Context) (term.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, fault := f.begin(Call{Verb: "look"})
	switch {
	case ctx.Err() != nil:
		return term.Snapshot{}, ctx.Err()
	case fault != NoFault:
		return term.Snapshot{}, ErrFault
	case f.gone:
		return term.Snapshot{}, term.ErrNoPane
	}
	s, now := f.screen(), time.Now
	if f.Now != nil {
		now = f.Now
	}
	return term.Snapshot{Identity: f.Identity, State: f.State, Screen: s, At: now(), Seen: f.seen(s)}, nil
}

// Paste implements term.Terminal.
func (f *Fake) Paste(ctx context.Context, seen term.Snapshot, texts ...string) (term.Applied, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ctx.Err() != nil {
		return term.Refused, ctx.Err()
	}
	if len(texts) == 0 {
		return term.Refused, errors.New("nothing to paste")
	}
	for _, t := range texts {
		if t == "" || strings.ContainsFunc(t, control) {
			return term.Refused, fmt.Errorf("%q cannot be pasted", t)
		}
	}
	return f.act(Call{Verb: "paste", Texts: texts}, seen, func(screen.Screen) bool { return true }, func() {
		for _, t := range texts {
			f.Box.Paste(t)
		}
	})
}

func control(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }

var (
	submitKeys = regexp.MustCompile(`^([CMS]-){0,3}(Enter|Tab)$`)
	clearKeys  = regexp.MustCompile(`^C-u$`)
)

// Press implements term.Terminal.
func (f *Fake) Press(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return f.key(ctx, "press", seen, key, submitKeys, anchor)
}

// Clear implements term.Terminal.
func (f *Fake) Clear(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return f.key(ctx, "clear", seen, key, clearKeys, anchor)
}

func (f *Fake) key(ctx context.Context, verb string, seen term.Snapshot, key term.Key, may *regexp.Regexp, anchor string) (term.Applied, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	row := rows(seen.Screen, anchor)
	switch {
	case ctx.Err() != nil:
		return term.Refused, ctx.Err()
	case !may.MatchString(string(key)):
		return term.Refused, fmt.Errorf("key %q is never pressed", key)
	case anchor == "" || len(row) != 1:
		return term.Refused, fmt.Errorf("the anchor %q stands on %d rows", anchor, len(row))
	}
	stands := func(s screen.Screen) bool { now := rows(s, anchor); return len(now) > 0 && now[0] == row[0] }
	return f.act(Call{Verb: verb, Key: key, Anchor: anchor}, seen, stands, func() { f.Box.Key(key) })
}

func rows(s screen.Screen, anchor string) (out []int) {
	for y := range s.Rows {
		if strings.Contains(s.Row(y), anchor) {
			out = append(out, y)
		}
	}
	return out
}

// act is compare-and-apply. A fault comes before the guard or after it.
func (f *Fake) act(c Call, seen term.Snapshot, stands func(screen.Screen) bool, apply func()) (term.Applied, error) {
	i, fault := f.begin(c)
	c = f.calls[i]
	got, err := term.Done, error(nil)
	s := f.screen()
	forbidden := f.State.Dead || f.State.InMode || f.State.InputOff || f.State.Synchronized
	switch {
	case fault == NotApplied:
		got, err = term.Unsure, ErrFault
	case f.gone || forbidden || seen.Seen != f.seen(s) || !stands(s):
		got = term.Refused
	default:
		if f.Within != nil {
			f.Within(f, c)
		}
		apply()
		if fault == ButApplied {
			got, err = term.Unsure, ErrFault
		}
	}
	f.calls[i].Got = got
	return got, err
}
