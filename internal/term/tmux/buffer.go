package tmux

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/proc"
)

// Buffers are named by who made them, so that no two writers ever share one
// and those of a killed process are known: parley_PID_START_RANDOM_COUNT.
const bufferPrefix = "parley_"

var (
	bufferCount atomic.Int64
	bufferOwner = sync.OnceValues(func() (string, error) {
		me, err := proc.Read(proc.Self())
		return fmt.Sprintf("%s%d_%s_%s_", bufferPrefix, me.PID, me.Start, nonce()), err
	})
)

// load puts each text into a new buffer by standard input: an argument would
// have a limit, and a trailing ';' of it would be tmux's. It returns the names
// also of those that may have come to be when it fails. Nothing is pasted.
func (h *Held) load(ctx context.Context, texts []string) ([]string, error) {
	owner, err := bufferOwner()
	if err != nil {
		return nil, err
	}
	if len(texts) == 0 {
		return nil, errors.New("nothing to paste")
	}
	var names []string
	for _, text := range texts {
		name := owner + strconv.FormatInt(bufferCount.Add(1), 10)
		names = append(names, name)
		out, err := h.server.run(ctx, call{lock: h.lock, stdin: text, args: []string{
			"load-buffer", "-b", name, "-", ";", "list-buffers", "-F", "#{buffer_size} #{buffer_name}"}})
		if err != nil {
			return names, err
		}
		// A load that was cut short succeeds all the same.
		if want := fmt.Sprintf("%d %s\n", len(text), name); !strings.Contains("\n"+out, "\n"+want) {
			return names, fmt.Errorf("%w: the text did not arrive whole in its buffer", errOutput)
		}
		h.drop(stale(out))
	}
	return names, nil
}

// stale picks the buffers of processes that have ended.
func stale(list string) []string {
	var out []string
	for line := range strings.Lines(list) {
		_, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		part := strings.Split(name, "_")
		if !strings.HasPrefix(name, bufferPrefix) || len(part) != 5 {
			continue
		}
		pid, err := strconv.Atoi(part[1])
		if err != nil {
			continue
		}
		p, err := proc.Read(pid)
		if errors.Is(err, proc.ErrNone) || err == nil && p.Start != part[2] {
			out = append(out, name)
		}
	}
	return out
}

// drop deletes buffers as far as they are there, each by a call of its own,
// since the first that is missing would end a sequence. What fails is left to
// the next paste once this process has ended.
func (h *Held) drop(names []string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, n := range names {
		h.server.run(ctx, call{lock: h.lock, args: []string{"delete-buffer", "-b", n}})
	}
}
