package serve

import (
	"bytes"
	"time"
)

// holdFor is how long a person's keys wait at most. From paste to Enter takes
// 30 to 120 ms. A test that waits for the end makes it shorter.
var holdFor = time.Second

// gate lets a person's keys to the agent, or keeps them waiting. Its fields are
// the server's, under its lock.
type gate struct {
	s *Server

	keys   int       // how often keys have reached the agent
	last   time.Time // when they last did
	held   [][]byte  // keys that wait, in order
	hold   *time.Timer
	typing bool // a text of ours is in the box, as far as is known
	broken bool // and a person's keys have come to it
}

func (g *gate) init(s *Server) { g.s = s }

// input takes what a viewer has sent.
func (g *gate) input(v *viewer, b []byte) {
	var pass []byte
	for _, t := range v.scan.split(b, g.hold == nil) {
		switch {
		case t.report && !t.rest:
			// Of two terminals that answer one question, one is enough.
			if g.s.primary() == v {
				pass = append(pass, t.bytes...)
			}
		case g.hold != nil && !t.rest:
			g.held = append(g.held, bytes.Clone(t.bytes))
			g.s.promote(v)
		default:
			pass = append(pass, t.bytes...)
			g.reached(time.Now())
			g.s.promote(v)
		}
	}
	g.s.feed.add(pass)
}

// reached counts keys that have gone to the agent.
func (g *gate) reached(now time.Time) {
	g.keys++
	g.last = now
	g.broken = g.broken || g.typing
}

// quiet keeps a person's keys waiting from now on.
func (g *gate) quiet() {
	if g.hold != nil {
		return
	}
	g.hold = time.AfterFunc(holdFor, func() {
		g.s.mu.Lock()
		defer g.s.mu.Unlock()
		g.open()
	})
}

// open lets them go.
func (g *gate) open() {
	if g.hold == nil {
		return
	}
	g.hold.Stop()
	g.hold = nil
	for _, v := range g.s.viewers {
		if b := v.scan.release(); b != nil {
			g.held = append(g.held, b)
		}
	}
	for _, b := range g.held {
		g.s.feed.add(b)
		g.reached(time.Now())
	}
	g.held = nil
}

// ease ends an attempt: its keys, and what was known of its text.
func (g *gate) ease() {
	g.typing, g.broken = false, false
	g.open()
}

// leave closes what a viewer has left open as it went: a paste without an end
// would swallow all that comes after it.
func (g *gate) leave(v *viewer) {
	if b := v.scan.release(); b != nil { // only if keys wait
		g.held = append(g.held, b)
	}
	switch {
	case v.scan.paste == noPaste:
	case g.hold != nil:
		g.held = append(g.held, pasteEnd)
	default:
		g.s.feed.add(pasteEnd)
	}
	v.scan = scanner{}
}

// midway reports whether the agent has got half of something that a person
// sends.
func (g *gate) midway() bool {
	for _, v := range g.s.viewers {
		if v.scan.midway() {
			return true
		}
	}
	return false
}
