package termtest

import (
	"context"
	"errors"
	"testing"

	"parley/internal/term"
)

func TestFake(t *testing.T) {
	Run(t, func(t *testing.T) Harness {
		f := NewFake()
		line, release, err := f.Hold(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(release)
		return Harness{
			Terminal: line,
			Events:   f.Events,
			Person:   func(s string) { f.Do(func(f *Fake) { f.Box.Type(s) }) },
			Replace:  func() { f.Do((*Fake).Replace) },
			Remove:   func() { f.Do((*Fake).Remove) },
		}
	})
}

func TestFakeFaults(t *testing.T) {
	for fault, arrives := range map[Fault]int{NotApplied: 0, ButApplied: 1} {
		f := NewFake()
		f.Before = func(_ *Fake, c Call) Fault {
			if c.Verb == "paste" {
				return fault
			}
			return NoFault
		}
		seen, _ := f.Look(t.Context())
		if got, err := f.Paste(t.Context(), seen, "x"); got != term.Unsure || !errors.Is(err, ErrFault) {
			t.Errorf("%v %v", got, err)
		}
		if got := len(f.Events()); got != arrives {
			t.Errorf("fault %d: %d events", fault, got)
		}
	}
}

// H12: what comes before the guard is seen by it, what comes after is not.
func TestFakeHooks(t *testing.T) {
	f := NewFake()
	seen, _ := f.Look(t.Context())
	f.Before = func(f *Fake, c Call) Fault { f.Box.Type("x"); return NoFault }
	if got, _ := f.Paste(t.Context(), seen, "y"); got != term.Refused {
		t.Errorf("got %v", got)
	}
	f.Before = nil
	f.Within = func(f *Fake, c Call) { f.Box.Type("z") }
	seen, _ = f.Look(t.Context())
	if got, _ := f.Paste(t.Context(), seen, "y"); got != term.Done || f.Box.Draft != "xzy" {
		t.Errorf("got %v %q", got, f.Box.Draft)
	}
}

func TestFakeLock(t *testing.T) {
	f := NewFake()
	_, release, err := f.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := f.Hold(ctx); !errors.Is(err, term.ErrLocked) {
		t.Errorf("got %v", err)
	}
	release()
	if _, _, err := f.Hold(ctx); err != nil {
		t.Errorf("free again: %v", err)
	}
}
