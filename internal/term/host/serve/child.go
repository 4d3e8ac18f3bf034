package serve

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/proc"
	"parley/internal/term/host"
)

// child is the command.
type child struct {
	pid     int
	born    string // its start time, as the OS has it
	since   time.Time
	stopped bool
	anew    bool // start it again once it has ended
	end     host.Ended
	gone    chan struct{}
}

func (c *child) ended() <-chan struct{} { return c.gone }

// start runs the command in front on the pseudo-terminal.
func (s *Server) start() error {
	slave := s.tty.slave
	cmd := &exec.Cmd{Path: s.spec.Path, Args: s.spec.Command, Env: s.spec.Env, Dir: s.spec.Cwd,
		Stdin: slave, Stdout: slave, Stderr: slave,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: int(slave.Fd())}}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.spec.Command[0], err)
	}
	pid := cmd.Process.Pid
	cmd.Process.Release() // it is waited for below, also when it only stops
	c := child{pid: pid, since: time.Now(), gone: make(chan struct{})}
	if p, err := proc.Read(pid); err == nil {
		c.born = p.Start
	}
	s.mu.Lock()
	s.child = c
	s.mu.Unlock()
	go s.watch(pid, c.gone)
	go s.follow(c.gone)
	return nil
}

// watch waits for what becomes of the command.
func (s *Server) watch(pid int, gone chan struct{}) {
	for {
		var w unix.WaitStatus
		_, err := unix.Wait4(pid, &w, unix.WUNTRACED|unix.WCONTINUED, nil)
		if err == unix.EINTR {
			continue
		}
		s.mu.Lock()
		switch {
		case err == nil && w.Stopped():
			s.child.stopped = true
			s.tell(host.KindStopped, nil)
		case err == nil && w.Continued():
			s.child.stopped = false
		default:
			if err == nil && w.Signaled() {
				s.child.end = host.Ended{Code: 128 + int(w.Signal()), Signal: int(w.Signal())}
			} else if err == nil {
				s.child.end = host.Ended{Code: w.ExitStatus()}
			}
			s.mu.Unlock()
			close(gone)
			return
		}
		s.mu.Unlock()
	}
}

// follow takes in what the command writes, until it has ended.
func (s *Server) follow(gone chan struct{}) {
	raw, err := s.tty.master.SyscallConn()
	if err != nil {
		return
	}
	for {
		var rerr error
		// The callback runs when there is something to read: it is read under
		// the server's lock, so that nothing that was read is ever unknown to
		// whoever holds it.
		err := raw.Read(func(fd uintptr) bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			rerr = s.readOnce(fd)
			return rerr != errQuiet
		})
		if err != nil || rerr != nil {
			return
		}
		select {
		case <-gone:
			return // the rest is taken by whoever ends the host
		default:
		}
	}
}

// readOnce reads what is there, once, and shows it.
func (s *Server) readOnce(fd uintptr) error {
	n, err := s.tty.read(fd, s.buf[:])
	if err != nil {
		return err
	}
	s.output(s.buf[:n])
	return nil
}

// drain takes in everything that the command has written until now. The caller
// holds the lock.
func (s *Server) drain() {
	s.tty.onMaster(func(fd int) error {
		// A program that never stops writing has its end here too.
		for range 64 {
			if err := s.readOnce(uintptr(fd)); err != nil {
				return nil
			}
		}
		return nil
	})
}

// output is what the command has written: into the picture and to the viewers.
func (s *Server) output(b []byte) {
	s.emu.Write(b)
	for _, v := range s.viewers {
		v.show(b)
	}
	if s.drawn != nil {
		close(s.drawn)
		s.drawn = nil
	}
}

// signal sends a signal to the command, and to what it has put in front.
func (s *Server) signal(sig syscall.Signal) {
	s.mu.Lock()
	pid, front := s.child.pid, s.tty.front()
	s.mu.Unlock()
	if pid > 0 {
		syscall.Kill(-pid, sig)
	}
	if front > 0 && front != pid && front != syscall.Getpgrp() {
		syscall.Kill(-front, sig)
	}
}

// resume continues a command that was stopped.
func (s *Server) resume() {
	s.mu.Lock()
	stopped := s.child.stopped
	s.child.stopped = false
	s.mu.Unlock()
	if stopped {
		s.signal(syscall.SIGCONT)
	}
}

// endWithin is how long a command that was told to end may take.
const endWithin = 5 * time.Second

// end tells the command to end, as when its terminal is closed, and kills it
// if it stays. anew: it is started again then.
func (s *Server) end(anew bool) {
	s.mu.Lock()
	s.child.anew = anew
	gone := s.child.gone
	s.mu.Unlock()
	if gone == nil {
		return
	}
	s.signal(syscall.SIGHUP)
	s.signal(syscall.SIGCONT)
	select {
	case <-gone:
		return
	case <-time.After(endWithin):
	}
	s.signal(syscall.SIGKILL)
	<-gone
}

// restart starts the command anew, on the same terminal and for the same
// viewers.
func (s *Server) restart() error {
	s.mu.Lock()
	s.drain()
	for _, v := range s.viewers {
		v.show(append(s.emu.Undo(), "\r\n"...))
	}
	s.emu.Write(append(s.emu.Undo(), "\r\n"...))
	s.gate.ease()
	s.mu.Unlock()
	return s.start()
}

// finish tells every viewer how the command has ended, once each has got all
// that was to be shown, and waits for them, not for ever.
func (s *Server) finish(err error) {
	s.mu.Lock()
	s.drain()
	s.over = true
	end := s.child.end
	if err != nil {
		end = host.Ended{Code: 127, Error: err.Error()}
	}
	all := append([]*viewer(nil), s.viewers...)
	for _, v := range all {
		v.tell(host.KindEnded, end)
	}
	s.mu.Unlock()
	late := time.After(2 * time.Second)
	for _, v := range all {
		select {
		case <-v.done:
		case <-late:
			return
		}
	}
}

var _ io.Writer = replies{}

// replies are the picture's answers to what the agent asks of its terminal. A
// viewer's own terminal answers better, where there is one.
type replies struct{ s *Server }

func (r replies) Write(b []byte) (int, error) {
	if r.s.primary() == nil {
		r.s.feed.add(append([]byte(nil), b...))
	}
	return len(b), nil
}
