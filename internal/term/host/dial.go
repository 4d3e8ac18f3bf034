package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"parley/internal/proc"
	"parley/internal/term"
)

// callFor bounds one call to a host. It takes some 0.2 ms.
var callFor = 5 * time.Second

// Open opens a connection to the host at a socket. It fails with
// term.ErrNoPane if none listens there. server is the host's pid and start
// time, as the OS knows it.
func Open(ctx context.Context, socket string, h Hello, lock *os.File) (c *Conn, about About, server string, err error) {
	var d net.Dialer
	d.Timeout = callFor
	plain, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, about, "", fmt.Errorf("host at %s: %w", socket, absent(err))
	}
	c = NewConn(plain.(*net.UnixConn))
	server, err = c.server()
	if err == nil {
		about, err = c.greet(h, lock)
	}
	if err != nil {
		c.Close()
		return nil, about, "", fmt.Errorf("host at %s: %w", socket, absent(err))
	}
	return c, about, server, nil
}

// absent turns the errors by which a host shows that it is not there, or ends
// at this moment, into one.
func absent(err error) error {
	for _, gone := range []error{syscall.ENOENT, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, gone) {
			return fmt.Errorf("%w: %w", err, term.ErrNoPane)
		}
	}
	return err
}

// server proves who listens: this very user, and which process.
func (c *Conn) server() (string, error) {
	uid, pid, err := Peer(c.net)
	if err != nil {
		return "", fmt.Errorf("who listens: %w", err)
	}
	if uid != os.Getuid() {
		return "", fmt.Errorf("user %d listens there, not this one", uid)
	}
	p, err := proc.Read(pid)
	if errors.Is(err, proc.ErrNone) {
		return "", io.EOF
	}
	return fmt.Sprintf("%d@%s", pid, p.Start), err
}

func (c *Conn) greet(h Hello, lock *os.File) (About, error) {
	h.Version = Version
	c.Bound(callFor)
	defer c.Bound(0)
	var err error
	if lock != nil {
		err = c.SendWith(KindHello, h, lock)
	} else {
		err = c.Send(KindHello, h)
	}
	var a About
	if err == nil {
		err = c.expect(KindHello, &a)
	}
	if err == nil && a.Version != Version {
		err = fmt.Errorf("it speaks version %d of the protocol, not %d: start the agent anew", a.Version, Version)
	}
	if err == nil && a.Refused != "" {
		err = errors.New(a.Refused)
	}
	return a, err
}

// expect reads the frame that must come next.
func (c *Conn) expect(want Kind, into any) error {
	kind, payload, err := c.Receive()
	if err != nil {
		return err
	}
	if kind != want {
		return fmt.Errorf("%c was answered by %c", want, kind)
	}
	if err := json.Unmarshal(payload, into); err != nil {
		return fmt.Errorf("answer %c: %w", kind, err)
	}
	return nil
}

// Bound limits what is read and written from now on; 0 ends that.
func (c *Conn) Bound(d time.Duration) {
	var at time.Time
	if d > 0 {
		at = time.Now().Add(d)
	}
	c.net.SetDeadline(at)
}
