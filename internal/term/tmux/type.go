package tmux

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/internal/proc"
	"parley/internal/term"
)

// Paste loads the texts into buffers of their own and then asks tmux, in one
// command line, to paste all of them if everything that was seen still holds.
// Refused with an error means that the paste was never asked for.
func (h *Held) Paste(ctx context.Context, seen term.Snapshot, texts ...string) (term.Applied, error) {
	if err := h.mayAsk(ctx, seen); err != nil {
		return term.Refused, fmt.Errorf("paste to %s: %w", h.id, err)
	}
	for _, text := range texts {
		if err := term.Plain(text); err != nil {
			return term.Refused, fmt.Errorf("paste to %s: %w", h.id, err)
		}
	}
	names, err := h.load(ctx, texts)
	if err != nil {
		h.drop(names)
		return term.Refused, fmt.Errorf("paste to %s: %w", h.id, err)
	}
	var paste, drop []string
	for _, n := range names {
		// -p: as a bracketed paste. -r: no newline becomes Enter. -d: once.
		paste = append(paste, "paste-buffer -p -r -d -b "+n+" -t "+h.id)
		drop = append(drop, "delete-buffer -b "+n)
	}
	h.holdKeys(ctx, seen)
	if h.unread() {
		h.drop(names)
		return term.Refused, nil
	}
	row, at := cursorRow(seen.Screen)
	applied, err := h.ask(ctx, row+"|"+guardFormat, at+"|"+seen.Seen, paste, drop)
	if err != nil {
		h.drop(names)
		return applied, fmt.Errorf("paste to %s: %w", h.id, err)
	}
	return applied, nil
}

// Press asks tmux for one key, if everything that was seen still holds and the
// anchor's first row from the top is the row on which it alone stood.
func (h *Held) Press(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return h.key(ctx, seen, key, term.Submits(key), anchor)
}

// Clear is Press for a key that takes text out of the box. A person's keys are
// made to wait, as they are for a paste: one that came right before it would go
// with the text.
func (h *Held) Clear(ctx context.Context, seen term.Snapshot, key term.Key, anchor string) (term.Applied, error) {
	return h.key(ctx, seen, key, term.Clears(key), anchor)
}

func (h *Held) key(ctx context.Context, seen term.Snapshot, key term.Key, may bool, anchor string) (term.Applied, error) {
	err := h.mayAsk(ctx, seen)
	if err == nil && !may {
		err = fmt.Errorf("key %q is never pressed", key)
	}
	anchored := 0
	if err == nil {
		anchored, err = term.AnchorRow(seen.Screen, anchor)
	}
	if err != nil {
		return term.Refused, fmt.Errorf("press %s in %s: %w", key, h.id, err)
	}
	if term.Clears(key) {
		h.holdKeys(ctx, seen)
	}
	if h.unread() {
		return term.Refused, nil
	}
	row, at := cursorRow(seen.Screen)
	applied, err := h.ask(ctx, rowOf(anchor)+"|"+row+"|"+guardFormat, fmt.Sprintf("%d|%s|%s", anchored+1, at, seen.Seen),
		[]string{"send-keys -t " + h.id + " " + string(key)}, nil)
	if err != nil {
		return applied, fmt.Errorf("press %s in %s: %w", key, h.id, err)
	}
	return applied, nil
}

// mayAsk says why nothing may be asked for at all.
func (h *Held) mayAsk(ctx context.Context, seen term.Snapshot) error {
	f, err := parseFields(seen.Seen)
	if err != nil || f["pane_id"] != h.id {
		return errors.New("the snapshot is not of this pane")
	}
	st := f.state()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case f["pane_tty"] != h.tty:
		return fmt.Errorf("the lock in hand is of %s, the pane is on %s", h.tty, f["pane_tty"])
	case st.Dead || st.InMode || st.InputOff || st.Synchronized:
		return errors.New("the pane is dead, in a mode, synchronized, or takes no input")
	case f["bracket_paste_flag"] == "0":
		return errors.New("the program has not asked for bracketed paste")
	}
	line, err := proc.Canonical(h.tty)
	if err != nil {
		return err
	}
	if line {
		return errors.New("the terminal is in line mode: no input box reads there")
	}
	return nil
}

// unread reports whether keys have come that the program has not even read:
// what it shows is not what it will hold. A busy one can be a second behind.
func (h *Held) unread() bool {
	n, err := proc.Unread(h.lock)
	return err == nil && n > 0
}

// ask has tmux compare the format with what it was, and act, in one moment.
// Once it was asked for, only tmux's own word says what became of it; ctx
// cannot cut it short. A server that wakes up after the call was given up
// finds its time over and refuses: nothing is typed once the lock is free.
func (h *Held) ask(ctx context.Context, format, was string, yes, no []string) (term.Applied, error) {
	mark := nonce()
	guard := equals(before(time.Now().Add(callFor))+"|"+format, "1|"+was)
	// A command that fails ends its sequence: "done" is said after all of
	// them, "refused" before anything can fail.
	yes = append(yes[:len(yes):len(yes)], "display-message -p "+mark+"-done")
	no = append([]string{"display-message -p " + mark + "-refused"}, no...)
	out, err := h.server.run(context.WithoutCancel(ctx), call{lock: h.lock, args: []string{
		"if-shell", "-F", "-t", h.id, guard, strings.Join(yes, " ; "), strings.Join(no, " ; ")}})
	switch strings.TrimSuffix(out, "\n") {
	case mark + "-done":
		return term.Done, nil
	case mark + "-refused":
		return term.Refused, err // an error here is a buffer that stayed
	}
	if err == nil {
		err = fmt.Errorf("%w: %q", errOutput, out)
	}
	return term.Unsure, err
}
