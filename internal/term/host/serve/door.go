package serve

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"parley/internal/proc"
	"parley/internal/term"
	"parley/internal/term/host"
	"parley/internal/vt"
)

// seen is everything that a guard compares. The title is not in it: it
// animates. The count of keys stands for every key of a person, drawn or not.
func (s *Server) seen(m vt.Modes) string {
	p := s.emu.Screen()
	return strings.Join([]string{s.self, s.spec.ID, s.tty.slave.Name(), fmt.Sprint(s.child.pid, s.child.born), s.inFront(),
		fmt.Sprintf("%dx%d %d,%d %v %v", p.Cols, p.Rows, p.Cursor.X, p.Cursor.Y, p.Cursor.Visible, p.Alternate),
		fmt.Sprintf("paste=%v keys=%d broken=%v", m.BracketedPaste, s.gate.keys, s.gate.broken)}, "|")
}

// inFront is the foreground process group: its leader's pid, start and name.
func (s *Server) inFront() string {
	group := s.tty.front()
	p, err := proc.Read(group)
	if err != nil {
		return fmt.Sprint(group)
	}
	return fmt.Sprintf("%d@%s %s", group, p.Start, p.Comm)
}

// command is the name of the foreground command, as tmux would give it.
func (s *Server) command() string {
	if p, err := proc.Read(s.tty.front()); err == nil {
		return p.Comm
	}
	return ""
}

// frameFor is how long a look waits for a picture that the agent is drawing
// (synchronized output) to be whole.
const frameFor = 50 * time.Millisecond

// picture answers a look.
func (s *Server) picture() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drain()
	for end := time.Now().Add(frameFor); s.emu.Modes().Frame && time.Now().Before(end); s.drain() {
		s.nextOutput(time.Until(end))
	}
	p := s.emu.Screen()
	head, err := json.Marshal(host.Picture{
		Child: s.child.pid, Command: s.command(), PersonAt: s.gate.last, Broken: s.gate.broken,
		Seen: s.seen(s.emu.Modes()), Cols: p.Cols, Rows: p.Rows, Cursor: p.Cursor, Alt: p.Alternate, Title: p.Title,
	})
	if err != nil {
		return nil
	}
	return p.Append(append(head, '\n'))
}

// nextOutput lets go of the lock until the agent has written something, or
// for as long as d.
func (s *Server) nextOutput(d time.Duration) {
	if s.drawn == nil {
		s.drawn = make(chan struct{})
	}
	drawn := s.drawn
	s.mu.Unlock()
	t := time.NewTimer(d)
	select {
	case <-drawn:
	case <-t.C:
	}
	t.Stop()
	s.mu.Lock()
}

// stands reports whether everything that was seen still holds, after all that
// the agent has written until now, and whether nothing of a person's is on its
// way to it.
func (s *Server) stands(g host.Guard) bool {
	s.drain()
	m := s.emu.Modes()
	p := s.emu.Screen()
	unread, err := proc.Unread(s.tty.slave)
	return err == nil && unread == 0 && s.feed.idle() && !s.gate.midway() && !s.gate.broken &&
		!s.over && !s.child.stopped && !s.tty.canonical() && m.BracketedPaste && !m.Frame &&
		time.Now().Before(g.Until) && g.Seen == s.seen(m) && g.Row == p.Row(p.Cursor.Y)
}

// paste applies a paste if its guard holds.
func (s *Server) paste(p host.Paste) host.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stands(p.Guard) {
		return host.Answer{}
	}
	var b []byte
	for _, text := range p.Texts {
		if err := term.Plain(text); err != nil {
			return host.Answer{Error: err.Error()}
		}
		b = append(b, pasteStart...)
		b = append(b, text...)
		b = append(b, pasteEnd...)
	}
	s.gate.quiet()
	s.gate.typing = true
	s.feed.add(b)
	return host.Answer{Applied: true}
}

// press applies a key if its guard holds and the anchor stands in its row
// alone.
func (s *Server) press(p host.Press) host.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	may := term.Submits
	if p.Clears {
		may = term.Clears
	}
	if !may(p.Key) {
		return host.Answer{Error: fmt.Sprintf("key %q is never pressed", p.Key)}
	}
	if !s.stands(p.Guard) {
		return host.Answer{}
	}
	shown := s.emu.Screen()
	for y := range shown.Rows {
		if strings.Contains(shown.Row(y), p.Anchor) != (y == p.At) {
			return host.Answer{}
		}
	}
	s.gate.quiet()
	if !p.Clears {
		s.gate.typing = false // what comes now comes behind it
	}
	s.feed.add(bytesOf(p.Key, s.emu.Modes()))
	return host.Answer{Applied: true}
}
