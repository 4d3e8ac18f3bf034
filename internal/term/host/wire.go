package host

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// Version is the protocol that is spoken here.
const Version = 1

// Kind says what a frame holds.
type Kind byte

const (
	KindHello   Kind = 'H'
	KindLook    Kind = 'L'
	KindPicture Kind = 'S'
	KindPaste   Kind = 'P'
	KindPress   Kind = 'K'
	KindQuiet   Kind = 'Q'
	KindRelease Kind = 'R'
	KindAnswer  Kind = 'A'
	KindInput   Kind = 'I'
	KindSize    Kind = 'Z'
	KindResume  Kind = 'F'
	KindOutput  Kind = 'O'
	KindUndo    Kind = 'U'
	KindStopped Kind = 'T'
	KindEnded   Kind = 'X'
	KindEnd     Kind = 'E'
)

// maxFrame bounds what one side makes the other allocate.
const maxFrame = 32 << 20

// Conn is one connection. One goroutine reads; any may send.
type Conn struct {
	net   *net.UnixConn
	r     *bufio.Reader
	mu    sync.Mutex // of writes
	given []*os.File // descriptors that have come and were not taken
}

// NewConn speaks the protocol over c.
func NewConn(c *net.UnixConn) *Conn {
	k := &Conn{net: c}
	k.r = bufio.NewReaderSize(reader{k}, 64<<10)
	return k
}

// reader reads bytes, and descriptors that come with them: a plain read would
// drop those.
type reader struct{ c *Conn }

func (r reader) Read(b []byte) (int, error) {
	oob := make([]byte, unix.CmsgSpace(4*4))
	n, used, _, _, err := r.c.net.ReadMsgUnix(b, oob)
	if used > 0 {
		r.c.take(oob[:used])
	}
	if n <= 0 && err == nil && len(b) > 0 {
		err = io.EOF
	}
	return max(n, 0), err
}

func (c *Conn) take(oob []byte) {
	all, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return
	}
	for _, m := range all {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			continue
		}
		for _, fd := range fds {
			c.given = append(c.given, os.NewFile(uintptr(fd), "lock"))
		}
	}
}

// Given takes over a descriptor that has come; nil if none has.
func (c *Conn) Given() *os.File {
	if len(c.given) == 0 {
		return nil
	}
	f := c.given[0]
	c.given = c.given[1:]
	return f
}

// Close ends the connection.
func (c *Conn) Close() error {
	for _, f := range c.given {
		f.Close()
	}
	return c.net.Close()
}

// Send sends v as JSON; nil sends no payload.
func (c *Conn) Send(k Kind, v any) error {
	var b []byte
	if v != nil {
		var err error
		if b, err = json.Marshal(v); err != nil {
			return fmt.Errorf("encode %c: %w", k, err)
		}
	}
	return c.SendBytes(k, b)
}

// SendBytes sends a payload as it is.
func (c *Conn) SendBytes(k Kind, payload []byte) error { return c.send(k, payload, nil) }

// SendWith is Send with a descriptor.
func (c *Conn) SendWith(k Kind, v any, f *os.File) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode %c: %w", k, err)
	}
	return c.send(k, b, unix.UnixRights(int(f.Fd())))
}

func (c *Conn) send(k Kind, payload, oob []byte) error {
	head := binary.BigEndian.AppendUint32(make([]byte, 0, 5+len(payload)), uint32(1+len(payload)))
	frame := append(append(head, byte(k)), payload...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if oob == nil {
		_, err := c.net.Write(frame)
		return err
	}
	n, _, err := c.net.WriteMsgUnix(frame, oob, nil)
	if err == nil && n < len(frame) {
		_, err = c.net.Write(frame[n:])
	}
	return err
}

// Receive reads the next frame.
func (c *Conn) Receive() (Kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[:4])
	if n < 1 || n > maxFrame {
		return 0, nil, errFrame
	}
	payload := make([]byte, n-1)
	if _, err := io.ReadFull(c.r, payload); err != nil {
		return 0, nil, err
	}
	return Kind(head[4]), payload, nil
}

var errFrame = errors.New("a frame of no length that is spoken here")
