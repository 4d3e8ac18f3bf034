// Package proc says what the operating system knows of processes: who has a
// terminal's keys, since when, started how. A terminal multiplexer knows none
// of it. What /proc or sysctl says is parsed by pure functions; everything
// here is a look at one moment and may be stale when it is returned.
package proc

import (
	"errors"
	"fmt"
	"os"
)

// ErrNone: there is no such process (any more), or it has no terminal.
var ErrNone = errors.New("no such process")

// Process is one process at the moment of the look.
type Process struct {
	PID  int
	PPID int
	PGID int
	// TTY is the device number of the controlling terminal, 0 without one.
	TTY int
	// TPGID is the foreground process group of that terminal, -1 without one.
	TPGID int
	// Start is opaque and without blanks: two processes with equal PID and
	// Start are the same process, across restarts of the machine too.
	Start string
	// State is R, S, D, T (stopped), Z (ended, not yet reaped) or another
	// letter of the system's own.
	State byte
	Comm  string   // the kernel's short name, cut at 15 or 16 bytes
	Exe   string   // path of the executable; "" if that may not be read
	Argv  []string // nil if that may not be read
}

// Same reports whether p and q are one process, whatever it has become since.
func (p Process) Same(q Process) bool { return p.PID == q.PID && p.Start == q.Start }

// Self is the pid of this process.
func Self() int { return os.Getpid() }

// Read looks at one process. It fails with ErrNone if there is none.
func Read(pid int) (Process, error) {
	p, err := read(pid)
	if err != nil {
		return Process{}, fmt.Errorf("read process %d: %w", pid, err)
	}
	return p, nil
}

// Leader is the leader of the process group that has the keys of the terminal
// on which panePID runs. It fails with ErrNone if panePID has ended, or if the
// leader has ended and left its group behind: Foreground finds the rest.
func Leader(panePID int) (Process, error) {
	pane, err := Read(panePID)
	if err != nil {
		return Process{}, err
	}
	return leader(pane)
}

func leader(pane Process) (Process, error) {
	if pane.TPGID <= 0 || pane.State == 'Z' {
		return Process{}, fmt.Errorf("foreground of process %d: %w", pane.PID, ErrNone)
	}
	if pane.PID == pane.TPGID {
		return pane, nil
	}
	return Read(pane.TPGID)
}

// Foreground lists the process group that has the keys of the terminal on
// which panePID runs, its leader first, the others by pid. It walks all
// processes of the system; where the leader is enough, Leader is cheaper.
func Foreground(panePID int) ([]Process, error) {
	pane, err := Read(panePID)
	if err != nil {
		return nil, err
	}
	first, err := leader(pane)
	if err != nil && !(errors.Is(err, ErrNone) && pane.TPGID > 0) {
		return nil, err
	}
	var group []Process
	if err == nil {
		group = append(group, first)
	}
	rest, err := list(func(p Process) bool {
		return p.PGID == pane.TPGID && p.TTY == pane.TTY && p.PID != first.PID
	})
	if group = append(group, rest...); err == nil && len(group) == 0 {
		err = fmt.Errorf("foreground of process %d: %w", panePID, ErrNone)
	}
	return group, err
}

// Background lists the processes of panePID's terminal that do not have its
// keys, panePID itself left out: jobs that run or are stopped.
func Background(panePID int) ([]Process, error) {
	pane, err := Read(panePID)
	if err != nil {
		return nil, err
	}
	if pane.TTY == 0 {
		return nil, nil
	}
	return list(func(p Process) bool {
		return p.TTY == pane.TTY && p.PGID != pane.TPGID && p.PID != panePID && p.State != 'Z'
	})
}

// Suspended lists the stopped ones of Background (Ctrl+Z), so that an agent
// that sleeps behind its shell is told from one that has ended.
func Suspended(panePID int) ([]Process, error) {
	jobs, err := Background(panePID)
	var stopped []Process
	for _, p := range jobs {
		if p.State == 'T' {
			stopped = append(stopped, p)
		}
	}
	return stopped, err
}

// Ancestors lists the parent of pid, its parent, and so on up to process 1 or
// the first that cannot be read.
func Ancestors(pid int) []Process {
	var up []Process
	p, err := read(pid)
	// A parent that is its own ancestor can only be two looks that disagree.
	for range 256 {
		if err != nil || p.PPID <= 0 {
			break
		}
		if p, err = read(p.PPID); err == nil {
			up = append(up, p)
		}
	}
	return up
}
