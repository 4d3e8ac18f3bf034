package practice

import (
	"strings"
	"time"
	"unicode/utf8"
)

// burst is a run of plain keys that come faster than a person types: what an
// unbracketed paste looks like.
type burst struct {
	last time.Time
	run  int
}

// burstKeys is how many fast keys in a row make a burst (published Codex source).
const burstKeys = 3

func (a *agent) feed(b []byte) {
	a.cancel(a.escape)
	for _, in := range a.decode.feed(b, false) {
		a.take(in)
	}
	if a.decode.waiting() {
		a.escape = a.after(a.decode.patience(), func() {
			for _, in := range a.decode.feed(nil, true) {
				a.take(in)
			}
		})
	}
}

// take gives one input to whoever has the keys at this moment, drawn or not.
func (a *agent) take(in input) {
	if a.done != "" {
		return
	}
	if a.listening && a.popup == nil {
		switch {
		case in.paste:
			a.moment("paste")
		case in.key == "enter":
			a.moment("before-enter")
		}
	}
	to := a.focus()
	if in.paste {
		a.log.put(Event{Kind: "paste", To: to, Bytes: in.raw})
	} else {
		a.log.put(Event{Kind: "key", Key: in.key, To: to, Bytes: in.raw})
	}
	switch {
	case to == "lost":
	case to != "box":
		a.popupKey(in)
	case in.paste:
		a.paste(in.raw)
	default:
		a.key(in)
	}
}

func (a *agent) focus() string {
	switch {
	case !a.listening:
		return "lost"
	case a.popup != nil:
		return a.popup.what
	}
	return "box"
}

func (a *agent) paste(raw []byte) {
	a.lastPaste = time.Now()
	a.late(a.q.EchoDelay)
	text := clean(raw[min(a.q.LoseHead, len(raw)):])
	if a.folds(text) {
		a.pastes++
		a.box.fold(text, a.pastes)
	} else {
		a.box.insert(text)
	}
	a.moment("after-paste")
}

func (a *agent) folds(s string) bool {
	return a.q.TokenNewlines > 0 && strings.Count(s, "\n") >= a.q.TokenNewlines ||
		a.q.TokenChars > 0 && utf8.RuneCountInString(s) > a.q.TokenChars
}

// late keeps the box on screen as it is for d, while what was received goes on.
func (a *agent) late(d Millis) {
	if d == 0 {
		return
	}
	if a.shown == nil {
		a.shown = a.box.clone()
	}
	a.cancel(a.echo)
	a.echo = a.after(d.D(), a.catchUp)
}

func (a *agent) catchUp() {
	a.cancel(a.echo)
	a.shown, a.echo = nil, nil
	a.log.put(Event{Kind: "echo", Text: a.box.face()})
}

func (a *agent) key(in input) {
	if a.armed != nil && in.key != "ctrl-c" {
		a.cancel(a.armed)
		a.armed = nil
	}
	fast := a.fast(in)
	if in.key == "enter" {
		a.enter(fast)
		return
	}
	if in.key != "escape" && in.key != "ctrl-c" && in.key != "ctrl-z" {
		a.late(a.q.KeyEchoDelay)
	}
	switch in.key {
	case "ctrl-j", "alt-enter":
		a.box.insert("\n")
	case "backspace":
		a.box.backspace()
	case "delete":
		a.box.delete()
	case "left":
		a.box.move(-1)
	case "right":
		a.box.move(1)
	case "home", "ctrl-a":
		a.box.home()
	case "end", "ctrl-e":
		a.box.end()
	case "ctrl-u":
		a.box.killLine()
	case "up":
		a.recall()
	case "escape":
		a.interrupt()
	case "ctrl-c":
		a.ctrlC()
	case "ctrl-z":
		a.suspend()
	case "space":
		a.box.insert(" ")
	default:
		if utf8.RuneCountInString(in.key) == 1 {
			a.box.insert(in.key)
		}
	}
}

// fast reports whether the key right behind a burst is one of its own.
func (a *agent) fast(in input) bool {
	now := time.Now()
	if in.key == "enter" {
		return a.burst.run >= burstKeys && now.Sub(a.burst.last) < a.q.BurstGuard.D()
	}
	if now.Sub(a.burst.last) > a.q.BurstGap.D() {
		a.burst.run = 0
	}
	a.burst.run++
	a.burst.last = now
	return false
}

// recall brings the last prompt back into an empty box.
func (a *agent) recall() {
	if a.box.empty() && a.last != "" {
		a.draft(a.last)
	}
}

// draft puts text into the box that nobody typed just now.
func (a *agent) draft(text string) {
	a.box.clear()
	a.box.insert(text)
	a.log.put(Event{Kind: "draft", Text: text})
}

func (a *agent) ctrlC() {
	switch {
	case !a.box.empty():
		a.box.clear()
	case a.turn.state != idle:
		a.interrupt()
	case a.armed != nil:
		a.done = "ctrl-c"
	default:
		a.armed = a.after(time.Second, func() { a.armed = nil })
	}
}

// enter submits, unless a quirk makes it a newline or nothing at all.
func (a *agent) enter(fast bool) {
	a.enters++
	switch {
	case a.enters <= a.q.LoseEnters:
		a.log.put(Event{Kind: "ignored"})
		return
	case fast, a.q.EnterGuard > 0 && time.Since(a.lastPaste) < a.q.EnterGuard.D():
		a.late(a.q.KeyEchoDelay)
		a.box.insert("\n")
		a.burst.last = time.Now()
		a.log.put(Event{Kind: "newline"})
		return
	}
	text := a.box.text()
	if a.q.LiteralToken && a.shown != nil {
		text = a.box.face()
	}
	if strings.TrimSpace(text) == "" {
		a.log.put(Event{Kind: "ignored"})
		return
	}
	face := a.box.clone()
	a.box.clear()
	if a.shown != nil {
		a.catchUp()
	}
	if a.q.ClearDelay > 0 {
		a.shown = face
		a.echo = a.after(a.q.ClearDelay.D(), a.catchUp)
	}
	a.log.put(Event{Kind: "submit", Text: text, Note: a.turn.state.String()})
	a.submit(text)
	a.moment("after-enter")
}
