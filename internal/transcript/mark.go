package transcript

import (
	"encoding/json"
	"fmt"
	"os"

	"parley/internal/dialect"
)

// markReach is how far back from a record's end a mark is looked for.
const markReach = 1 << 20

// Mark is the last thing that a record says of its turns.
type Mark struct {
	Begun bool        // a turn has begun, and no end is written yet
	End   dialect.End // the last turn has ended so
}

// LastMark finds the last line that begins or ends a turn. The zero Mark says
// that there is none near the end, or that a prompt stands behind it in a
// record that does not say where a turn begins.
func LastMark(path string, t dialect.Transcript) (Mark, error) {
	file, err := os.Open(path)
	if err != nil {
		return Mark{}, fmt.Errorf("read transcript: %w", err)
	}
	defer file.Close()
	m, err := lastMark(file, t)
	if err != nil {
		return Mark{}, fmt.Errorf("read transcript %s: %w", path, err)
	}
	return m, nil
}

func lastMark(file *os.File, t dialect.Transcript) (Mark, error) {
	st, err := file.Stat()
	if err != nil {
		return Mark{}, err
	}
	r := record{f: file, end: st.Size(), from: max(0, st.Size()-markReach)}
	at, err := r.lineStart(r.end)
	for err == nil && at > r.from {
		var line []byte
		if line, at, err = r.line(at - 1); err != nil {
			break
		}
		if m, ok := markIn(line, t); ok {
			return m, nil
		}
	}
	return Mark{}, err
}

func markIn(line []byte, t dialect.Transcript) (Mark, bool) {
	var v any
	if line == nil || json.Unmarshal(line, &v) != nil || pick(v, t.Skip) != nil {
		return Mark{}, false
	}
	if e := endOf(v, t); e != nil {
		return Mark{End: e.How}, true
	}
	begun := pick(v, t.Starts) != nil
	return Mark{Begun: begun}, begun || len(t.Starts) == 0 && promptOf(v, t) != nil
}
