package practice

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/muesli/cancelreader"
)

// escapeWait is how long a lone ESC may still be the head of a sequence;
// sequenceWait, how long one that has begun may take to end.
const (
	escapeWait   = 25 * time.Millisecond
	sequenceWait = time.Second
)

// alarm is something that is due at a time.
type alarm struct {
	at time.Time
	do func()
}

// agent is the whole program. One goroutine owns it; another only reads bytes.
type agent struct {
	q    Quirks
	log  *journal
	rec  *record
	term *terminal

	decode decoder
	escape *alarm
	alarms []*alarm

	box   editor  // what was received
	shown *editor // what is drawn instead, while the echo is late
	echo  *alarm

	listening bool
	lastPaste time.Time
	burst     burst
	pastes    int // folded so far
	enters    int // pressed in the box so far

	turn   turn
	queue  []string
	last   string // the last prompt, for Up
	armed  *alarm // a second Ctrl-C ends the program
	popup  *popup
	counts map[string]int // moments that popups wait for

	talk []said
	done string // why the program ends

	signals chan os.Signal
}

// said is one entry of the conversation on screen.
type said struct{ mark, style, text string }

func newAgent(q Quirks, log *journal, rec *record, t *terminal) *agent {
	return &agent{q: q, log: log, rec: rec, term: t, counts: map[string]int{}}
}

// after runs do in d, or now if d is nothing.
func (a *agent) after(d time.Duration, do func()) *alarm {
	if d <= 0 {
		do()
		return nil
	}
	al := &alarm{at: time.Now().Add(d), do: do}
	a.alarms = append(a.alarms, al)
	return al
}

func (a *agent) cancel(al *alarm) {
	a.alarms = slices.DeleteFunc(a.alarms, func(x *alarm) bool { return x == al })
}

// ring runs what is due, in the order of its times.
func (a *agent) ring(now time.Time) {
	for {
		var next *alarm
		for _, al := range a.alarms {
			if !al.at.After(now) && (next == nil || al.at.Before(next.at)) {
				next = al
			}
		}
		if next == nil {
			return
		}
		a.cancel(next)
		next.do()
	}
}

// wait is how long nothing is due: a spinner that turns is due ten times a second.
func (a *agent) wait() time.Duration {
	d := time.Hour
	if a.turn.state == working || a.q.IdleSpinner {
		d = 100 * time.Millisecond
	}
	for _, al := range a.alarms {
		d = min(d, time.Until(al.at))
	}
	return max(d, 0)
}

func (a *agent) run(ctx context.Context) error {
	a.log.put(Event{Kind: "start", Text: a.rec.session})
	in, err := cancelreader.NewReader(a.term.in)
	if err != nil {
		return fmt.Errorf("read terminal: %w", err)
	}
	chunks := make(chan []byte)
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() { read(in, chunks, stop); close(ended) }()
	defer func() {
		close(stop)
		in.Cancel()
		// A terminal that is gone may not wake the reader.
		select {
		case <-ended:
		case <-time.After(time.Second):
		}
		in.Close()
	}()
	a.signals = make(chan os.Signal, 8)
	signal.Notify(a.signals, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT,
		syscall.SIGCONT, syscall.SIGUSR1)
	defer signal.Stop(a.signals)
	a.begin()
	a.loop(ctx, chunks)
	a.log.put(Event{Kind: "exit", Note: a.done})
	return nil
}

// begin starts what runs from the start: the wait until input is taken, and
// popups that count from here.
func (a *agent) begin() {
	a.after(a.q.StartDelay.D(), func() {
		a.listening = true
		a.log.put(Event{Kind: "listening"})
	})
	a.moment("at")
}

func (a *agent) loop(ctx context.Context, chunks <-chan []byte) {
	for a.done == "" {
		a.term.draw(a.picture(time.Now()))
		timer := time.NewTimer(a.wait())
		select {
		case <-ctx.Done():
			a.done = "cancelled"
		case b, ok := <-chunks:
			if !ok {
				a.done = "hangup"
				break
			}
			a.ring(time.Now())
			a.feed(b)
		case s := <-a.signals:
			a.signal(s)
		case <-timer.C:
		}
		timer.Stop()
		a.ring(time.Now())
	}
	a.term.draw(a.picture(time.Now()))
}

// read hands over bytes until the terminal ends or stop is closed.
func read(in io.Reader, chunks chan<- []byte, stop <-chan struct{}) {
	defer close(chunks)
	for {
		buf := make([]byte, 16<<10)
		n, err := in.Read(buf)
		if n > 0 {
			select {
			case chunks <- buf[:n]:
			case <-stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}
