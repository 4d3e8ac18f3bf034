// Package practice is the bundled practice agent: a small terminal program
// with an input box that answers every prompt with "You said: …". It is for
// demos, first steps and tests where no real CLI is at hand. It behaves as a
// real one does: raw mode, bracketed paste, a queue, a permission dialog that
// replaces its box. Given a quirks file it also shows the timing and the traps
// that real CLIs were measured to have; given a log file it writes down every
// byte that reached it, so that what parley claims can be held against it.
//
// It talks to nobody and runs nothing: its one "tool" writes a line to its own
// log and transcript.
package practice

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

const usage = `parley practice: the bundled practice agent

  parley practice [--home DIR] [--log FILE] [--quirks FILE]

It answers every prompt with "You said: …" and takes these commands:
  /work SECONDS   works that long, then answers
  /ask            opens a permission dialog (enter approves, esc or n rejects)
  /draft TEXT     leaves TEXT in its box
  /menu           opens a picker that takes the keys
  /quit           ends

  --home DIR      transcripts and session files
                  ($PARLEY_PRACTICE_HOME, else $XDG_STATE_HOME/parley-practice)
  --log FILE      JSON lines: every paste, key and submit ($PARLEY_PRACTICE_LOG)
  --quirks FILE   TOML: traps to imitate ($PARLEY_PRACTICE_QUIRKS)
`

type options struct{ home, log, quirks string }

// Main runs the agent on a terminal until it is told to quit, its terminal
// goes away or ctx ends, and returns the process's exit code: 0, 1 when its
// files or terminal fail, 2 for a usage or quirks error. The terminal is
// restored on every end but SIGKILL.
func Main(ctx context.Context, args []string, stdin, stdout *os.File) int {
	o, err := parseArgs(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "parley practice:", err)
		return 2
	}
	q := Defaults()
	if o.quirks != "" {
		if q, err = LoadQuirks(o.quirks); err != nil {
			fmt.Fprintln(os.Stderr, "parley practice:", err)
			return 2
		}
	}
	if err := run(ctx, o, q, stdin, stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parley practice:", err)
		return 1
	}
	return 0
}

func parseArgs(args []string) (options, error) {
	o := options{home: defaultHome(), log: os.Getenv("PARLEY_PRACTICE_LOG"), quirks: os.Getenv("PARLEY_PRACTICE_QUIRKS")}
	f := flag.NewFlagSet("practice", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.home, "home", o.home, "")
	f.StringVar(&o.log, "log", o.log, "")
	f.StringVar(&o.quirks, "quirks", o.quirks, "")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is not expected here", f.Arg(0))
	}
	return o, nil
}

func defaultHome() string {
	if dir := os.Getenv("PARLEY_PRACTICE_HOME"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "parley-practice")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "parley-practice")
}

func run(ctx context.Context, o options, q Quirks, stdin, stdout *os.File) (err error) {
	log, err := openJournal(o.log)
	if err != nil {
		return err
	}
	defer log.close()
	rec, err := openRecord(o.home)
	if err != nil {
		return err
	}
	defer rec.close()
	t, err := openTerminal(stdin, stdout, q.AlternateScreen)
	if err != nil {
		return err
	}
	defer t.close()
	a := newAgent(q, log, rec, t)
	return a.run(ctx)
}
