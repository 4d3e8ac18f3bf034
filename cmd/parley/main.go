// Command parley lets AI agents that live in terminals send each other
// messages, by typing into each program's own input box as a careful person
// would, and says honestly what came of it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"parley/courier"
)

func main() { os.Exit(run()) }

// run is main with an exit code: 0 done, 1 error, 2 usage, 3
// deferred, 4 gone, 5 unknown, 6 not in time.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	a := &app{}
	cmd, err := root(a).ExecuteContextC(ctx)
	var c code
	switch {
	case err == nil:
		return 0
	case errors.As(err, &c):
		return int(c)
	}
	n := 1
	if _, refused := courier.Refused(err); refused || isUsage(err) {
		n = 2
	}
	fmt.Fprintln(stderr, "parley:", a.exact(err.Error()))
	if givesReceipts(cmd) {
		noReceipt(cmd, err, n)
	}
	return n
}

// code ends the program with an exit code when everything was said already.
type code int

func (c code) Error() string { return fmt.Sprintf("exit %d", int(c)) }

// usage is an error in how the command was called.
type usage struct{ error }

func usagef(format string, a ...any) error { return usage{fmt.Errorf(format, a...)} }

func isUsage(err error) bool {
	var u usage
	return errors.As(err, &u)
}
