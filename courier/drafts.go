package courier

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/term"
)

// Whoever types by keys that come from no client of the terminal (send-keys by
// another program) shows in nothing but drafts. So each sender that finds one
// leaves a note, for itself and for the next.
const (
	// A draft that has just gone was sent or given up. Nobody begins the next
	// one faster than this, and so it is the best moment of all.
	reactWithin = 300 * time.Millisecond
	// After that, and until this, they may begin at any moment.
	mindFor = 2 * time.Second
	// To hit that moment, a draft is looked at this often.
	draftEvery = 50 * time.Millisecond
)

// noteDraft writes down that a draft stands at a target now. A note that
// cannot be written costs a caution, no promise.
func (c *Courier) noteDraft(t term.Target) {
	path := c.draftNote(t)
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		os.WriteFile(path, []byte(time.Now().Format(time.RFC3339Nano)+" "+t.String()+"\n"), 0o600)
	}
}

// mayBegin reports whether somebody whose draft was seen there may begin the
// next one now.
func (c *Courier) mayBegin(t term.Target) bool {
	note, err := os.ReadFile(c.draftNote(t))
	if err != nil {
		return false
	}
	stamp, _, _ := strings.Cut(string(note), " ")
	at, err := time.Parse(time.RFC3339Nano, stamp)
	age := time.Since(at)
	return err == nil && age > reactWithin && age < mindFor
}

func (c *Courier) draftNote(t term.Target) string {
	h := fnv.New64a()
	h.Write([]byte(t.String()))
	return filepath.Join(c.cfg.Home, "run", fmt.Sprintf("draft-%016x", h.Sum64()))
}
