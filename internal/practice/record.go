package practice

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Line is one line of the transcript sessions/<session>.jsonl. Roles: "user"
// (a prompt whose turn begins), "queued" (the agent holds a prompt for later;
// its own "user" line follows), "assistant", "tool", "command" (run by the
// agent itself, never answered) and "end" (text: done, interrupted, returned).
type Line struct {
	Time time.Time `json:"time"`
	Turn int       `json:"turn"` // counts from 1; a queued line bears the turn it waits for the end of
	Role string    `json:"role"`
	Text string    `json:"text"`
}

// Session is sessions/<pid>.json, removed when the agent ends.
type Session struct {
	PID     int       `json:"pid"`
	Session string    `json:"session"`
	Start   time.Time `json:"start"`
	CWD     string    `json:"cwd"`
}

// record is the agent's own transcript. The file stays open for as long as the
// agent lives, so that it can be found by the process's open files too.
type record struct {
	session string
	pidfile string
	file    *os.File
}

func openRecord(home string) (*record, error) {
	dir := filepath.Join(home, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make transcript folder: %w", err)
	}
	id := make([]byte, 8)
	rand.Read(id)
	s := Session{PID: os.Getpid(), Session: hex.EncodeToString(id), Start: time.Now()}
	s.CWD, _ = os.Getwd()
	f, err := os.OpenFile(filepath.Join(dir, s.Session+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open transcript: %w", err)
	}
	r := &record{session: s.Session, pidfile: filepath.Join(dir, fmt.Sprintf("%d.json", s.PID)), file: f}
	data, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(r.pidfile, append(data, '\n'), 0o600)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("write session file: %w", err)
	}
	return r, nil
}

func (r *record) put(turn int, role, text string) {
	line, err := json.Marshal(Line{Time: time.Now(), Turn: turn, Role: role, Text: text})
	if err == nil {
		r.file.Write(append(line, '\n'))
	}
}

func (r *record) close() {
	r.file.Close()
	os.Remove(r.pidfile)
}
