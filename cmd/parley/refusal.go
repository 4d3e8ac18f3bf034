package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/courier"
)

// receipts marks a verb whose calls each end in receipts.
const receipts = "receipts"

// givesReceipts reports whether a call was to end in receipts: that of send and
// deliver, and of wait where a message is waited for.
func givesReceipts(c *cobra.Command) bool {
	if c.Annotations[receipts] == "" {
		return false
	}
	f := c.Flags().Lookup("for")
	return f == nil || f.Value.String() == "" || f.Value.String() == "end"
}

// asksJSON reports whether a call asks for JSON, also where its flags could not
// be read to the end.
func asksJSON(c *cobra.Command) bool {
	if f := c.Flags().Lookup("json"); f != nil && f.Changed {
		return f.Value.String() == "true"
	}
	args := os.Args[1:]
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// refusedFor is an error about one recipient of several.
type refusedFor struct {
	to string
	error
}

func (r refusedFor) Unwrap() error { return r.error }

// noReceipt ends a call that was refused, or failed before anything was saved,
// as every receipt does: by the last line, or by one object for each recipient.
func noReceipt(c *cobra.Command, err error, exit int) {
	reason := parley.Reason("")
	if exit == 2 {
		reason = parley.ReasonUsage
	}
	if r, refused := courier.Refused(err); refused && r.Reason != "" {
		reason = r.Reason
	}
	asJSON := asksJSON(c)
	if !asJSON {
		failed{Touched: parley.None, Reason: reason}.print(false)
		return
	}
	var one refusedFor
	several := errors.As(err, &one)
	for _, to := range recipients(c) {
		f := failed{To: to, Touched: parley.None, Reason: reason, Error: err.Error()}
		if several && to != one.to {
			f.Reason, f.Error = parley.ReasonOtherRefused, fmt.Sprintf("nothing was saved for %s, because the send to %s was refused", to, one.to)
		}
		f.print(true)
	}
}

// recipients are those that a call names, as it writes them, but for @ and
// case; one that is empty if it names none.
func recipients(c *cobra.Command) (out []string) {
	args := c.Flags().Args()
	if c.Name() != "send" || len(args) == 0 {
		return []string{""}
	}
	for s := range strings.SplitSeq(args[0], ",") {
		if s = written(s); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// written is a recipient as a call writes it, but for @ and case.
func written(to string) string {
	return strings.ToLower(strings.TrimPrefix(strings.TrimSpace(to), "@"))
}

// failed is what is told of a message that has no receipt.
type failed struct {
	ID      parley.ID      `json:"id"`
	To      string         `json:"to"`
	Outcome parley.Outcome `json:"outcome"` // always ""
	Touched parley.Touched `json:"touched"` // "" if that is not known
	Reason  parley.Reason  `json:"reason"`
	Error   string         `json:"error"`
}

func (f failed) print(asJSON bool) {
	if asJSON {
		printJSON(f)
		return
	}
	fmt.Fprintln(stderr, lastLine(parley.Receipt{ID: f.ID, Touched: f.Touched, Reason: f.Reason}))
}

// lastLine is the line by which a caller that reads no JSON knows the end.
func lastLine(r parley.Receipt) string {
	return fmt.Sprintf("parley: id=%s outcome=%s touched=%s reason=%s", r.ID, r.Outcome, r.Touched, r.Reason)
}
