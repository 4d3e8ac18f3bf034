package inbox

import (
	"context"
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/internal/durable"
	"path/filepath"
)

// TestAfter: what stands behind a message, read or not, whatever was said
// about it since.
func TestAfter(t *testing.T) {
	b := newBox(t)
	var ms []parley.Message
	for i := range 4 {
		ms = append(ms, post(t, b, parley.Message{Body: fmt.Sprint(i)}))
		must(t, b.MarkRead("backend", ms[i/2].ID))
	}
	for i, m := range ms {
		es, err := b.After(m.ID)
		must(t, err)
		if len(es) != 3-i || len(es) > 0 && es[0].Message.ID != ms[i+1].ID {
			t.Errorf("behind %d: %s", i, bodies(es))
		}
	}
	if es, err := b.After("01ARZ3NDEKTSV4RRFFQ69G5FAV"); len(es) != 0 || err != nil {
		t.Errorf("behind a message that is not here: %s, %v", bodies(es), err)
	}
}

func TestFollow(t *testing.T) {
	b := newBox(t)
	must(t, durable.MkdirAll(filepath.Dir(b.Path())))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	got := make(chan Record, 100)
	done := make(chan error)
	go func() { done <- b.Follow(ctx, 0, func(r Record) error { got <- r; return nil }) }()
	for i := range 20 {
		m := post(t, b, parley.Message{Body: fmt.Sprint(i)})
		must(t, b.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Saved}))
		for _, kind := range []Kind{KindMessage, KindReceipt} {
			select {
			case r := <-got:
				if r.ID != m.ID || r.Kind != kind {
					t.Fatalf("%d: %s %s", i, r.Kind, r.ID)
				}
			case <-ctx.Done():
				t.Fatalf("message %d did not come", i)
			}
		}
	}
	end, err := b.End()
	must(t, err)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	post(t, b, parley.Message{Body: "later"})
	stop := fmt.Errorf("enough")
	err = b.Follow(t.Context(), end, func(r Record) error {
		if r.Message.Body != "later" {
			t.Errorf("%+v", r)
		}
		return stop
	})
	if err != stop {
		t.Error(err)
	}
}
