package courier

import (
	"context"
	"time"
)

// until looks again and again until look says done, or ctx ends. It is the
// only wait in this package: a look comes first, and nothing is believed
// because time passed. It reports whether look said done.
func until(ctx context.Context, every time.Duration, look func() bool) bool {
	for {
		if look() {
			return true
		}
		t := time.NewTimer(every)
		select {
		case <-ctx.Done():
			t.Stop()
			return false
		case <-t.C:
		}
	}
}
