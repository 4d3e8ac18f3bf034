package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"parley/internal/term/host"
)

// tty is the pseudo-terminal: the agent's end and ours.
type tty struct {
	master, slave *os.File
	size          host.Size
}

var defaultSize = host.Size{Cols: 120, Rows: 40}

// openTTY opens a pseudo-terminal and makes it the one of this process, which
// must lead a session without one. So the host stands to the agent as a shell
// stands to what it starts: Ctrl+Z works, and the end of the one that is in
// front is told.
func openTTY(size host.Size, termios []byte) (*tty, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	t := &tty{master: master, slave: slave}
	if size.Cols < 1 || size.Rows < 1 {
		size = defaultSize
	}
	err = t.resize(size)
	if err == nil {
		err = t.onMaster(func(fd int) error { return unix.SetNonblock(fd, true) })
	}
	if err == nil && len(termios) > 0 {
		err = t.like(termios)
	}
	if err == nil {
		err = unix.IoctlSetInt(int(slave.Fd()), unix.TIOCSCTTY, 0)
	}
	if err != nil {
		t.close()
		return nil, fmt.Errorf("set up the pseudo-terminal: %w", err)
	}
	return t, nil
}

func (t *tty) close() {
	t.master.Close()
	t.slave.Close()
}

// onMaster calls f with our end's descriptor, which stays one that does not
// block.
func (t *tty) onMaster(f func(fd int) error) error {
	raw, err := t.master.SyscallConn()
	if err != nil {
		return err
	}
	var ferr error
	if err := raw.Control(func(fd uintptr) { ferr = f(int(fd)) }); err != nil {
		return err
	}
	return ferr
}

func (t *tty) resize(size host.Size) error {
	t.size = size
	return t.onMaster(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(size.Cols), Row: uint16(size.Rows)})
	})
}

// Termios is how a terminal is set, for Spec.
func Termios(fd int) []byte {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil
	}
	b, _ := json.Marshal(t)
	return b
}

// like sets the terminal as another one is set.
func (t *tty) like(termios []byte) error {
	var want unix.Termios
	if err := json.Unmarshal(termios, &want); err != nil {
		return err
	}
	return unix.IoctlSetTermios(int(t.slave.Fd()), setTermios, &want)
}

// canonical reports whether the terminal collects lines.
func (t *tty) canonical() bool {
	now, err := unix.IoctlGetTermios(int(t.slave.Fd()), getTermios)
	return err != nil || now.Lflag&unix.ICANON != 0
}

// front is the process group that has the keys.
func (t *tty) front() int {
	n, err := unix.IoctlGetInt(int(t.slave.Fd()), unix.TIOCGPGRP)
	if err != nil {
		return 0
	}
	return n
}

var errQuiet = errors.New("nothing to read")

// read reads what is there already: errQuiet if that is nothing.
func (t *tty) read(fd uintptr, b []byte) (int, error) {
	for {
		n, err := unix.Read(int(fd), b)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return 0, errQuiet
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}
