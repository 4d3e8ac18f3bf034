package practice

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// state is whose move it is. Legal steps: idle → starting → working → idle;
// starting and working → idle by an interrupt.
type state int

const (
	idle     state = iota
	starting       // submitted, and nothing shows it yet
	working
)

func (s state) String() string { return [...]string{"idle", "starting", "working"}[s] }

// turn is the turn that runs, or the last one.
type turn struct {
	state  state
	number int
	prompt string
	since  time.Time
	next   *alarm // what ends this state
}

// submit takes what the box let go.
func (a *agent) submit(text string) {
	switch {
	case a.q.ExitOnSubmit:
		a.done = "exit on submit"
	case a.turn.state == idle:
		a.start(text)
	case a.q.Queue == "lose":
		a.log.put(Event{Kind: "dropped", Text: text})
	default:
		a.queue = append(a.queue, text)
		a.log.put(Event{Kind: "queue", Text: text})
		a.write(a.turn.number, "queued", text)
	}
}

// start begins a turn with text, or runs it if it is a command.
func (a *agent) start(text string) {
	if name, arg, ok := command(text); ok {
		a.command(text, name, arg)
		return
	}
	a.last = text
	a.turn = turn{state: starting, number: a.turn.number + 1, prompt: text}
	if a.q.Return > 0 {
		a.after(a.q.Return.D(), func() { a.giveBack(text) })
	}
	a.turn.next = a.after(a.q.TurnDelay.D(), func() {
		a.work(text, a.q.Think.D(), func() { a.finish("You said: " + text) })
	})
}

// work is the turn's working part; then ends it.
func (a *agent) work(text string, d time.Duration, then func()) {
	a.turn.state, a.turn.since = working, time.Now()
	a.log.put(Event{Kind: "begin", Text: text})
	a.write(a.turn.number, "user", text)
	a.say("» ", styleDim, text)
	if then != nil {
		a.turn.next = a.after(d, then)
	}
}

// finish answers and lets the next prompt of the queue have its turn.
func (a *agent) finish(answer string) {
	a.say("◂ ", "", answer)
	a.write(a.turn.number, "assistant", answer)
	a.end("done")
}

func (a *agent) end(how string) {
	a.cancel(a.turn.next)
	a.turn.state, a.turn.next = idle, nil
	a.log.put(Event{Kind: "end", Note: how})
	a.write(a.turn.number, "end", how)
	if a.done != "" || len(a.queue) == 0 {
		return
	}
	next := a.queue[0]
	a.queue = a.queue[1:]
	if a.q.Queue == "join" {
		next = strings.Join(append([]string{next}, a.queue...), "\n\n")
		a.queue = nil
	}
	a.start(next)
	if a.turn.state == idle { // it was a command; the rest still waits
		a.drain()
	}
}

// drain goes on with the queue after a command, which begins no turn.
func (a *agent) drain() {
	for a.turn.state == idle && len(a.queue) > 0 && a.popup == nil && a.done == "" {
		next := a.queue[0]
		a.queue = a.queue[1:]
		a.start(next)
	}
}

// interrupt is Escape: it ends the turn that runs. Nothing was shown of an
// answer yet, so a CLI may put the prompt, or what waits behind it, back into
// the box as a draft.
func (a *agent) interrupt() {
	if a.turn.state == idle {
		return
	}
	if a.q.RestoreDraft {
		back := a.turn.prompt
		if len(a.queue) > 0 {
			back = strings.Join(a.queue, "\n")
		}
		a.queue = nil
		a.draft(back)
	}
	a.say("· ", styleDim, "Interrupted")
	a.end("interrupted")
}

// giveBack is the quirk that a submitted text is a draft again.
func (a *agent) giveBack(text string) {
	if a.turn.state == idle || a.turn.prompt != text {
		return
	}
	a.draft(text)
	a.say("· ", styleDim, "Not sent")
	a.end("returned")
}

// command splits "/word rest". A second slash in the word makes it a path,
// which is text.
func command(text string) (name, arg string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	name, arg, _ = strings.Cut(rest, " ")
	if strings.Contains(name, "/") {
		return "", "", false
	}
	return strings.TrimSpace(name), strings.TrimSpace(arg), true
}

func (a *agent) command(text, name, arg string) {
	a.log.put(Event{Kind: "command", Text: text})
	a.write(a.turn.number, "command", text)
	a.last = text
	switch name {
	case "work":
		seconds, err := strconv.ParseFloat(arg, 64)
		if err != nil || seconds < 0 || seconds > 86400 {
			a.say("· ", styleDim, "/work takes seconds")
			return
		}
		a.turn = turn{number: a.turn.number + 1, prompt: text}
		a.work(text, time.Duration(seconds*float64(time.Second)), func() {
			a.finish(fmt.Sprintf("Worked for %s s.", arg))
		})
	case "ask":
		a.turn = turn{number: a.turn.number + 1, prompt: text}
		a.work(text, 0, nil)
		a.open(&popup{what: "dialog", turn: a.turn.number}, 0)
	case "menu":
		a.open(&popup{what: "menu"}, 0)
	case "draft":
		a.draft(arg)
	case "quit":
		a.done = "quit"
	default:
		a.say("· ", styleDim, "Unknown command: /"+name)
	}
}

// say adds to the conversation on screen; what has long left it is dropped.
func (a *agent) say(mark, style, text string) {
	a.talk = append(a.talk, said{mark: mark, style: style, text: text})
	if len(a.talk) > 200 {
		a.talk = a.talk[100:]
	}
}

// write adds a line to the transcript, as late as the quirks say.
func (a *agent) write(turn int, role, text string) {
	a.after(a.q.RecordDelay.D(), func() { a.rec.put(turn, role, text) })
}
