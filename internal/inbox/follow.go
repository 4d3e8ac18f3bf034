package inbox

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pollEvery is how often Follow looks by itself: some file systems, networked
// ones above all, report nothing.
const pollEvery = 2 * time.Second

// End is where the next record will be seen: what Follow takes to go on from
// what was read before. 0 if there is no inbox yet.
func (b *Box) End() (end int64, err error) {
	err = b.reading(func(v *view) error {
		end = v.end
		return nil
	})
	return end, err
}

// Follow calls f with every record from offset from on, as they come, until
// ctx ends (then it gives nil) or f fails. The inbox need not exist yet, but
// its folder must.
func (b *Box) Follow(ctx context.Context, from int64, f func(Record) error) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return b.fail("follow", err)
	}
	defer w.Close()
	if err := w.Add(filepath.Dir(b.path)); err != nil {
		return b.fail("follow", err)
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if from, err = b.since(from, f); err != nil {
			return err
		}
		if err := b.change(ctx, w, tick.C); ctx.Err() != nil {
			return nil
		} else if err != nil {
			return b.fail("follow", err)
		}
	}
}

// change waits for a sign that the inbox has grown.
func (b *Box) change(ctx context.Context, w *fsnotify.Watcher, tick <-chan time.Time) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick:
			return nil
		case err := <-w.Errors:
			if err != fsnotify.ErrEventOverflow {
				return err
			}
			return nil
		case e := <-w.Events:
			if filepath.Base(e.Name) == filepath.Base(b.path) {
				return nil
			}
		}
	}
}

// since calls f with the whole records from off on, and gives where the next
// one will begin.
func (b *Box) since(off int64, f func(Record) error) (int64, error) {
	file, err := os.Open(b.path)
	if os.IsNotExist(err) && off == 0 {
		return 0, nil
	}
	if err != nil {
		return off, b.fail("follow", err)
	}
	defer file.Close()
	l, err := openLines(file)
	if err == nil && l.end < off {
		err = fmt.Errorf("it was cut from %d to %d bytes: %w", off, l.end, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return off, b.fail("follow", err)
	}
	var failed error
	err = l.forward(off, func(at int64, line []byte) bool {
		off = at + int64(len(line)) + 1
		if r, ok := parse(bytes.Clone(line)); ok && r.Kind != KindInbox {
			r.Offset = at
			failed = f(*r)
		}
		return failed == nil
	})
	if failed != nil {
		return off, failed
	}
	if err != nil {
		return off, b.fail("follow", err)
	}
	return off, nil
}
