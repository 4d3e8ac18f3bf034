package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/proc"
)

// Lock takes the target lock: a flock on a terminal device, so that one
// terminal under several names, sockets or state folders is one target. It
// waits until ctx ends, tries at least once, and then fails with
// ErrLocked. Closing the file releases the lock.
func Lock(ctx context.Context, tty string) (*os.File, error) {
	f, err := proc.OpenTTY(tty)
	if err != nil {
		return nil, err
	}
	// The longer it lasts, the less often it is asked for: two hundred waiting
	// senders would take the processor from the one that types.
	began := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond+time.Since(began)/50, 100*time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", tty, err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", tty, ErrLocked)
		case <-time.After(pause):
		}
	}
}
