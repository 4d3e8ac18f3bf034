package rig

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"parley/internal/modelstub"
)

// Rig is a tmux server and a folder for one test. Both are gone after the test, with
// everything that ran in them.
type Rig struct {
	tb      testing.TB
	dir     string // short: sockets below it must fit in 107 bytes
	pid     int    // of the tmux server
	unguard func()
	agents  atomic.Int32
}

// New starts a tmux server with no configuration and no status line.
func New(tb testing.TB) *Rig {
	tb.Helper()
	dir, err := os.MkdirTemp("", "rig")
	if err != nil {
		tb.Fatal(err)
	}
	// Claude Code knows its project by the resolved path.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		tb.Fatal(err)
	}
	r := &Rig{tb: tb, dir: dir}
	tb.Cleanup(r.end)
	r.serve()
	return r
}

func (r *Rig) serve() {
	r.tb.Helper()
	r.Tmux("start-server", ";", "set-option", "-g", "exit-empty", "off", ";",
		"set-option", "-g", "status", "off", ";",
		"set-option", "-g", "default-terminal", "tmux-256color")
	var err error
	if r.pid, err = strconv.Atoi(r.Tmux("display-message", "-p", "#{pid}")); err != nil {
		r.tb.Fatalf("rig: pid of the tmux server: %v", err)
	}
	r.guard()
}

// Restart ends the tmux server, with all that runs in it, and starts another at the same
// socket: its first pane is %0 again.
func (r *Rig) Restart() {
	r.tb.Helper()
	r.unguard()
	r.TryTmux("", "kill-server")
	stop(r.tb, []int{r.pid})
	stop(r.tb, livingIn(r.dir))
	os.Remove(r.Socket())
	r.serve()
}

// guard starts a process that ends the tmux server when the test process is gone without a
// clean-up, as after a time-out: its standard input ends then.
func (r *Rig) guard() {
	cmd := exec.Command("/bin/sh", "-c", `cat; kill "$0"; rm -rf "$1"`, strconv.Itoa(r.pid), r.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	must(r.tb, err)
	must(r.tb, cmd.Start())
	r.unguard = func() {
		cmd.Process.Kill()
		cmd.Wait()
		pipe.Close()
	}
}

// Socket is the path of the tmux server's socket: tmux -S SOCKET.
func (r *Rig) Socket() string { return filepath.Join(r.dir, "tmux") }

// Dir is the rig's folder; tests may put files of their own there.
func (r *Rig) Dir() string { return r.dir }

// ServerPID is the process id of the tmux server.
func (r *Rig) ServerPID() int { return r.pid }

// Stub starts a model stub that ends with the test.
func (r *Rig) Stub() *modelstub.Stub {
	r.tb.Helper()
	s, err := modelstub.Start()
	if err != nil {
		r.tb.Fatal(err)
	}
	r.tb.Cleanup(func() { s.Close() })
	return s
}

// Tmux runs a tmux command on the rig's server and returns what it printed, without the
// last newline. A failure ends the test.
func (r *Rig) Tmux(args ...string) string {
	r.tb.Helper()
	out, err := r.TryTmux("", args...)
	if err != nil {
		r.tb.Fatalf("rig: tmux %q: %v: %s", args, err, out)
	}
	return out
}

// TryTmux is Tmux with a standard input, and an error instead of a failed test.
func (r *Rig) TryTmux(stdin string, args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-S", r.Socket(), "-f", "/dev/null"}, args...)...)
	cmd.Env = []string{"HOME=" + r.dir, "PATH=" + systemPath, "SHELL=/bin/bash", "LANG=C.UTF-8", "TERM=xterm-256color"}
	cmd.Stdin = strings.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return strings.TrimSuffix(out.String(), "\n"), err
}

const systemPath = "/usr/local/bin:/usr/bin:/bin"

// end stops the server and all that has its HOME in the rig: also what a CLI has
// started outside its pane, such as Codex's daemon.
func (r *Rig) end() {
	if r.unguard != nil {
		r.unguard()
	}
	if r.pid > 0 {
		r.TryTmux("", "kill-server")
		stop(r.tb, []int{r.pid})
	}
	stop(r.tb, livingIn(r.dir))
	if err := os.RemoveAll(r.dir); err != nil {
		r.tb.Logf("rig: %v", err)
	}
}
