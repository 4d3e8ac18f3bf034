package proc

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// parseStat reads /proc/PID/stat (proc(5)). The name stands in parentheses and
// may itself hold blanks and parentheses: the last one ends it.
func parseStat(b []byte, boot string) (Process, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 1 || end < open {
		return Process{}, fmt.Errorf("stat has no name: %q", b)
	}
	f := strings.Fields(string(b[end+1:]))
	// f[0] is field 3 of the manual page; the start time is field 22.
	if len(f) < 20 || len(f[0]) != 1 || b[len(b)-1] != '\n' {
		return Process{}, fmt.Errorf("stat is cut off: %q", b)
	}
	p := Process{Comm: string(b[open+1 : end]), State: f[0][0], Start: boot + "-" + f[19]}
	for _, n := range []struct {
		to   *int
		text string
	}{{&p.PID, strings.TrimSpace(string(b[:open]))}, {&p.PPID, f[1]}, {&p.PGID, f[2]}, {&p.TTY, f[4]}, {&p.TPGID, f[5]}} {
		v, err := strconv.Atoi(n.text)
		if err != nil {
			return Process{}, fmt.Errorf("stat: %w", err)
		}
		*n.to = v
	}
	return p, nil
}

// parseList splits a list of NUL-ended strings, as cmdline and environ are.
func parseList(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// lookup finds KEY=value in a list; the first one counts, as in getenv(3).
func lookup(env []string, key string) (string, bool) {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, key+"="); ok {
			return v, true
		}
	}
	return "", false
}
