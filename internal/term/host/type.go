package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/internal/term"
)

// Paste asks the host to paste all of the texts if everything that was seen
// still holds. From then on a person's keys wait, one second at most. Refused
// with an error means that the paste was never asked for.
func (h *Held) Paste(ctx context.Context, seen term.Snapshot, texts ...string) (term.Applied, error) {
	err := h.mayAsk(ctx, seen)
	if err == nil && len(texts) == 0 {
		err = errors.New("nothing to paste")
	}
	for _, text := range texts {
		if err == nil {
			err = term.Plain(text)
		}
	}
	if err != nil {
		return term.Refused, fmt.Errorf("paste to host %s: %w", h.id, err)
	}
	return h.call(KindPaste, Paste{guard(seen), texts})
}

// Press asks for one key, if everything that was seen still holds and the
// anchor stands on its row.
func (h *Held) Press(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return h.key(ctx, seen, Press{Key: key, Anchor: anchor}, term.Submits(key))
}

// Clear is Press for a key that takes text out of the box.
func (h *Held) Clear(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return h.key(ctx, seen, Press{Key: key, Anchor: anchor, Clears: true}, term.Clears(key))
}

func (h *Held) key(ctx context.Context, seen term.Snapshot, p Press, may bool) (term.Applied, error) {
	err := h.mayAsk(ctx, seen)
	if err == nil && !may {
		err = fmt.Errorf("key %q is never pressed", p.Key)
	}
	if err == nil {
		p.At, err = term.AnchorRow(seen.Screen, p.Anchor)
	}
	if err != nil {
		return term.Refused, fmt.Errorf("press %s in host %s: %w", p.Key, h.id, err)
	}
	p.Guard = guard(seen)
	return h.call(KindPress, p)
}

// guard is what was seen. It loses its force before the call is given up.
func guard(seen term.Snapshot) Guard {
	return Guard{Seen: seen.Seen, Row: seen.Screen.Row(seen.Screen.Cursor.Y), Until: time.Now().Add(callFor - time.Second)}
}

// Quiet implements term.Gate.
func (h *Held) Quiet() error {
	_, err := h.call(KindQuiet, nil)
	return err
}

// Ease implements term.Gate.
func (h *Held) Ease() error {
	_, err := h.call(KindRelease, nil)
	return err
}

// call asks for one thing. Once it was asked for, only the host's own word
// says what became of it; nothing cuts it short.
func (h *Held) call(k Kind, v any) (term.Applied, error) {
	h.conn.Bound(callFor)
	defer h.conn.Bound(0)
	var a Answer
	err := h.conn.Send(k, v)
	if err == nil {
		err = h.conn.expect(KindAnswer, &a)
	}
	switch {
	case err != nil:
		return term.Unsure, fmt.Errorf("ask host %s: %w", h.id, err)
	case a.Error != "":
		return term.Refused, fmt.Errorf("host %s: %s", h.id, a.Error)
	case a.Applied:
		return term.Done, nil
	}
	return term.Refused, nil
}
