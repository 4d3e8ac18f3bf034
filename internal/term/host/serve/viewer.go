package serve

import (
	"sync"

	"parley/internal/term/host"
)

// viewer is one terminal that shows the agent.
type viewer struct {
	conn     *host.Conn
	readOnly bool
	size     host.Size
	scan     scanner

	mu     sync.Mutex
	wake   *sync.Cond
	rest   []frame
	bytes  int  // of output in rest
	behind bool // what came was dropped: it needs the whole picture
	end    bool
	done   chan struct{} // closed when nothing more goes to it
}

type frame struct {
	kind    host.Kind
	payload []byte
	v       any
}

// maxBacklog bounds what waits for a viewer that does not read. What is more is
// not kept: it gets the whole picture when it reads again. So no viewer can
// slow the agent.
const maxBacklog = 8 << 20

func newViewer(c *host.Conn, h host.Hello) *viewer {
	v := &viewer{conn: c, readOnly: h.ReadOnly, size: h.Size, done: make(chan struct{})}
	v.wake = sync.NewCond(&v.mu)
	return v
}

// show queues what the agent has written.
func (v *viewer) show(b []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.behind {
		return
	}
	if v.bytes+len(b) > maxBacklog {
		v.behind = true
		v.dropOutput()
		v.wake.Signal()
		return
	}
	v.bytes += len(b)
	if n := len(v.rest); n > 0 && v.rest[n-1].kind == host.KindOutput && len(v.rest[n-1].payload) < 64<<10 {
		v.rest[n-1].payload = append(v.rest[n-1].payload, b...)
		return
	}
	v.rest = append(v.rest, frame{kind: host.KindOutput, payload: append([]byte(nil), b...)})
	v.wake.Signal()
}

func (v *viewer) dropOutput() {
	keep := v.rest[:0]
	for _, f := range v.rest {
		if f.kind != host.KindOutput {
			keep = append(keep, f)
		}
	}
	v.rest, v.bytes = keep, 0
}

// tell queues a message behind the output.
func (v *viewer) tell(k host.Kind, m any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rest = append(v.rest, frame{kind: k, v: m})
	v.end = v.end || k == host.KindEnded
	v.wake.Signal()
}

// tellBytes is tell for a payload that is bytes.
func (v *viewer) tellBytes(k host.Kind, b []byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rest = append(v.rest, frame{kind: k, payload: b})
	v.wake.Signal()
}

// run sends what is queued until the end was told or the viewer is gone.
func (v *viewer) run(s *Server) {
	defer close(v.done)
	for {
		v.mu.Lock()
		for len(v.rest) == 0 && !v.behind && !v.end {
			v.wake.Wait()
		}
		rest, behind, end := v.rest, v.behind, v.end
		v.rest, v.bytes = nil, 0
		v.mu.Unlock()
		if behind && !v.catchUp(s) {
			return
		}
		for _, f := range rest {
			if v.send(f) != nil {
				return
			}
		}
		if end {
			return
		}
	}
}

func (v *viewer) send(f frame) error {
	if f.v != nil {
		return v.conn.Send(f.kind, f.v)
	}
	return v.conn.SendBytes(f.kind, f.payload)
}

// catchUp sends the whole picture to one that has missed something.
func (v *viewer) catchUp(s *Server) bool {
	s.mu.Lock()
	picture := append([]byte(Reset), s.emu.Paint(false)...)
	v.mu.Lock()
	v.behind = false
	v.mu.Unlock()
	s.mu.Unlock()
	return v.conn.SendBytes(host.KindOutput, picture) == nil
}

// close ends the sending side.
func (v *viewer) close() {
	v.mu.Lock()
	v.end = true
	v.wake.Signal()
	v.mu.Unlock()
	v.conn.Close()
	<-v.done
}

// Reset is for a terminal of which nothing is known but that a program has
// used it: it ends what has begun, leaves every mode that programs set, and
// shows the cursor. The screen stays.
const Reset = "\x18\x1b\\" + // end a sequence or string
	"\x1b[?1049l\x1b[!p\x1b[?1l\x1b>\x1b[?7h\x1b[?25h" +
	"\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l" +
	"\x1b[?2004l\x1b[?2026l\x1b[?2031l\x1b[?2048l\x1b[<99u\x1b[>4m\x1b[0m\x1b(B\x0f"
