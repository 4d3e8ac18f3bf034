package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/inbox"
)

func logCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "log ID",
		Short: "every record about one message, in order",
		Long: `Prints the message, each attempt, each receipt and each later fact as they stand
in the recipient's inbox. ID is the message's id or its tag.`,
		Example: "  parley log 7k3m9x2p\n  parley log 01KB… --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			own, err := a.open(nil)
			if err != nil {
				return err
			}
			c, e, err := a.find(own, args[0], nil)
			if err != nil {
				return err
			}
			if err := c.Settle(cmd.Context(), e.Message.To, e.Message.ID); err != nil {
				return err
			}
			box := c.Inbox(e.Message.To)
			records, err := box.Log(string(e.Message.ID))
			if err != nil {
				return err
			}
			for _, r := range records {
				if asJSON {
					fmt.Println(stamped(strings.TrimSpace(string(r.Line))))
				} else {
					fmt.Println(recordText(r))
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the records as they stand on disk, one a line")
	return c
}

// onDisk is a time as records hold it: without zeros at the end. In a text it
// would stand behind escaped quotes.
var onDisk = regexp.MustCompile(`"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,3})?Z"`)

// stamped gives a record's times three digits of milliseconds.
func stamped(line string) string {
	return onDisk.ReplaceAllStringFunc(line, func(s string) string {
		m := onDisk.FindStringSubmatch(s)
		ms := (strings.TrimPrefix(m[2], ".") + "000")[:3]
		return `"at":"` + m[1] + "." + ms + `Z"`
	})
}

// recordText is one record in a line, for people.
func recordText(r inbox.Record) string {
	head := fmt.Sprintf("%s  %-8s", r.At.Local().Format("15:04:05.000"), r.Kind)
	switch r.Kind {
	case inbox.KindMessage:
		return fmt.Sprintf("%s %s from %s to %s: %s", head, r.ID, r.Message.From, r.Message.To, r.Message.Body)
	case inbox.KindAttempt:
		return fmt.Sprintf("%s %s, at %s", head, r.Attempt.Step, r.Attempt.Target)
	case inbox.KindReceipt:
		return fmt.Sprintf("%s %s (touched: %s)", head, sentence(*r.Receipt), r.Receipt.Touched)
	case inbox.KindFact:
		return fmt.Sprintf("%s %s %s %s", head, r.Fact.Kind, r.Fact.By, r.Fact.Note)
	}
	return head
}
