package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"parley/internal/proc"
)

// maxInput bounds what is read, in bytes; what is typed has a smaller bound.
const maxInput = 16 << 20

// readsInput reports whether the body comes from standard input: for - and,
// unless the text is optional, for no TEXT where that is no terminal.
func readsInput(args []string, optional bool) bool {
	return len(args) == 1 && args[0] == "-" ||
		len(args) == 0 && !optional && !term.IsTerminal(int(os.Stdin.Fd()))
}

func textOf(args []string, optional bool) (string, error) {
	switch {
	case readsInput(args, optional):
		b, err := io.ReadAll(io.LimitReader(os.Stdin, maxInput+1))
		switch {
		case err != nil:
			return "", fmt.Errorf("read standard input: %w", err)
		case len(b) > maxInput:
			return "", usagef("standard input has more than %d MiB: put it in a file and use `parley send --file PATH TO`", maxInput>>20)
		}
		return strings.TrimSuffix(string(b), "\n"), nil
	case len(args) > 1 && args[0] == "-":
		return "", usagef("TEXT behind -: give one of them, or the whole text in quotes")
	case len(args) == 0 && !optional:
		return "", usagef("no message: give TEXT, or - to read standard input")
	}
	return strings.Join(args, " "), nil
}

// inputLeft reports whether something for us may stand on standard input that
// nobody has read: bytes in a pipe, or a file from its beginning. It never
// waits, and so cannot know what a slow writer will still bring.
func inputLeft() bool {
	st, err := os.Stdin.Stat()
	switch {
	case err != nil:
		return false
	case st.Mode().IsRegular():
		at, err := os.Stdin.Seek(0, io.SeekCurrent)
		return err == nil && at == 0 && st.Size() > 0
	case st.Mode()&fs.ModeNamedPipe != 0:
		n, err := proc.Unread(os.Stdin)
		return err == nil && n > 0
	}
	return false
}
