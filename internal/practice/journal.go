package practice

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Event is one line of the log: something that reached the agent or that it
// did. Kinds, in the order of a session:
//
//	start      Text: the session id
//	listening  from here on what arrives is taken
//	paste      Bytes: exactly what stood between the paste marks; To: who had the keys
//	key        Key, Bytes; To: "box", "dialog", "menu" or "lost"
//	echo       the box is drawn with what was received before
//	newline    an Enter that became a newline
//	ignored    an Enter that had no effect
//	submit     Text: what the box let go; Note: idle, starting or working
//	queue      Text: it waits for the turn's end
//	dropped    Text: it was to wait and is lost (quirk)
//	begin      Text: a turn begins with it
//	command    Text: the command that was run
//	open       Note: dialog or menu; it takes the keys from here on
//	drawn      Note: dialog or menu; it is on screen from here on
//	close      Note: approved, rejected, picked or left; Key: what answered it
//	tool       Text: what the tool wrote, after approval
//	end        Note: done, interrupted, returned
//	draft      Text: put into the box by the agent itself
//	suspend, resume
//	resize     Note: COLSxROWS
//	exit       Note: why
type Event struct {
	Mono  int64     `json:"mono"` // CLOCK_MONOTONIC in nanoseconds: one clock for all processes
	Wall  time.Time `json:"wall"`
	PID   int       `json:"pid"`
	Kind  string    `json:"kind"`
	Key   string    `json:"key,omitempty"`
	To    string    `json:"to,omitempty"`
	Text  string    `json:"text,omitempty"`
	Note  string    `json:"note,omitempty"`
	Bytes []byte    `json:"bytes,omitempty"` // base64 in the file
}

// Monotonic reads the clock that Event.Mono is taken from.
func Monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0
	}
	return ts.Nano()
}

// journal appends events; a nil file keeps none. Each is one write, so that a
// reader sees whole lines and nothing that happened before a SIGKILL is lost.
type journal struct{ file *os.File }

func openJournal(path string) (*journal, error) {
	if path == "" {
		return &journal{}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return &journal{file: f}, nil
}

func (j *journal) put(e Event) {
	if j.file == nil {
		return
	}
	e.Mono, e.Wall, e.PID = Monotonic(), time.Now(), os.Getpid()
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	j.file.Write(append(line, '\n'))
}

func (j *journal) close() {
	if j.file != nil {
		j.file.Close()
	}
}

// ReadLog returns the events of a log file, oldest first. A last line that is
// not whole yet is left out.
func ReadLog(path string) ([]Event, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read log: %w", err)
	}
	defer f.Close()
	var events []Event
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return events, nil
		}
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return events, fmt.Errorf("read log: %w", err)
		}
		events = append(events, e)
	}
}
