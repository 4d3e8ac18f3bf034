package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
	"parley/internal/inbox"
)

// line is one message as `inbox --json` prints it.
type line struct {
	ID      parley.ID      `json:"id"`
	From    parley.Name    `json:"from"`
	To      parley.Name    `json:"to"`
	Body    string         `json:"body"`
	At      stamp          `json:"at"`
	Outcome parley.Outcome `json:"outcome"`
	Read    bool           `json:"read"`
	ReplyTo parley.ID      `json:"reply_to"`
}

func lineOf(e inbox.Entry) line {
	l := line{ID: e.Message.ID, From: e.Message.From, To: e.Message.To, Body: e.Message.Body,
		At: stamp(e.Message.At), Read: e.Read, ReplyTo: e.Message.ReplyTo}
	if e.Receipt != nil {
		l.Outcome = e.Receipt.Outcome
	}
	return l
}

func inboxCmd(a *app) *cobra.Command {
	var n int
	var unread, follow, asJSON bool
	c := &cobra.Command{
		Use:   "inbox [NAME]",
		Short: "read what was said to me, or to NAME",
		Long: `Prints an inbox, oldest message first. Only the recipient's own reading marks
messages as read: an agent's by running this itself, the person's likewise.`,
		Example:           "  parley inbox -n 3\n  parley inbox backend --unread --json\n  parley inbox --follow",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: a.completeNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n < 0 {
				return usagef("-n cannot be negative")
			}
			c, err := a.open(nil)
			if err != nil {
				return err
			}
			v, err := a.whose(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			v.n, v.unread, v.json = n, unread, asJSON
			return v.show(cmd.Context(), follow)
		},
	}
	c.Flags().IntVarP(&n, "number", "n", 20, "at most this many, the newest; 0 = all")
	c.Flags().BoolVar(&unread, "unread", false, "only what was not read")
	c.Flags().BoolVar(&follow, "follow", false, "go on, and print each message as it comes")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// whose says whose inbox is meant, and whether it is the asker's own. An agent
// without a name may look at another's, but marks nothing.
func (a *app) whose(ctx context.Context, c *courier.Courier, args []string) (view, error) {
	me, err := a.speaker(ctx, c, "")
	if len(args) == 0 {
		return view{c: c, name: me.name, mine: true}, err
	}
	p, perr := a.place(ctx, c, args[0], nil)
	return view{c: p.c, name: p.name, mine: err == nil && p.team == "" && p.name == me.name}, perr
}

// view is one way of looking at one inbox.
type view struct {
	c      *courier.Courier
	name   parley.Name
	mine   bool
	n      int
	unread bool
	json   bool
}

func (v view) show(ctx context.Context, follow bool) error {
	box := v.c.Inbox(v.name)
	from, err := box.End()
	if err != nil {
		return err
	}
	es, err := v.pick(box)
	if err != nil {
		return err
	}
	if len(es) == 0 && !v.warnOfStranger(ctx) && !v.json && !follow {
		what := "nothing"
		if v.unread {
			what = "nothing unread"
		}
		fmt.Fprintf(stderr, "parley: %s in the inbox of %s\n", what, v.name)
	}
	if err := v.print(box, es); err != nil || !follow {
		return err
	}
	last := parley.ID("") // what came between the two is not printed twice
	if len(es) > 0 {
		last = es[len(es)-1].Message.ID
	}
	return box.Follow(ctx, from, func(r inbox.Record) error {
		if r.Kind != inbox.KindMessage || r.ID <= last {
			return nil
		}
		return v.print(box, []inbox.Entry{{Message: *r.Message}})
	})
}

// warnOfStranger says so if an inbox is that of nobody: it may be a slip.
func (v view) warnOfStranger(ctx context.Context) bool {
	near, is := v.c.Stranger(ctx, v.name)
	if is {
		fmt.Fprintf(stderr, "parley: no inbox of that name: nothing was ever sent to %q, and no agent bears it%s\n", v.name, courier.DidYouMean(near))
	}
	return is
}

// behind is the id of a message in this inbox, by id or tag; "" for "".
func (v view) behind(idOrTag string) (parley.ID, error) {
	if idOrTag == "" {
		return "", nil
	}
	e, ok, err := v.c.Inbox(v.name).Find(strings.Trim(idOrTag, "[#]"))
	if err == nil && !ok {
		err = usagef("--after %s: the inbox of %s has no such message", idOrTag, v.name)
	}
	return e.Message.ID, err
}

func (v view) pick(box *inbox.Box) ([]inbox.Entry, error) {
	if !v.unread {
		if v.n == 0 {
			return box.Last(math.MaxInt)
		}
		return box.Last(v.n)
	}
	es, err := box.Unread()
	if v.n > 0 && len(es) > v.n {
		es = es[len(es)-v.n:]
	}
	return es, err
}

// print prints entries, and marks them as read if the recipient looks.
func (v view) print(box *inbox.Box, es []inbox.Entry) error {
	var ids []parley.ID
	for _, e := range es {
		if v.json {
			printJSON(lineOf(e))
		} else {
			fmt.Println(lineText(e))
		}
		if !e.Read {
			ids = append(ids, e.Message.ID)
		}
	}
	if !v.mine || len(ids) == 0 {
		return nil
	}
	return box.MarkRead(v.name, ids...)
}

func lineText(e inbox.Entry) string {
	state := "not carried yet"
	if e.Receipt != nil {
		state = string(e.Receipt.Outcome)
	}
	if !e.Read {
		state += ", unread"
	}
	head := fmt.Sprintf("%s  %s [#%s] %s", e.Message.At.Local().Format("2006-01-02 15:04:05"), e.Message.From, e.Message.ID.Tag(), state)
	return head + "\n    " + strings.ReplaceAll(e.Message.Body, "\n", "\n    ")
}
