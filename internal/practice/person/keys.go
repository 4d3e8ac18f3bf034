package person

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/creack/pty"
)

// Bare returns a keyboard that is tmux's own send-keys into one pane: keys come
// from no client. tmux is the command with its socket, pane the "%id".
func Bare(tmux []string, pane string) io.Writer { return bare{tmux: tmux, pane: pane} }

type bare struct {
	tmux []string
	pane string
}

var keyNames = map[string]string{"\r": "Enter", "\n": "C-j", "\x7f": "BSpace", "\x15": "C-u", "\x1b": "Escape", "\x03": "C-c"}

// Write sends b as one key if it is a named one, else as literal text.
func (k bare) Write(b []byte) (int, error) {
	args := append([]string{}, k.tmux[1:]...)
	args = append(args, "send-keys", "-t", k.pane)
	if name, ok := keyNames[string(b)]; ok {
		args = append(args, name)
	} else {
		args = append(args, "-l", "--", string(b))
	}
	if out, err := exec.Command(k.tmux[0], args...).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("send-keys: %w: %s", err, out)
	}
	return len(b), nil
}

// Client is an attached tmux client on a PTY of its own: what is written to it
// are the keys of a person who sits there.
type Client struct {
	pty  *os.File
	cmd  *exec.Cmd
	done chan struct{}
}

// Attach attaches a client to a tmux session. Close it when done.
func Attach(tmux []string, session string, cols, rows uint16) (*Client, error) {
	args := append(append([]string{}, tmux[1:]...), "attach-session", "-t", session)
	cmd := exec.Command(tmux[0], args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "TMUX") && !strings.HasPrefix(v, "TERM=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: cols, Rows: rows})
	if err != nil {
		return nil, fmt.Errorf("attach a tmux client: %w", err)
	}
	c := &Client{pty: f, cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		io.Copy(io.Discard, f) // a client whose screen nobody takes would stand still
	}()
	return c, nil
}

func (c *Client) Write(b []byte) (int, error) { return c.pty.Write(b) }

// Close detaches the client and waits for its end.
func (c *Client) Close() error {
	c.cmd.Process.Kill()
	c.cmd.Wait()
	<-c.done
	return c.pty.Close()
}
