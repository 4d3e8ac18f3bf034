package courier

import (
	"context"
	"time"
)

// until looks again and again until look says done, or ctx ends. It is the
// only wait in this package: a look comes first, and nothing is believed
// because time passed. It reports whether look said done.
func until(ctx context.Context, every time.Duration, look func() bool) bool {
	return paced(ctx, func() time.Duration { return every }, look)
}

// paced is until that is asked after each look how long to the next.
func paced(ctx context.Context, pause func() time.Duration, look func() bool) bool {
	for {
		if look() {
			return true
		}
		t := time.NewTimer(pause())
		select {
		case <-ctx.Done():
			t.Stop()
			return false
		case <-t.C:
		}
	}
}
