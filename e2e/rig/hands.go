package rig

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/modelstub"
)

// Look takes a picture of the pane.
func (a *Agent) Look() Look {
	a.rig.tb.Helper()
	l, err := a.look()
	if err != nil {
		a.rig.tb.Fatal(err)
	}
	return l
}

func (a *Agent) look() (Look, error) {
	out, err := a.rig.TryTmux("", "display-message", "-p", "-t", a.Pane, lookFormat, ";",
		"capture-pane", "-p", "-e", "-t", a.Pane)
	if err != nil {
		return Look{}, fmt.Errorf("rig: look at %s: %w: %s", a.Pane, err, out)
	}
	return parseLook(out)
}

// Capture is the text on the screen.
func (a *Agent) Capture() string { return a.Look().String() }

// Keys presses keys by tmux's names, one after the other.
func (a *Agent) Keys(keys ...string) {
	a.rig.tb.Helper()
	a.rig.Tmux(append([]string{"send-keys", "-t", a.Pane}, keys...)...)
}

// Type types text as bare characters, not as a paste.
func (a *Agent) Type(text string) {
	a.rig.tb.Helper()
	a.rig.Tmux("send-keys", "-t", a.Pane, "-l", "--", text)
}

// Paste pastes each text as a bracketed paste of its own, all in one tmux command line.
func (a *Agent) Paste(texts ...string) {
	a.rig.tb.Helper()
	var line []string
	for _, text := range texts {
		name := a.rig.Load(text)
		if line != nil {
			line = append(line, ";")
		}
		line = append(line, "paste-buffer", "-p", "-r", "-d", "-b", name, "-t", a.Pane)
	}
	a.rig.Tmux(line...)
}

// Until waits until a picture of the pane is as asked, and returns it. After Patience
// the test fails, and shows the last picture.
func (a *Agent) Until(what string, seen func(Look) bool) Look {
	a.rig.tb.Helper()
	l, ok := a.Within(Patience, seen)
	if !ok {
		a.rig.tb.Fatalf("rig: %s %s: not seen in %v: %s\n%s", a.CLI, a.Pane, Patience, what, l)
	}
	return l
}

// Within waits at most d, and reports whether a picture was as asked; it returns the
// last picture in any case.
func (a *Agent) Within(d time.Duration, seen func(Look) bool) (Look, bool) {
	a.rig.tb.Helper()
	for end := time.Now().Add(d); ; time.Sleep(pollPause) {
		l := a.Look()
		if seen(l) {
			return l, true
		}
		if time.Now().After(end) {
			return l, false
		}
	}
}

// pollPause lies between two looks, which take some 5 ms each.
const pollPause = 5 * time.Millisecond

// Ready waits until the CLI's box is there and empty, the CLI says that it listens where
// it has a way to, and the screen has been still for half a second.
func (a *Agent) Ready() Look {
	a.rig.tb.Helper()
	return a.Still("an empty box", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == "" && a.recipe.listens(a, l)
	})
}

// Still waits until a picture of the pane is as asked and has not changed for half a second.
func (a *Agent) Still(what string, seen func(Look) bool) Look {
	a.rig.tb.Helper()
	var last string
	var since time.Time
	return a.Until(what+" on a still screen", func(l Look) bool {
		if s := l.String(); s != last {
			last, since = s, time.Now()
		}
		return seen(l) && time.Since(since) > stillness
	})
}

const stillness = 500 * time.Millisecond

// BoxIn is the text in the CLI's input box, its lines joined by newlines and without
// ghost text. It is false where there is no box, as under a dialog.
func (a *Agent) BoxIn(l Look) (string, bool) {
	return a.recipe.box(l)
}

// Box is BoxIn of a picture taken now.
func (a *Agent) Box() (string, bool) { return a.BoxIn(a.Look()) }

// See is Box for another goroutine than the test's: no failure ends the test.
func (a *Agent) See() (string, error) {
	l, err := a.look()
	if err != nil {
		return "", err
	}
	box, ok := a.BoxIn(l)
	if !ok {
		return "", fmt.Errorf("rig: no box in %s", a.Pane)
	}
	return box, nil
}

// Prompt waits for the first request to the stub that is no side request and says text.
func (a *Agent) Prompt(text string) modelstub.Prompt {
	a.rig.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	p, err := a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return !p.Side && p.Says(text) })
	if err != nil {
		a.rig.tb.Fatalf("rig: %s %s: the model was not asked %q: %v\n%s", a.CLI, a.Pane, text, err, a.Capture())
	}
	return p
}

// Submit pastes text, waits until it is in the box alone, and presses Enter. Where an Enter
// right behind a paste is a newline, it is pressed when the text has settled, and again while
// the text is still there.
func (a *Agent) Submit(text string) {
	a.rig.tb.Helper()
	a.Paste(text)
	there := func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && squeeze(box) == squeeze(text)
	}
	a.Until("the pasted text in the box", there)
	if a.recipe.settle == 0 {
		a.Keys("Enter")
		return
	}
	for range 5 {
		a.Within(a.recipe.settle, func(Look) bool { return false })
		a.Keys("Enter")
		if _, gone := a.Within(time.Second, func(l Look) bool { return !there(l) }); gone {
			return
		}
	}
	a.rig.tb.Fatalf("rig: %s %s: Enter does not submit\n%s", a.CLI, a.Pane, a.Capture())
}

// squeeze removes white space: wrapped lines look like newlines.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }
