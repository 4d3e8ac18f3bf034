package inbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"parley"
	"parley/internal/durable"
)

// lockWait bounds how long an append waits for the lock. One append holds it
// for about 0.2 ms, so that only a stopped process can use it up.
const lockWait = 10 * time.Second

// tornMark closes a torn tail. No line that ends in it is JSON.
const tornMark = " <torn>\n"

// ErrNoMessage says that an inbox has no message with that id.
var ErrNoMessage = errors.New("no such message in this inbox")

// Box is one recipient's inbox. It holds no file open: its methods may be
// called at any time from any number of goroutines and processes.
type Box struct {
	path string
	now  func() time.Time
}

// Dir is where a team's inboxes are.
func Dir(root, team string) string { return filepath.Join(root, "teams", team, "inbox") }

// File is the inbox of one recipient in such a folder.
func File(dir string, name parley.Name) string { return filepath.Join(dir, string(name)+".jsonl") }

// Open gives the inbox at path, which need not exist: the first Post makes it
// and the folders above it.
func Open(path string) *Box { return &Box{path: path, now: time.Now} }

// Path is the inbox's file.
func (b *Box) Path() string { return b.path }

// writer is a view under the lock, with the records that are about to be
// appended to it.
type writer struct {
	*view
	time    time.Time             // of the records that are added
	next    int64                 // where the next record will begin
	buf     []byte                // all that will be written
	changed map[parley.ID]message // by what is in buf
	unread  []*message            // from book.Oldest on, once it was needed
}

// append calls add under the lock and writes what it added in one call. If add
// runs into an offset that leads nowhere, the book is rebuilt and add is
// called once more.
func (b *Box) append(add func(w *writer) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	f, err := durable.Lock(ctx, b.path)
	if err != nil {
		return err
	}
	defer f.Close()
	v, err := newView(f)
	if err == nil {
		err = v.compatible()
	}
	var w *writer
	if err == nil {
		w = newWriter(v, b.now())
		err = add(w)
	}
	if errors.Is(err, errBook) {
		if err = v.rebuild(); err == nil {
			w = newWriter(v, b.now())
			err = add(w)
		}
	}
	if err != nil {
		return b.fail("append to", err)
	}
	return w.commit()
}

// compatible refuses a file whose first line says that a later format rules.
func (v *view) compatible() error {
	line, err := v.lines.at(0)
	if r, ok := parseHead(line); ok && r.V > Version {
		return fmt.Errorf("its format is %d, this parley knows %d", r.V, Version)
	}
	return err
}

func newWriter(v *view, now time.Time) *writer {
	w := &writer{view: v, time: now.UTC().Truncate(time.Millisecond), next: v.size, changed: map[parley.ID]message{}}
	if w.time.Before(v.at) {
		w.time = v.at
	}
	if v.torn() {
		w.buf = []byte(tornMark)
		w.next += int64(len(tornMark))
		v.book.Torn++
		v.book.TornAt = v.end
	}
	return w
}

// start puts the first line of a new file before all records.
func (w *writer) start() error {
	w.none = false
	return w.add(&Record{Kind: KindInbox, V: Version, At: w.time})
}

// add puts a record behind the others; its book must be up to date.
func (w *writer) add(r *Record) error {
	r.Offset = w.next
	line, err := r.encode()
	w.buf = append(w.buf, line...)
	w.next += int64(len(line))
	return err
}

// commit writes. Before the first bytes of a new file its name is written out
// in the folders above it, so that a file with records in it always has one.
func (w *writer) commit() error {
	if len(w.buf) == 0 || string(w.buf) == tornMark {
		return nil
	}
	if w.size == 0 {
		if err := syncAbove(w.f.Name()); err != nil {
			return err
		}
	}
	return durable.Append(w.f, w.buf)
}

// syncAbove fsyncs inbox/, and <team>/, teams/ and the root as far as we may:
// their maker may have died between making and fsyncing them.
func syncAbove(path string) error {
	dir := filepath.Dir(path)
	if err := durable.SyncDir(dir); err != nil {
		return err
	}
	for range 3 {
		dir = filepath.Dir(dir)
		if err := durable.SyncDir(dir); errors.Is(err, fs.ErrPermission) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// exists says whether there is an inbox, so that only a Post makes one.
func (b *Box) exists() error {
	_, err := os.Stat(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return b.fail("append to", ErrNoMessage)
	}
	if err != nil {
		return b.fail("append to", err)
	}
	return nil
}
