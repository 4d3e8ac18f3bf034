package practice

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func (a *agent) signal(s os.Signal) {
	switch s {
	case syscall.SIGWINCH:
		a.term.resize()
		a.log.put(Event{Kind: "resize", Note: fmt.Sprintf("%dx%d", a.term.cols, a.term.rows)})
	case syscall.SIGUSR1:
		a.moment("signal")
	case syscall.SIGCONT: // somebody else had the terminal meanwhile
		if err := a.term.raw(); err != nil {
			a.done = err.Error()
		}
	default:
		a.done = s.String()
	}
}

// suspend gives the terminal back and stops the whole foreground job, as
// Ctrl-Z does elsewhere. Without a job-control shell above, the system ignores
// the stop and the agent goes straight on. SIGTSTP itself stays unhandled: once
// asked for, Go's runtime would swallow it for good.
func (a *agent) suspend() {
	a.log.put(Event{Kind: "suspend"})
	a.term.draw(a.picture(time.Now())) // keys that came along with this one
	a.term.restore()
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-continued:
	case <-time.After(100 * time.Millisecond): // it was ignored
	}
	if err := a.term.raw(); err != nil {
		a.done = err.Error()
	}
	a.log.put(Event{Kind: "resume"})
}
