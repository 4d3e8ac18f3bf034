package serve

import (
	"io"
	"sync"
)

// feed writes to the agent's terminal, in the order in which it is told to,
// without ever holding up whoever tells it: a program that does not read must
// not stop the host.
type feed struct {
	to   io.Writer
	mu   sync.Mutex
	wake *sync.Cond
	rest [][]byte
	busy bool // a write is under way
	end  bool
	done chan struct{}
}

// maxFeed bounds what waits for a program that does not read: then a person's
// keys are dropped, as by any terminal.
const maxFeed = 4 << 20

func newFeed(to io.Writer) *feed {
	f := &feed{to: to, done: make(chan struct{})}
	f.wake = sync.NewCond(&f.mu)
	go f.run()
	return f
}

func (f *feed) run() {
	defer close(f.done)
	for {
		f.mu.Lock()
		f.busy = false
		for len(f.rest) == 0 && !f.end {
			f.wake.Wait()
		}
		if f.end {
			f.mu.Unlock()
			return
		}
		b := f.rest[0]
		f.rest = f.rest[1:]
		f.busy = true
		f.mu.Unlock()
		_, _ = f.to.Write(b) // an agent that has ended reads no more
	}
}

// add puts bytes at the end.
func (f *feed) add(b []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	waiting := 0
	for _, r := range f.rest {
		waiting += len(r)
	}
	if len(b) == 0 || waiting > maxFeed {
		return
	}
	f.rest = append(f.rest, b)
	f.wake.Signal()
}

// idle reports whether everything was written.
func (f *feed) idle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.rest) == 0 && !f.busy
}

// close ends it; what was not written is not written any more. The caller
// closes the terminal, which ends a write that is under way.
func (f *feed) close() {
	f.mu.Lock()
	f.end = true
	f.wake.Signal()
	f.mu.Unlock()
}
