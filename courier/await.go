package courier

import (
	"context"
	"errors"
	"time"

	"parley"
	"parley/internal/inbox"
)

// Forever is longer than anybody waits.
const Forever = 100 * 365 * 24 * time.Hour

// await looks again and again for as long as patience allows; each look may
// end even where the time is over. Zero is one look.
func await(ctx context.Context, p Patience, look func() bool) bool {
	wait, cancel := context.WithTimeout(ctx, p.Wait)
	defer cancel()
	return until(wait, retryEvery, look)
}

// AwaitTurn looks until the agent is idle or asking. It is not ok if that was
// not seen within the time, or ctx ended.
func (c *Courier) AwaitTurn(ctx context.Context, n parley.Name, what string, p Patience) (s Status, ok bool, err error) {
	m, err := c.Resolve(ctx, n)
	if err != nil {
		return s, false, err
	}
	seen := func() bool {
		s, err = c.statusOf(ctx, m)
		if err == nil && s.gone {
			err = Refusal{parley.ReasonNotAnAgent, string(n) + ": " + s.Health}
		}
		return err == nil && string(s.Turn) == what
	}
	ok = await(ctx, p, func() bool { return twice(ctx, seen) || err != nil })
	return s, ok && err == nil, err
}

// twice reports whether two looks in a row agree: one alone is not believed.
func twice(ctx context.Context, seen func() bool) bool {
	looks, is := 0, false
	return until(ctx, retryEvery, func() bool {
		looks, is = looks+1, seen()
		return !is || looks == 2
	}) && is
}

// AwaitEnd waits until a message has an end, settling it on the way. The
// receipt is the last one in any case, or zero.
func (c *Courier) AwaitEnd(ctx context.Context, to parley.Name, id parley.ID, p Patience) (r parley.Receipt, ok bool, err error) {
	box := c.Inbox(to)
	ok = await(ctx, p, func() bool {
		if err = c.Settle(ctx, to, id); err != nil {
			return true
		}
		e, found, ferr := box.Find(string(id))
		if err = errors.Join(ferr, notFound(found, string(id))); err != nil {
			return true
		}
		if e.Receipt != nil {
			r = *e.Receipt
		}
		return !e.Open()
	})
	return r, ok && err == nil, err
}

// AwaitMessage waits for the oldest unread message in an inbox, or, with the
// id of a message there, for the first one behind it, read or not.
func (c *Courier) AwaitMessage(ctx context.Context, n parley.Name, after parley.ID, p Patience) (e inbox.Entry, ok bool, err error) {
	box := c.Inbox(n)
	ok = await(ctx, p, func() bool {
		var all []inbox.Entry
		if after != "" {
			all, err = box.After(after)
		} else {
			all, err = box.Unread()
		}
		if len(all) > 0 {
			e = all[0]
		}
		return err != nil || len(all) > 0
	})
	return e, ok && err == nil, err
}
