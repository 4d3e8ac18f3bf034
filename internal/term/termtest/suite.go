package termtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/term"
)

// Harness is one terminal with a Box in it, and the hands and eyes of a test.
type Harness struct {
	Terminal term.Terminal // with the target's lock in hand
	Events   func() []Event
	Person   func(text string) // types at the terminal's own keys
	Replace  func()            // ends the Box; another stands in its place
	Remove   func()            // takes the place away
}

// Run holds a driver to what package term promises. open gives a new terminal
// with an empty box and cleans up after itself.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	for name, test := range map[string]func(*testing.T, Harness){
		"looks agree":           looksAgree,
		"paste":                 pasteArrives,
		"H21 two texts":         twoTexts,
		"H22 odd texts":         oddTexts,
		"H12 person before":     personBeforePaste,
		"H11 person after":      personBeforePress,
		"H27 another program":   anotherProgram,
		"press once":            pressOnce,
		"clear":                 clears,
		"H11 person before it":  personBeforeClear,
		"anchor":                anchors,
		"never":                 never,
		"no pane":               noPane,
		"cancelled":             cancelled,
		"another pane's glance": foreign,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// Until looks again and again for up to ten seconds.
func Until(t testing.TB, what string, look func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(3 * time.Millisecond) {
		if look() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// Look looks, and fails the test if that fails.
func (h Harness) Look(t *testing.T) term.Snapshot {
	t.Helper()
	s, err := h.Terminal.Look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shows waits for a screen that holds text.
func (h Harness) shows(t *testing.T, text string) term.Snapshot {
	t.Helper()
	var s term.Snapshot
	Until(t, "the screen shows "+text, func() bool { s = h.Look(t); return len(rows(s.Screen, text)) > 0 })
	return s
}

func (h Harness) paste(t *testing.T, seen term.Snapshot, want term.Applied, texts ...string) {
	t.Helper()
	if got, err := h.Terminal.Paste(t.Context(), seen, texts...); got != want || err != nil {
		t.Fatalf("paste: %v %v, want %v", got, err, want)
	}
}

func (h Harness) press(t *testing.T, seen term.Snapshot, want term.Applied, anchor string) {
	t.Helper()
	if got, err := h.Terminal.Press(t.Context(), seen, "Enter", anchor); got != want || err != nil {
		t.Fatalf("press: %v %v, want %v", got, err, want)
	}
}

// received waits until exactly these events have arrived, and a little longer
// for one too many.
func (h Harness) received(t *testing.T, want ...Event) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && len(h.Events()) < len(want); {
		time.Sleep(3 * time.Millisecond)
	}
	time.Sleep(30 * time.Millisecond)
	if got := h.Events(); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("the program received %s, want %s", brief(got), brief(want))
	}
}

func brief(e []Event) string {
	s := fmt.Sprintf("%d %.300q", len(e), e)
	return s
}

func looksAgree(t *testing.T, h Harness) {
	a, b := h.Look(t), h.Look(t)
	if a.Identity != b.Identity || a.Seen != b.Seen || a.Screen.Cursor != b.Screen.Cursor {
		t.Errorf("two looks at a program at rest:\n%+v\n%+v", a, b)
	}
	if len(a.Screen.Cells) != a.Screen.Rows || a.Screen.Rows < 5 || !strings.HasPrefix(a.Screen.Row(a.Screen.Rows-2), ">") {
		t.Errorf("the box is not where it was drawn: %d %q", a.Screen.Rows, a.Screen.Row(a.Screen.Rows-2))
	}
	if a.State != (term.State{PersonAt: a.State.PersonAt, PersonExact: a.State.PersonExact}) {
		t.Errorf("a usual terminal forbids typing: %+v", a.State)
	}
}

func pasteArrives(t *testing.T, h Harness) {
	h.paste(t, h.Look(t), term.Done, "lead: hello [#abcd1234]")
	h.received(t, Event{"paste", "lead: hello [#abcd1234]"})
	h.press(t, h.shows(t, "[#abcd1234]"), term.Done, "[#abcd1234]")
	h.received(t, Event{"paste", "lead: hello [#abcd1234]"}, Event{"key", "Enter"})
}

func twoTexts(t *testing.T, h Harness) {
	body := strings.Repeat("line of the body\n", 40)
	h.paste(t, h.Look(t), term.Done, "lead: ", body, " [#abcd1234]")
	h.received(t, Event{"paste", "lead: "}, Event{"paste", body}, Event{"paste", " [#abcd1234]"})
}

func oddTexts(t *testing.T, h Harness) {
	for _, text := range []string{
		"ends in a semicolon;", ";", `\;`, "'quoted\" $HOME `x` \\", "#{pid} #(touch x) #[fg=red] %H %3 ##",
		"-b looks like a flag", "tab\tand\n\nnewlines\n", "héé 🙂 e\u0301 日本 \u200d", "Enter", "C-c", " blanks ",
	} {
		before := len(h.Events())
		Until(t, "the paste is taken", func() bool {
			got, err := h.Terminal.Paste(t.Context(), h.Look(t), text)
			if got == term.Unsure || err != nil {
				t.Fatalf("%q: %v %v", text, got, err)
			}
			return got == term.Done // the program may still have been drawing
		})
		Until(t, "the paste arrives", func() bool { return len(h.Events()) > before })
		if got := h.Events()[before:]; len(got) != 1 || got[0] != (Event{"paste", text}) {
			t.Fatalf("%q arrived as %s", text, brief(got))
		}
	}
}

func personBeforePaste(t *testing.T, h Harness) {
	seen := h.Look(t)
	h.Person("x")
	h.shows(t, "> x")
	h.paste(t, seen, term.Refused, "hello")
	h.received(t, Event{"typed", "x"})
}

func personBeforePress(t *testing.T, h Harness) {
	h.paste(t, h.Look(t), term.Done, "hello [#abcd1234]")
	seen := h.shows(t, "[#abcd1234]")
	h.Person("x")
	h.shows(t, "[#abcd1234]x")
	h.press(t, seen, term.Refused, "[#abcd1234]")
	h.received(t, Event{"paste", "hello [#abcd1234]"}, Event{"typed", "x"})
}

func anotherProgram(t *testing.T, h Harness) {
	seen := h.Look(t)
	h.Replace()
	Until(t, "another stands there", func() bool { return h.Look(t).Identity != seen.Identity })
	if got, err := h.Terminal.Paste(t.Context(), seen, "hello"); got != term.Refused {
		t.Fatalf("paste: %v %v", got, err)
	}
	if got, err := h.Terminal.Press(t.Context(), seen, "Enter", ">"); got != term.Refused {
		t.Fatalf("press: %v %v", got, err)
	}
	h.received(t)
}

func pressOnce(t *testing.T, h Harness) {
	h.paste(t, h.Look(t), term.Done, "one [#abcd1234]")
	seen := h.shows(t, "> one [#abcd1234]")
	h.press(t, seen, term.Done, "[#abcd1234]")
	h.shows(t, "* one [#abcd1234]")
	// The box let go: the same look is worth nothing any more.
	h.press(t, seen, term.Refused, "[#abcd1234]")
	h.received(t, Event{"paste", "one [#abcd1234]"}, Event{"key", "Enter"})
}

func clears(t *testing.T, h Harness) {
	h.paste(t, h.Look(t), term.Done, "one\ntwo [#abcd1234]")
	seen := h.shows(t, "two [#abcd1234]")
	h.clear(t, seen, term.Done, "[#abcd1234]")
	Until(t, "the line is gone", func() bool { return len(rows(h.Look(t).Screen, "[#abcd1234]")) == 0 })
	h.clear(t, seen, term.Refused, "[#abcd1234]")
	seen = h.Look(t) // the cursor stands on an empty second row
	h.clear(t, seen, term.Done, "> one")
	Until(t, "the row is gone", func() bool { return h.Look(t).Screen.Cursor != seen.Screen.Cursor })
	h.clear(t, h.Look(t), term.Done, "> one")
	Until(t, "the box is empty", func() bool { return len(rows(h.Look(t).Screen, "> one")) == 0 })
	h.received(t, Event{"paste", "one\ntwo [#abcd1234]"}, Event{"key", "C-u"}, Event{"key", "C-u"}, Event{"key", "C-u"})
}

func personBeforeClear(t *testing.T, h Harness) {
	h.paste(t, h.Look(t), term.Done, "hello [#abcd1234]")
	seen := h.shows(t, "[#abcd1234]")
	h.Person("x")
	h.shows(t, "[#abcd1234]x")
	h.clear(t, seen, term.Refused, "[#abcd1234]")
	h.received(t, Event{"paste", "hello [#abcd1234]"}, Event{"typed", "x"})
}

func (h Harness) clear(t *testing.T, seen term.Snapshot, want term.Applied, anchor string) {
	t.Helper()
	if got, err := h.Terminal.Clear(t.Context(), seen, "C-u", anchor); got != want || err != nil {
		t.Fatalf("clear: %v %v, want %v", got, err, want)
	}
}

func anchors(t *testing.T, h Harness) {
	odd := `.[]()*+?{}|^$\#,:}#{pid}%H'"`
	h.paste(t, h.Look(t), term.Done, odd+"\nsecond row\nand "+odd[:5])
	seen := h.shows(t, "and "+odd[:5])
	for _, bad := range []string{"", " ", "nowhere", odd[:5], "é"} {
		if got, err := h.Terminal.Press(t.Context(), seen, "Enter", bad); got != term.Refused || err == nil {
			t.Errorf("anchor %q: %v %v", bad, got, err)
		}
	}
	h.press(t, seen, term.Done, odd)
	if e := h.Events(); len(e) > 2 {
		t.Errorf("received %s", brief(e))
	}
}

func never(t *testing.T, h Harness) {
	seen := h.Look(t)
	for _, key := range []term.Key{"Escape", "C-c", "C-u", "BSpace", "y", "1", "", "enter", "Enter Enter", "Enter;"} {
		if got, err := h.Terminal.Press(t.Context(), seen, key, ">"); got != term.Refused || err == nil {
			t.Errorf("key %q: %v %v", key, got, err)
		}
	}
	for _, key := range []term.Key{"Escape", "C-c", "C-w", "BSpace", "Enter", "Tab", "M-Enter", "u", "", "c-u", "C-u C-u", "C-u;"} {
		if got, err := h.Terminal.Clear(t.Context(), seen, key, ">"); got != term.Refused || err == nil {
			t.Errorf("clear by key %q: %v %v", key, got, err)
		}
	}
	for _, text := range []string{"", "a\x1b[201~b", "a\rb", "a\x03", "a\x7f"} {
		if got, err := h.Terminal.Paste(t.Context(), seen, text); got != term.Refused || err == nil {
			t.Errorf("text %q: %v %v", text, got, err)
		}
	}
	if got, err := h.Terminal.Paste(t.Context(), seen); got != term.Refused || err == nil {
		t.Errorf("no text: %v %v", got, err)
	}
	h.received(t)
}

func noPane(t *testing.T, h Harness) {
	seen := h.Look(t)
	h.Remove()
	Until(t, "no pane", func() bool { _, err := h.Terminal.Look(t.Context()); return errors.Is(err, term.ErrNoPane) })
	if got, _ := h.Terminal.Paste(t.Context(), seen, "hello"); got == term.Done {
		t.Error("pasted into nothing")
	}
}

func cancelled(t *testing.T, h Harness) {
	seen := h.Look(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := h.Terminal.Paste(ctx, seen, "hello"); got != term.Refused || err == nil {
		t.Errorf("paste: %v %v", got, err)
	}
	if got, err := h.Terminal.Press(ctx, seen, "Enter", ">"); got != term.Refused || err == nil {
		t.Errorf("press: %v %v", got, err)
	}
	h.received(t)
}

func foreign(t *testing.T, h Harness) {
	seen := h.Look(t)
	for _, s := range []string{"", strings.Repeat("|", 30), seen.Seen + "0", "0" + seen.Seen} {
		other := seen
		other.Seen = s
		if got, _ := h.Terminal.Paste(t.Context(), other, "hello"); got != term.Refused {
			t.Errorf("%q: %v", s, got)
		}
	}
	h.received(t)
}
