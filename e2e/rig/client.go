package rig

import (
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/creack/pty"
)

// Client is a real tmux client on a PTY: a person at the keyboard, as far as tmux and
// the CLI can tell.
type Client struct {
	rig  *Rig
	pty  *os.File
	cmd  *exec.Cmd
	done chan struct{}
	once sync.Once
}

// Attach attaches a client to the agent's tmux session, in the pane's size. It returns
// when tmux lists the client.
func (a *Agent) Attach() *Client {
	r := a.rig
	r.tb.Helper()
	var cols, rows int
	out := r.Tmux("display-message", "-p", "-t", a.Pane, "#{pane_width} #{pane_height}")
	scan(r.tb, out, &cols, &rows)
	c := &Client{rig: r, done: make(chan struct{})}
	c.cmd = exec.Command("tmux", "-u", "-S", r.Socket(), "attach-session", "-t", a.Pane)
	c.cmd.Env = []string{"HOME=" + r.dir, "PATH=" + systemPath, "LANG=C.UTF-8", "TERM=xterm-256color"}
	f, err := pty.StartWithSize(c.cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
	must(r.tb, err)
	c.pty = f
	go func() {
		io.Copy(io.Discard, f) // an unread terminal would block tmux
		close(c.done)
	}()
	r.tb.Cleanup(c.Close)
	a.Until("the attached client", func(Look) bool {
		return r.Tmux("list-clients", "-t", a.Pane, "-F", "#{client_pid}") != ""
	})
	return c
}

// Type writes the bytes that a person's terminal would send: "\r" is Enter, "\x1b" Esc.
func (c *Client) Type(keys string) {
	c.rig.tb.Helper()
	if _, err := io.WriteString(c.pty, keys); err != nil {
		c.rig.tb.Fatalf("rig: type: %v", err)
	}
}

// Close detaches by ending the client's process.
func (c *Client) Close() {
	c.once.Do(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
		c.pty.Close()
		<-c.done
	})
}
