// Package serve is a host: the process that owns the pseudo-terminal of one
// agent. It shows it to any number of viewers, keeps its picture, and types
// for parley by compare-and-paste. The protocol is that of package host.
//
// Everything that the agent has written is read before anything is decided,
// under one lock: there is no moment between the check and the keystroke in
// which the picture can change without being seen. A person's keys are counted
// one by one, and wait while a text of ours is entered.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"parley/internal/proc"
	"parley/internal/term/host"
	"parley/internal/vt"
)

// Spec says what a host runs.
type Spec struct {
	Folder  string // of the socket: see host.Make
	ID      string // see host.NewID
	Name    string
	Team    string
	Path    string   // the program
	Command []string // its name and arguments
	Env     []string
	Cwd     string
	Size    host.Size
	Termios []byte // of the terminal that it is started on, as Termios wrote it
	// Fresh: a viewer comes at once to whose terminal it belongs; nothing is
	// started before that one is there, so that it misses no byte.
	Fresh bool
}

// Server is one host.
type Server struct {
	spec   Spec
	self   string // pid and start time, as others prove them
	socket string
	tty    *tty
	feed   *feed

	mu      sync.Mutex // of all that follows
	emu     *vt.Emulator
	child   child
	gate    gate
	viewers []*viewer
	drawn   chan struct{} // closed at the next output, if somebody waits for it
	over    bool
	buf     [64 << 10]byte

	first     chan struct{} // closed when the viewer has come on whose terminal the command starts
	firstOnce sync.Once
}

// Run hosts until the command has ended, all has been shown and ctx or a
// signal has not ended it before. ready is told once that it listens and that
// the command runs, or why not. The process must be the leader of a session
// that has no terminal yet.
func Run(ctx context.Context, spec Spec, ready func(error)) error {
	s, err := open(spec)
	if err != nil {
		ready(err)
		return err
	}
	defer s.close()
	listener, err := s.listen()
	if err != nil {
		ready(err)
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// Keys of the terminal that would reach the host itself, while the command
	// has its keys not: a handler, and no default, so that the command is not
	// born with them ignored.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGPIPE)
	var accepting sync.WaitGroup
	accepting.Go(func() { s.accept(listener) })
	err = s.begin(ctx, ready)
	if err == nil {
		err = s.live(ctx)
	}
	os.Remove(s.socket) // nobody new
	s.finish(err)
	listener.Close()
	accepting.Wait()
	return err
}

func open(spec Spec) (*Server, error) {
	me, err := proc.Read(proc.Self())
	if err != nil {
		return nil, err
	}
	t, err := openTTY(spec.Size, spec.Termios)
	if err != nil {
		return nil, err
	}
	s := &Server{spec: spec, self: fmt.Sprintf("%d@%s", me.PID, me.Start), tty: t,
		socket: host.Socket(spec.Folder, spec.ID), emu: vt.New(t.size.Cols, t.size.Rows),
		first: make(chan struct{})}
	s.feed = newFeed(t.master)
	s.gate.init(s)
	s.emu.ReplyTo(replies{s})
	return s, nil
}

// listen puts the socket in its place only once it listens: one at which
// nobody answers is always a stale one.
func (s *Server) listen() (*net.UnixListener, error) {
	if err := host.Make(s.spec.Folder); err != nil {
		return nil, err
	}
	early := s.socket + ".new"
	old := syscall.Umask(0o177)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: early, Net: "unix"})
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	l.SetUnlinkOnClose(false)
	if err := os.Rename(early, s.socket); err != nil {
		l.Close()
		os.Remove(early)
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

func (s *Server) accept(l *net.UnixListener) {
	for {
		c, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of descriptors, for a while
			<-time.After(10 * time.Millisecond)
			continue
		}
		go s.serve(c)
	}
}

// comeWithin is how long the viewer may take on whose terminal the command is
// to start. One that does not come has died.
const comeWithin = 10 * time.Second

// begin starts the command, with its first viewer in place if there is one.
func (s *Server) begin(ctx context.Context, ready func(error)) error {
	if !s.spec.Fresh {
		err := s.start()
		ready(err)
		return err
	}
	ready(nil)
	select {
	case <-s.first:
		return s.start()
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(comeWithin):
		return errors.New("the terminal on which to start did not come")
	}
}

// live waits for the end of the command. A host that is told to end takes the
// command with it.
func (s *Server) live(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			s.end(false)
			ctx = context.Background()
		case <-s.child.ended():
			s.mu.Lock()
			again := s.child.anew
			s.mu.Unlock()
			if !again {
				return nil
			}
			if err := s.restart(); err != nil {
				return err
			}
		}
	}
}

func (s *Server) close() {
	s.feed.close()
	s.tty.close()
}
