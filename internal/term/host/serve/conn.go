package serve

import (
	"encoding/json"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"parley/internal/proc"
	"parley/internal/term/host"
)

// serve speaks with whoever has connected, until one side hangs up.
func (s *Server) serve(plain *net.UnixConn) {
	c := host.NewConn(plain)
	defer c.Close()
	if uid, _, err := host.Peer(plain); err != nil || uid != os.Getuid() {
		return
	}
	kind, payload, err := c.Receive()
	var h host.Hello
	if err != nil || kind != host.KindHello || json.Unmarshal(payload, &h) != nil {
		return
	}
	about := s.about()
	lock := c.Given()
	if lock != nil {
		defer lock.Close()
	}
	switch {
	case h.Version != host.Version:
		about.Refused = fmt.Sprintf("version %d of the protocol is spoken here", host.Version)
	case h.Role == host.RoleType:
		about.Refused = s.unlocked(lock)
	}
	if c.Send(host.KindHello, about) != nil || about.Refused != "" {
		return
	}
	switch h.Role {
	case host.RoleView:
		s.view(c, h)
	case host.RoleLook, host.RoleType, host.RoleManage:
		s.answer(c, h.Role)
	}
}

func (s *Server) about() host.About {
	s.mu.Lock()
	defer s.mu.Unlock()
	return host.About{Version: host.Version, ID: s.spec.ID, Name: s.spec.Name, Team: s.spec.Team,
		Command: s.spec.Command, Dir: s.spec.Cwd, TTY: s.tty.slave.Name(), Child: s.child.pid,
		Viewers: len(s.viewers), Stopped: s.child.stopped, Since: s.child.since}
}

// unlocked says why a descriptor is not the lock of this terminal, held.
func (s *Server) unlocked(lock *os.File) string {
	if lock == nil {
		return "the lock of the terminal did not come along"
	}
	var given, own unix.Stat_t
	if unix.Fstat(int(lock.Fd()), &given) != nil || unix.Fstat(int(s.tty.slave.Fd()), &own) != nil || given.Rdev != own.Rdev || given.Mode&unix.S_IFMT != unix.S_IFCHR {
		return "the lock is of another terminal"
	}
	// Another opening of the same terminal: it can be locked only if nobody
	// holds the lock.
	other, err := proc.OpenTTY(s.tty.slave.Name())
	if err != nil {
		return err.Error()
	}
	defer other.Close()
	if unix.Flock(int(other.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		return "the lock is not held"
	}
	return ""
}

// answer obeys a connection that looks, types or manages.
func (s *Server) answer(c *host.Conn, role host.Role) {
	if role == host.RoleType {
		defer func() {
			s.mu.Lock()
			s.gate.ease()
			s.mu.Unlock()
		}()
	}
	for {
		kind, payload, err := c.Receive()
		if err != nil {
			return
		}
		switch {
		case kind == host.KindLook:
			err = c.SendBytes(host.KindPicture, s.picture())
		case kind == host.KindEnd && role == host.RoleManage:
			err = c.Send(host.KindAnswer, s.obeyEnd(payload))
		case role == host.RoleType:
			err = c.Send(host.KindAnswer, s.typed(kind, payload))
		}
		if err != nil {
			return
		}
	}
}

// typed obeys one request of a sender.
func (s *Server) typed(kind host.Kind, payload []byte) host.Answer {
	switch kind {
	case host.KindPaste:
		var p host.Paste
		if err := json.Unmarshal(payload, &p); err != nil {
			return host.Answer{Error: err.Error()}
		}
		return s.paste(p)
	case host.KindPress:
		var p host.Press
		if err := json.Unmarshal(payload, &p); err != nil {
			return host.Answer{Error: err.Error()}
		}
		return s.press(p)
	case host.KindQuiet, host.KindRelease:
		s.mu.Lock()
		defer s.mu.Unlock()
		if kind == host.KindQuiet {
			s.gate.quiet()
		} else {
			s.gate.ease()
		}
		return host.Answer{Applied: true}
	}
	return host.Answer{Error: fmt.Sprintf("%c is not known here", kind)}
}

func (s *Server) obeyEnd(payload []byte) host.Answer {
	var e host.End
	if err := json.Unmarshal(payload, &e); err != nil {
		return host.Answer{Error: err.Error()}
	}
	s.end(e.Anew)
	return host.Answer{Applied: true}
}

// view shows the agent to a viewer and takes its keys.
func (s *Server) view(c *host.Conn, h host.Hello) {
	v := newViewer(c, h)
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return
	}
	s.drain()
	if !h.Fresh {
		v.show(s.emu.Paint(h.History))
	}
	s.viewers = append(s.viewers, v)
	s.fit()
	if h.Fresh {
		s.firstOnce.Do(func() { close(s.first) })
	}
	s.mu.Unlock()
	go v.run(s)
	s.resume()
	s.listenTo(v)
	s.mu.Lock()
	s.gate.leave(v)
	for i, other := range s.viewers {
		if other == v {
			s.viewers = append(s.viewers[:i:i], s.viewers[i+1:]...)
			break
		}
	}
	s.fit()
	s.mu.Unlock()
	v.close()
}

// listenTo takes in what a viewer sends until it hangs up.
func (s *Server) listenTo(v *viewer) {
	for {
		kind, payload, err := v.conn.Receive()
		if err != nil {
			return
		}
		switch kind {
		case host.KindInput:
			s.mu.Lock()
			if !v.readOnly {
				s.gate.input(v, payload)
			}
			s.mu.Unlock()
		case host.KindSize:
			s.mu.Lock()
			if json.Unmarshal(payload, &v.size) == nil {
				s.fit()
			}
			s.mu.Unlock()
		case host.KindUndo:
			s.mu.Lock()
			undo := s.emu.Undo()
			s.mu.Unlock()
			v.tellBytes(host.KindUndo, undo)
		case host.KindResume:
			s.resume()
		}
	}
}

// primary is the viewer whose terminal counts: the one whose keys came last,
// or that came last.
func (s *Server) primary() *viewer {
	for i := len(s.viewers) - 1; i >= 0; i-- {
		if !s.viewers[i].readOnly {
			return s.viewers[i]
		}
	}
	return nil
}

// promote makes a viewer the primary one.
func (s *Server) promote(v *viewer) {
	if s.primary() == v {
		return
	}
	for i, other := range s.viewers {
		if other == v {
			s.viewers = append(append(s.viewers[:i:i], s.viewers[i+1:]...), v)
		}
	}
	s.fit()
}

// fit gives the pseudo-terminal the size of the primary viewer's.
func (s *Server) fit() {
	v := s.primary()
	if v == nil || v.size.Cols < 1 || v.size.Rows < 1 || v.size == s.tty.size {
		return
	}
	if s.tty.resize(v.size) == nil {
		s.emu.Resize(v.size.Cols, v.size.Rows)
	}
}

// tell sends a message to all viewers.
func (s *Server) tell(k host.Kind, m any) {
	for _, v := range s.viewers {
		v.tell(k, m)
	}
}
