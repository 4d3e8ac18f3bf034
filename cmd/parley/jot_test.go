package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// jot is an agent that no dialect knows: a box in a frame, a footer, a spinner,
// a dialog. docs/DIALECTS.md is tried on it. Its only argument is the file to
// which it writes every prompt, as Go quotes it.
func jot() {
	old, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		panic(err)
	}
	defer term.Restore(int(os.Stdin.Fd()), old)
	j := &notepad{log: os.Args[1]}
	fmt.Print("\x1b[?2004h\x1b]2;jot\x07")
	defer fmt.Print("\x1b[?2004l")
	keys := make(chan string)
	go func() { // ends with the program
		for in := bufio.NewReader(os.Stdin); ; {
			keys <- key(in)
		}
	}()
	for tick := time.NewTicker(80 * time.Millisecond); ; {
		j.draw()
		select {
		case k := <-keys:
			if k == "" || k == "\x03" {
				return
			}
			j.press(k)
		case <-tick.C:
		}
	}
}

// key reads one key, or a whole bracketed paste.
func key(in *bufio.Reader) string {
	r, _, err := in.ReadRune()
	if err != nil {
		return ""
	}
	if r != 0x1b || in.Buffered() == 0 {
		return string(r)
	}
	seq := "\x1b"
	for !strings.HasSuffix(seq, "~") && len(seq) < 6 {
		b, _ := in.ReadByte()
		seq += string(b)
	}
	if seq != "\x1b[200~" {
		return seq
	}
	var text strings.Builder
	for !strings.HasSuffix(text.String(), "\x1b[201~") {
		b, err := in.ReadByte()
		if err != nil {
			return ""
		}
		text.WriteByte(b)
	}
	return "paste:" + strings.TrimSuffix(text.String(), "\x1b[201~")
}

type notepad struct {
	log    string
	talk   []string
	text   string
	asking bool
	busy   time.Time // works until then
	shown  string
}

func (j *notepad) press(k string) {
	pasted, paste := strings.CutPrefix(k, "paste:")
	switch {
	case j.asking && (k == "\r" || k == "\x1b"):
		j.asking = false
		j.talk = append(j.talk, map[string]string{"\r": "ALLOWED", "\x1b": "refused"}[k])
	case j.asking:
	case paste:
		j.text += strings.ReplaceAll(pasted, "\r", "\n")
	case k == "\r":
		j.submit()
	case k == "\x15": // Ctrl+U
		j.text = ""
	case k == "\x7f":
		j.text = strings.TrimSuffix(j.text, j.text[max(0, len(j.text)-1):])
	case k[0] >= ' ':
		j.text += k
	}
}

func (j *notepad) submit() {
	said := j.text
	j.text = ""
	switch {
	case said == "":
	case said == "ask":
		j.asking = true
	default:
		if said == "work" {
			j.busy = time.Now().Add(20 * time.Second)
		}
		j.talk = append(j.talk, "you said: "+said)
		f, err := os.OpenFile(j.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(f, "%q\n", said)
		f.Close()
	}
}

const frameCols = 60

// draw draws everything anew, if anything has changed.
func (j *notepad) draw() {
	rows := []string{"jot 0.1", ""}
	for _, t := range j.talk[max(0, len(j.talk)-4):] {
		rows = append(rows, "• "+string([]rune(t)[:min(frameCols, len([]rune(t)))]), "")
	}
	x, y := 0, 0
	if j.asking {
		rows = append(rows, "Write to the disk?", "  ❯ 1. Yes", "    2. No", "  enter picks, esc leaves")
	} else {
		if time.Now().Before(j.busy) {
			rows = append(rows, "\x1b[36m"+string([]rune("⠋⠙⠹⠸")[time.Now().UnixMilli()/80%4])+" Noting\x1b[0m")
		}
		box := wrapped(j.text)
		x, y = 3+len([]rune(box[len(box)-1])), len(rows)+len(box)
		rows = append(rows, "╭"+strings.Repeat("─", frameCols-2)+"╮")
		for i, b := range box {
			mark := map[bool]string{true: " > ", false: "   "}[i == 0]
			pad := strings.Repeat(" ", frameCols-5-len([]rune(b)))
			if j.text == "" {
				b, pad = "\x1b[2mwrite a note\x1b[0m", strings.Repeat(" ", frameCols-5-len("write a note"))
			}
			rows = append(rows, "│"+mark+b+pad+"│")
		}
		rows = append(rows, "╰"+strings.Repeat("─", frameCols-2)+"╯", fmt.Sprintf("  ? for help · %d notes", len(j.talk)))
	}
	picture := "\x1b[?25l\x1b[H\x1b[J" + strings.Join(rows, "\r\n")
	if !j.asking {
		picture += fmt.Sprintf("\x1b[%d;%dH\x1b[?25h", y+1, x+2)
	}
	if picture != j.shown {
		fmt.Print(picture)
		j.shown = picture
	}
}

// wrapped is the draft in rows of the box.
func wrapped(s string) (rows []string) {
	for line := range strings.SplitSeq(s, "\n") {
		r := []rune(line)
		for len(r) > frameCols-6 {
			rows, r = append(rows, string(r[:frameCols-6])), r[frameCols-6:]
		}
		rows = append(rows, string(r))
	}
	return rows
}
