package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

var stderr = os.Stderr

// stdout is standard output. It remembers that something could not be written:
// what nobody saw was not read, and an answer that went nowhere is none.
var stdout = &output{to: os.Stdout}

type output struct {
	to  io.Writer
	err error // the first
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// lost tells that a call's answer could not be written, and gives its exit
// code: that of a receipt stands, since it says what was done.
func lost(c *cobra.Command, exit int) int {
	if stdout.err == nil || givesReceipts(c) && !asksJSON(c) {
		return exit
	}
	fmt.Fprintln(stderr, "parley: standard output:", stdout.err)
	if exit == 0 && !givesReceipts(c) {
		return 1
	}
	return exit
}
