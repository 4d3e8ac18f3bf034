package termtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// The marks of a bracketed paste (xterm, mode 2004).
const pasteStart, pasteEnd = "\x1b[200~", "\x1b[201~"

// Program runs a Box on a terminal that is in raw mode: in is what the
// terminal sends, out what it shows, and log gets every event as a line of
// JSON before it is drawn. It ends with in.
func Program(in io.Reader, out, log io.Writer, cols, rows int) error {
	fmt.Fprint(out, "\x1b[?2004h")
	b := &Box{}
	draw(b, out, cols, rows)
	keys := json.NewEncoder(log)
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		sent := len(b.Events)
		if err := b.next(r); err != nil {
			return err
		}
		for _, e := range b.Events[sent:] {
			if err := keys.Encode(e); err != nil {
				return err
			}
		}
		b.Events = nil
		if r.Buffered() == 0 {
			draw(b, out, cols, rows)
		}
	}
}

// next reads one key, character or paste.
func (b *Box) next(r *bufio.Reader) error {
	c, _, err := r.ReadRune()
	switch {
	case err != nil:
		return err
	case c == '\r':
		b.Key("Enter")
	case c == '\t':
		b.Key("Tab")
	case c == 'u'-'a'+1:
		b.Key("C-u")
	case c != '\x1b':
		b.Type(string(c))
	default:
		head, err := r.Peek(len(pasteStart) - 1)
		if err != nil || string(head) != pasteStart[1:] {
			c, _, err = r.ReadRune()
			if c == '\r' {
				b.Key("M-Enter")
				return err
			}
			b.Type("\x1b" + string(c))
			return err
		}
		r.Discard(len(head))
		text, err := readTo(r, pasteEnd)
		if err != nil {
			return err
		}
		b.Paste(text)
	}
	return nil
}

func readTo(r *bufio.Reader, end string) (string, error) {
	var b strings.Builder
	for !strings.HasSuffix(b.String(), end) {
		part, err := r.ReadString(end[len(end)-1])
		if b.WriteString(part); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(b.String(), end), nil
}

// draw writes one frame in one write: rows from the top, then the cursor.
func draw(b *Box, out io.Writer, cols, rows int) {
	text, x, y := b.Rows(cols, rows)
	var f strings.Builder
	f.WriteString("\x1b[?25l\x1b[H")
	for i, row := range text {
		fmt.Fprintf(&f, "\x1b[%d;1H\x1b[2K%s", i+1, row)
	}
	fmt.Fprintf(&f, "\x1b[%d;%dH\x1b[?25h", y+1, x+1)
	io.WriteString(out, f.String())
}

// ReadLog reads what Program logged so far; a last line that is not whole yet
// is left out.
func ReadLog(file string) []Event {
	b, _ := os.ReadFile(file)
	var out []Event
	for line := range strings.Lines(string(b)) {
		var e Event
		if json.Unmarshal([]byte(line), &e) == nil {
			out = append(out, e)
		}
	}
	return out
}
