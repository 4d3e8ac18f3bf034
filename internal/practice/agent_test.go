package practice

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/screen"
)

const ghost = "Say something, or / for a command"

func TestPastesArriveExactly(t *testing.T) {
	r := startRig(t, "")
	long := strings.Repeat("a line of some length\n", 40) + "end"
	texts := []string{
		"lead: hello [#abcd1234]", "two\nlines", long, strings.Repeat("x", 801), strings.Repeat("y", 50_000),
		"漢字 かな", "👩‍👩‍👧 🇩🇪 é e\u0301", "שלום abc", "tab\there", "ends with \\", "mail @bob", "pay $x", "!not a shell",
		"zero\u200bwidth", " blank ends ",
	}
	for i, text := range texts {
		r.paste(text, "Enter")
		if got := r.event("paste", i+1); string(got.Bytes) != text || got.To != "box" {
			t.Errorf("pasted %q, log has %q to %s", text, got.Bytes, got.To)
		}
		if got := r.event("submit", i+1); got.Text != text {
			t.Errorf("pasted %q, submitted %q", text, got.Text)
		}
		r.event("end", i+1)
	}
	if got := r.roles("user"); !slices.Equal(got, texts) {
		t.Errorf("transcript has %q", got)
	}
	if got := r.roles("assistant"); len(got) != len(texts) || got[0] != "You said: "+texts[0] {
		t.Errorf("answers are %q", got)
	}
	if n := len(r.events("key")); n != len(texts) {
		t.Errorf("%d keys, want one Enter for each of %d", n, len(texts))
	}
}

func TestPasteIsCleaned(t *testing.T) {
	r := startRig(t, "")
	r.paste("a\r\nb\rc\x00\x07\x1b[31m\x7fd", "Enter")
	if got, want := r.event("submit", 1).Text, "a\nb\nc[31md"; got != want {
		t.Errorf("submitted %q, want %q", got, want)
	}
}

func TestKeysEditTheBox(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		keys             []string
	}{
		{"newlines", "one", "one\n\ntwo", []string{"C-j", "M-Enter", "t", "w", "o"}},
		{"backspace", "abc", "ab", []string{"BSpace"}},
		{"arrows", "abc", "aXc", []string{"Left", "BSpace", "X"}},
		{"home and end", "abc", "1abc2", []string{"Home", "1", "End", "2"}},
		{"kill line", "abc", "a\nz", []string{"C-u", "a", "C-j", "q", "q", "C-u", "z"}},
		{"kill joins", "abc", "abcz", []string{"C-j", "C-u", "z"}},
		{"delete", "abc", "bc", []string{"Home", "DC"}},
		{"ctrl-c clears", "abc", "new", []string{"C-c", "n", "e", "w"}},
		{"tab is nothing", "abc", "abc", []string{"Tab"}},
		{"combining", "e", "éa", []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := startRig(t, "")
			text := c.text
			if c.name == "combining" {
				text = "e\u0301"
				c.want = "e\u0301a"
			}
			r.typeKeys(text, append(c.keys, "Enter")...)
			if got := r.event("submit", 1).Text; got != c.want {
				t.Errorf("submitted %q, want %q", got, c.want)
			}
		})
	}
}

func TestEmptyBoxShowsGhost(t *testing.T) {
	r := startRig(t, "")
	if got := r.boxText(); got != ghost {
		t.Fatalf("box: %q", got)
	}
	if got := r.get("#{cursor_x} #{cursor_flag} #{alternate_on} #{pane_title}"); got != "2 1 0 ○ practice · idle" {
		t.Errorf("state: %q", got)
	}
	s := vtCapture(r)
	if c := s.Cell(2, 4); c.Text != "S" || c.Attr != screen.Dim {
		t.Errorf("the ghost begins with %+v", c)
	}
	r.typeKeys("", "Enter")
	r.event("ignored", 1)
	r.typeKeys("   ")
	until(t, "spaces take the ghost away", func() bool { return r.boxText() == "" })
	if got := r.get("#{cursor_x}"); got != "5" {
		t.Errorf("cursor at %s", got)
	}
}

