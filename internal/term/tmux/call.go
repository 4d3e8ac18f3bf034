package tmux

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"parley/internal/term"
)

// callFor bounds one tmux call. It takes about 5 ms; a server that hangs, or a
// client that cannot reach it, must not hold a sender up for ever. A test that
// waits for it makes it shorter.
var callFor = 5 * time.Second

// Server is one tmux server by the path of its socket.
type Server struct{ Socket string }

// call is one tmux command line. The server runs it in one pass, so that what
// its commands see and do belongs to one moment; only reading standard input
// (load-buffer) parts it.
type call struct {
	args  []string
	stdin string
	// lock is inherited by the child, so that the target stays locked until a
	// call ends whose sender was killed.
	lock *os.File
	// at is the pane in which tmux shall think that the call is made; none is
	// said otherwise.
	at string
}

// run makes one call and returns what it printed. Whatever ends it early, the
// child is dead when run returns; what the server made of it is not known.
func (s Server) run(ctx context.Context, c call) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callFor)
	defer cancel()
	// -u: without it, and without a UTF-8 locale, every other character that
	// is printed becomes '_'. -S: never the server that $TMUX happens to name.
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", s.Socket}, c.args...)...)
	cmd.Env = childEnv()
	if c.at != "" {
		cmd.Env = append(cmd.Env, "TMUX_PANE="+c.at)
	}
	cmd.Stdin = strings.NewReader(c.stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if c.lock != nil {
		cmd.ExtraFiles = []*os.File{c.lock}
	}
	// A group of its own: Ctrl+C at the sender must not cut a paste in two.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// The server has the child's pipes too, and lets go of them a while later.
	cmd.WaitDelay = 300 * time.Millisecond
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // the child has ended well; who reads what it printed sees whether it is whole
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("no answer: %w", ctx.Err())
	}
	if err != nil {
		err = failure(c.args[0], errs.String(), err)
	}
	return out.String(), err
}

// childEnv is this process's environment without the variables by which tmux
// would choose another server or pane.
func childEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "TMUX=") && !strings.HasPrefix(kv, "TMUX_PANE=") {
			env = append(env, kv)
		}
	}
	return env
}

// absent are the ways in which tmux says that there is no such pane or server.
// All else may pass: "lost server", "Permission denied", a version mismatch.
var absent = []string{"can't find pane", "no server running on", "(No such file or directory)", "(Connection refused)"}

func failure(verb, said string, err error) error {
	said = strings.TrimSpace(said)
	for _, a := range absent {
		if strings.Contains(said, a) && !strings.Contains(said, "\n") {
			return fmt.Errorf("tmux %s: %s: %w", verb, said, term.ErrNoPane)
		}
	}
	if said != "" {
		return fmt.Errorf("tmux %s: %s: %w", verb, said, err)
	}
	return fmt.Errorf("tmux %s: %w", verb, err)
}

// nonce marks the lines of one call: nothing on a screen can imitate them.
func nonce() string { return rand.Text() }

// Version is what `tmux -V` on PATH says: "tmux 3.3a".
func Version(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callFor)
	defer cancel()
	out, err := exec.CommandContext(ctx, "tmux", "-V").Output()
	if err != nil {
		return "", fmt.Errorf("tmux -V: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// Version is the version of the running server, which an update of the
// program does not change: "3.3a".
func (s Server) Version(ctx context.Context) (string, error) {
	out, err := s.run(ctx, call{args: []string{"display-message", "-p", "#{version}"}})
	return strings.TrimSpace(out), err
}

// Options lists the server's, the global session and the global window
// options by name, as tmux prints their values.
func (s Server) Options(ctx context.Context) (map[string]string, error) {
	out, err := s.run(ctx, call{args: []string{"show-options", "-s", ";", "show-options", "-g", ";", "show-options", "-gw"}})
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all[name] = value
	}
	return all, nil
}

var errOutput = errors.New("cannot read what tmux printed")
