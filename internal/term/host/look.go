package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"parley/internal/screen"
	"parley/internal/term"
)

// Driver is the name of this driver in a term.Target.
const Driver = "host"

// Host is one host to look at; Hold gives one to type into.
type Host struct{ socket, id string }

var idShape = regexp.MustCompile(`^[a-z2-7]{8}$`)

// New names a host by its socket and its id. It asks the host nothing yet.
func New(socket, id string) (*Host, error) {
	if !filepath.IsAbs(socket) {
		return nil, fmt.Errorf("host %q: no path of a socket: %q", id, socket)
	}
	if !idShape.MatchString(id) {
		return nil, fmt.Errorf("%q is no host's id", id)
	}
	return &Host{socket, id}, nil
}

// Target is where the host is.
func (h *Host) Target() term.Target {
	return term.Target{Driver: Driver, Socket: h.socket, Pane: h.id}
}

// open opens a connection to this very host: another one at its socket is
// somebody else.
func (h *Host) open(ctx context.Context, hello Hello, lock *os.File) (*Conn, About, string, error) {
	c, about, server, err := Open(ctx, h.socket, hello, lock)
	if err == nil && about.ID != h.id {
		c.Close()
		err = fmt.Errorf("host %s: %s stands at its socket: %w", h.id, about.ID, term.ErrNoPane)
	}
	return c, about, server, err
}

// Look takes one snapshot. It fails with term.ErrNoPane if the host has ended.
func (h *Host) Look(ctx context.Context) (term.Snapshot, error) {
	c, about, server, err := h.open(ctx, Hello{Role: RoleLook}, nil)
	if err != nil {
		return term.Snapshot{}, fmt.Errorf("look: %w", err)
	}
	defer c.Close()
	return h.lookBy(ctx, c, about, server)
}

// lookBy looks through an open connection.
func (h *Host) lookBy(ctx context.Context, c *Conn, about About, server string) (term.Snapshot, error) {
	if ctx.Err() != nil {
		return term.Snapshot{}, fmt.Errorf("look at host %s: %w", h.id, ctx.Err())
	}
	pic, s, err := c.picture()
	if err != nil {
		return term.Snapshot{}, fmt.Errorf("look at host %s: %w", h.id, absent(err))
	}
	return term.Snapshot{
		Identity: h.identity(about, server, pic),
		State:    term.State{PersonAt: pic.PersonAt, PersonExact: true, Broken: pic.Broken},
		Screen:   s, At: time.Now(), Seen: pic.Seen,
	}, nil
}

// identity is what the OS says of the host and the host of its child.
func (h *Host) identity(a About, server string, pic Picture) term.Identity {
	return term.Identity{Server: server, Pane: h.id, PanePID: pic.Child, TTY: a.TTY, Command: pic.Command}
}

var errPicture = errors.New("cannot read the picture")

// picture asks for one.
func (c *Conn) picture() (Picture, screen.Screen, error) {
	c.Bound(callFor)
	defer c.Bound(0)
	var p Picture
	if err := c.Send(KindLook, nil); err != nil {
		return p, screen.Screen{}, err
	}
	kind, payload, err := c.Receive()
	if err != nil {
		return p, screen.Screen{}, err
	}
	head, cells, ok := bytes.Cut(payload, []byte("\n"))
	if kind != KindPicture || !ok {
		return p, screen.Screen{}, errPicture
	}
	if err := json.Unmarshal(head, &p); err != nil {
		return p, screen.Screen{}, fmt.Errorf("%w: %w", errPicture, err)
	}
	s := screen.Screen{Cols: p.Cols, Rows: p.Rows, Cursor: p.Cursor, Alternate: p.Alt, Title: p.Title}
	if s.Cells, err = screen.Cells(cells, p.Cols, p.Rows); err != nil {
		return p, screen.Screen{}, fmt.Errorf("%w: %w", errPicture, err)
	}
	return p, s, nil
}