func TestWorkQueuesAndAnswersInOrder(t *testing.T) {
	r := startRig(t, "")
	r.typeKeys("/work 1.5", "Enter")
	r.shows("Working… ")
	if got := r.get("#{pane_title}"); !strings.HasSuffix(got, " practice · working") {
		t.Errorf("title %q", got)
	}
	r.paste("one", "Enter")
	r.paste("two", "Enter")
	r.shows("↳ queued: two")
	if got := r.event("submit", 2).Note; got != "working" {
		t.Errorf("submitted while %s", got)
	}
	r.event("end", 3)
	if got, want := r.roles("assistant"), []string{"Worked for 1.5 s.", "You said: one", "You said: two"}; !slices.Equal(got, want) {
		t.Errorf("answers %q", got)
	}
	if got, want := r.roles("queued"), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("queued %q", got)
	}
}

func TestEscapeInterruptsAndQueueGoesOn(t *testing.T) {
	r := startRig(t, "")
	r.typeKeys("/work 60", "Enter")
	r.shows("Working… ")
	r.paste("next", "Enter")
	r.shows("queued: next")
	r.typeKeys("", "Escape")
	r.event("end", 2)
	if got, want := r.roles("end"), []string{"interrupted", "done"}; !slices.Equal(got, want) {
		t.Errorf("ends %q", got)
	}
}

func TestDialogTakesTheBoxAndTheKeys(t *testing.T) {
	for _, c := range []struct {
		key, how string
		tools    int
	}{
		{"Enter", "approved", 1}, {"Escape", "rejected", 0}, {"n", "rejected", 0}, {"1", "approved", 1},
	} {
		t.Run(c.key, func(t *testing.T) {
			r := startRig(t, "")
			r.typeKeys("/ask", "Enter")
			r.shows("━━ permission ")
			if strings.Contains(r.screen(), promptMark) {
				t.Error("the box is still there")
			}
			if got := r.get("#{cursor_flag} #{pane_title}"); got != "0 ! practice · asking" {
				t.Errorf("state %q", got)
			}
			r.paste("ignored")
			if got := r.event("paste", 1).To; got != "dialog" {
				t.Errorf("paste went to %s", got)
			}
			r.typeKeys("", c.key)
			if got := r.event("close", 1).Note; got != c.how {
				t.Errorf("%s: %s", c.key, got)
			}
			r.event("end", 1)
			if got := len(r.roles("tool")); got != c.tools || len(r.events("tool")) != c.tools {
				t.Errorf("%d tool runs in the transcript, want %d", got, c.tools)
			}
			until(t, "the box is back, empty", func() bool { return r.boxText() == ghost })
		})
	}
}

func TestMenuTakesTheKeys(t *testing.T) {
	r := startRig(t, "")
	r.typeKeys("/menu", "Enter")
	r.shows("━━ menu ")
	r.typeKeys("", "Down", "Enter")
	r.shows("Picked: plain")
	if got := r.event("close", 1); got.Note != "picked" || len(r.roles("user")) != 0 {
		t.Errorf("%+v, prompts %q", got, r.roles("user"))
	}
}

func TestCommandsStayLocal(t *testing.T) {
	r := startRig(t, "")
	r.typeKeys("/nosuch thing", "Enter")
	r.shows("Unknown command: /nosuch")
	r.typeKeys("/draft left here", "Enter")
	until(t, "the draft stands", func() bool { return r.boxText() == "left here" })
	r.typeKeys("", "C-c")
	if got := r.roles("user"); len(got) != 0 {
		t.Errorf("prompts %q", got)
	}
	r.paste("lead: /quit [#abcd1234]", "Enter")
	r.event("end", 1)
	r.paste("/usr/bin/env is a path", "Enter")
	r.event("end", 2)
	if got := len(r.roles("assistant")); got != 2 {
		t.Errorf("%d answers, want 2", got)
	}
}

func TestSessionFileNamesTheTranscript(t *testing.T) {
	r := startRig(t, "")
	pid := r.get("#{pane_pid}")
	file := filepath.Join(r.dir, "home", "sessions", pid+".json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s Session
	if err := json.Unmarshal(data, &s); err != nil || s.Session == "" || time.Since(s.Start) > time.Minute {
		t.Fatalf("%s: %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "home", "sessions", s.Session+".jsonl")); err != nil {
		t.Error(err)
	}
	r.tmux("", "set-option", "-g", "remain-on-exit", "on")
	r.typeKeys("/quit", "Enter")
	until(t, "the session file is gone", func() bool { _, err := os.Stat(file); return err != nil })
}
