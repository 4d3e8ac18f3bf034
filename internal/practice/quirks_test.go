package practice

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStartDelayLosesWhatComes(t *testing.T) {
	r := startRig(t, "start_delay_ms = 1500")
	r.paste("lost", "Enter")
	if got := r.event("paste", 1).To; got != "lost" {
		t.Errorf("paste went to %s", got)
	}
	r.event("listening", 1)
	r.paste("kept", "Enter")
	if got := r.event("submit", 1).Text; got != "kept" {
		t.Errorf("submitted %q", got)
	}
}

func TestEchoDelay(t *testing.T) {
	r := startRig(t, "echo_delay_ms = 700")
	r.paste("late")
	r.event("paste", 1)
	if got := r.boxText(); got != ghost {
		t.Errorf("drawn at once: %q", got)
	}
	until(t, "the echo", func() bool { return r.boxText() == "late" })
	took := time.Duration(r.event("echo", 1).Mono - r.event("paste", 1).Mono)
	if took < 700*time.Millisecond || took > 2*time.Second {
		t.Errorf("echo after %v", took)
	}
	r.paste(" again", "Enter")
	if got := r.event("submit", 1).Text; got != "late again" {
		t.Errorf("an Enter before the echo submitted %q", got)
	}
}

func TestEnterGuard(t *testing.T) {
	r := startRig(t, "enter_guard_ms = 300")
	r.paste("text", "Enter")
	r.event("newline", 1)
	time.Sleep(350 * time.Millisecond) // the guard itself
	r.typeKeys("", "Enter")
	if got := r.event("submit", 1).Text; got != "text\n" {
		t.Errorf("submitted %q", got)
	}
}

func TestBurstGuard(t *testing.T) {
	r := startRig(t, "burst_guard_ms = 400\nburst_gap_ms = 50")
	r.tmux("", "send-keys", "-l", "fast typing", ";", "send-keys", "Enter")
	r.event("newline", 1)
	time.Sleep(450 * time.Millisecond) // the guard itself
	r.typeKeys("", "Enter")
	if got := r.event("submit", 1).Text; got != "fast typing\n" {
		t.Errorf("submitted %q", got)
	}
	r.paste("in brackets", "Enter")
	if got := r.event("submit", 2).Text; got != "in brackets" {
		t.Errorf("submitted %q", got)
	}
}

func TestClearTurnAndRecordDelay(t *testing.T) {
	r := startRig(t, "clear_delay_ms = 400\nturn_delay_ms = 600\nrecord_delay_ms = 500\nthink_ms = 300")
	r.paste("slow", "Enter")
	submit := r.event("submit", 1)
	if got := r.boxText(); got != "slow" {
		t.Errorf("box right after the submit: %q", got)
	}
	until(t, "the box lets go", func() bool { return r.boxText() == ghost })
	if strings.Contains(r.screen(), "Working…") || len(r.roles("user")) != 0 {
		t.Error("the turn shows already")
	}
	begin := r.event("begin", 1)
	if d := time.Duration(begin.Mono - submit.Mono); d < 600*time.Millisecond {
		t.Errorf("turn began after %v", d)
	}
	r.shows("You said: slow")
	if got := r.roles("assistant"); len(got) != 0 {
		t.Error("the transcript was not late")
	}
	until(t, "the transcript", func() bool { return len(r.roles("end")) == 1 })
}

func TestTokens(t *testing.T) {
	r := startRig(t, "token_newlines = 1\ntoken_chars = 10")
	r.paste("a\nb")
	r.paste(" 1234567890")
	r.paste("short")
	until(t, "tokens", func() bool { return r.boxText() == "[Pasted #1 +2 lines][Pasted #2 11 chars]short" })
	r.typeKeys("", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace")
	until(t, "a token is one unit", func() bool { return r.boxText() == "[Pasted #1 +2 lines]" })
	r.typeKeys("", "Enter")
	if got := r.event("submit", 1).Text; got != "a\nb" {
		t.Errorf("submitted %q", got)
	}
}

func TestLiteralToken(t *testing.T) {
	r := startRig(t, "token_newlines = 1\nliteral_token = true\necho_delay_ms = 300")
	r.paste("a\nb", "Enter")
	if got := r.event("submit", 1).Text; got != "[Pasted #1 +2 lines]" {
		t.Errorf("submitted %q", got)
	}
	r.paste("c\nd")
	until(t, "the token", func() bool { return r.boxText() == "[Pasted #2 +2 lines]" })
	r.typeKeys("", "Enter")
	if got := r.event("submit", 2).Text; got != "c\nd" {
		t.Errorf("submitted %q", got)
	}
}

func TestLoseHeadAndEnters(t *testing.T) {
	r := startRig(t, "lose_head_bytes = 3\nlose_enters = 1")
	r.paste("0123456", "Enter")
	r.event("ignored", 1)
	if got := r.boxText(); got != "3456" {
		t.Errorf("box %q", got)
	}
	r.typeKeys("", "Enter")
	if got := r.event("submit", 1).Text; got != "3456" {
		t.Errorf("submitted %q", got)
	}
}

func TestQueueModes(t *testing.T) {
	for mode, want := range map[string][]string{"each": {"a", "b"}, "join": {"a\n\nb"}, "lose": nil} {
		t.Run(mode, func(t *testing.T) {
			r := startRig(t, "queue = \""+mode+"\"")
			r.typeKeys("/work 1", "Enter")
			r.shows("Working…")
			r.paste("a", "Enter")
			r.paste("b", "Enter")
			r.event("end", 1+len(want))
			if got := r.roles("user")[1:]; !slices.Equal(got, want) {
				t.Errorf("prompts %q, want %q", got, want)
			}
		})
	}
}

func TestRestoreDraft(t *testing.T) {
	r := startRig(t, "restore_draft = true\nthink_ms = 60000")
	r.paste("my prompt", "Enter")
	r.shows("Working…")
	r.typeKeys("", "Escape")
	until(t, "the prompt is a draft", func() bool { return r.boxText() == "my prompt" })
	r.typeKeys("", "Enter")
	r.event("begin", 2)
	r.paste("behind it", "Enter")
	r.event("queue", 1)
	r.typeKeys("", "Escape")
	until(t, "the queue is a draft", func() bool { return r.boxText() == "behind it" })
}

func TestReturn(t *testing.T) {
	r := startRig(t, "return_ms = 200\nthink_ms = 60000")
	r.paste("bounced", "Enter")
	r.shows("Working…")
	until(t, "the text is back", func() bool { return r.boxText() == "bounced" })
	if got := r.roles("end"); !slices.Equal(got, []string{"returned"}) {
		t.Errorf("ends %q", got)
	}
}

func TestExitOnSubmit(t *testing.T) {
	r := startRigIn(t, "exit_on_submit = true", "%s; PS1='shell> ' exec sh")
	r.paste("bye", "Enter")
	r.event("exit", 1)
	r.shows("shell>")
	if got := r.boxText(); got != ghost {
		t.Errorf("the dead box is not on screen: %q", got)
	}
	if got := r.get("#{pane_current_command}"); got != "sh" {
		t.Errorf("running: %s", got)
	}
}

func TestLooks(t *testing.T) {
	r := startRig(t, "alternate_screen = true\nidle_spinner = true\ntitle = false\nghost = \"run the tests\"\nghost_style = \"plain\"")
	r.shows("Indexing the folder")
	first := r.screen()
	until(t, "the spinner turns", func() bool { return r.screen() != first })
	if got := r.get("#{alternate_on} #{cursor_x}"); got != "1 2" {
		t.Errorf("state %q", got)
	}
	if got := r.get("#{pane_title}"); strings.Contains(got, "practice") {
		t.Errorf("title %q", got)
	}
	if got := r.boxText(); got != "run the tests" {
		t.Errorf("box %q", got)
	}
	s := vtCapture(r)
	if c := s.Cell(2, 6); c.Text != "r" || c.Attr != 0 {
		t.Errorf("the ghost begins with %+v", c)
	}
	r.typeKeys("", "Enter")
	r.event("ignored", 1)
}

func TestPopups(t *testing.T) {
	for _, c := range []struct {
		name, quirk string
		act         func(*rig)
		pasteTo     string
		closes      int // how many popups an Enter of act has answered
	}{
		{"at", "on = \"at\"\ndelay_ms = 100", func(r *rig) {}, "", 0},
		{"paste", "on = \"paste\"", func(r *rig) { r.paste("p") }, "dialog", 0},
		{"after-paste", "on = \"after-paste\"", func(r *rig) { r.paste("p", "Enter") }, "box", 1},
		{"after-paste late", "on = \"after-paste\"\ndelay_ms = 200", func(r *rig) { r.paste("p", "Enter") }, "box", 0},
		{"before-enter", "on = \"before-enter\"", func(r *rig) { r.paste("p"); r.typeKeys("", "Enter") }, "box", 1},
		{"after-enter", "on = \"after-enter\"", func(r *rig) { r.paste("p", "Enter") }, "box", 0},
		{"signal", "on = \"signal\"", func(r *rig) { r.tmux("", "run-shell", "kill -USR1 #{pane_pid}") }, "", 0},
		{"second paste", "on = \"paste\"\nnth = 2", func(r *rig) { r.paste("p"); r.paste("q") }, "box", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := startRig(t, "[[popup]]\nwhat = \"dialog\"\n"+c.quirk)
			c.act(r)
			r.event("open", 1)
			if c.closes == 1 {
				if got := r.event("close", 1); got.Note != "approved" || len(r.events("tool")) != 1 {
					t.Errorf("%+v, %d tools", got, len(r.events("tool")))
				}
			} else {
				r.shows("━━ permission")
			}
			if c.pasteTo != "" && r.event("paste", 1).To != c.pasteTo {
				t.Errorf("paste went to %s", r.event("paste", 1).To)
			}
			if got := len(r.events("close")); got != c.closes {
				t.Errorf("%d closed, want %d", got, c.closes)
			}
		})
	}
}

func TestPopupTakesKeysBeforeItIsDrawn(t *testing.T) {
	r := startRig(t, "[[popup]]\nwhat = \"menu\"\non = \"after-paste\"\ndraw_delay_ms = 800\nevery = true")
	r.paste("draft")
	r.event("open", 1)
	until(t, "the box still stands", func() bool { return r.boxText() == "draft" })
	r.typeKeys("x")
	if got := r.event("key", 1).To; got != "menu" {
		t.Errorf("key went to %s", got)
	}
	r.shows("━━ menu")
	r.typeKeys("", "Escape")
	until(t, "the draft is back, alone", func() bool { return r.boxText() == "draft" })
	r.paste(" more")
	r.event("open", 2)
}

// Every key of a quirks file is documented, with what was measured.
func TestQuirksAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("QUIRKS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Quirks](), reflect.TypeFor[Popup]()} {
		for i := range typ.NumField() {
			if key := typ.Field(i).Tag.Get("toml"); !strings.Contains(string(doc), "`"+key+"`") {
				t.Errorf("QUIRKS.md says nothing of %s", key)
			}
		}
	}
}

func TestMeasuredQuirksLoad(t *testing.T) {
	files, _ := filepath.Glob("quirks/*.toml")
	if len(files) < 6 {
		t.Fatalf("quirks: %q", files)
	}
	for _, f := range files {
		if _, err := LoadQuirks(f); err != nil {
			t.Error(err)
		}
	}
}

func TestQuirksAreStrict(t *testing.T) {
	for text, want := range map[string]string{
		"think_ms = 1\nthinck_ms = 2":          "quirks.toml:2: no such quirk: thinck_ms",
		"title = 3":                            "quirks.toml:1:",
		"think_ms =":                           "quirks.toml:1:",
		"echo_delay_ms = -1":                   "negative",
		"queue = \"some\"":                     `queue = "some"`,
		"[[popup]]\nwhat = \"dialog\"":         `popup.on = ""`,
		"[[popup]]\nwhat = \"d\"\non = \"at\"": `popup.what = "d"`,
		"[[popup]]\nwhat = \"menu\"\non = \"at\"\nafter = 1": "no such quirk: popup.after",
		"[[popup]]\nwhat=\"menu\"\non=\"paste\"\ndelay_ms=3": "takes no delay_ms",
		"[[popup]]\nwhat=\"menu\"\non=\"paste\"\nnth=-3":     "nth is 1 or more",
	} {
		file := filepath.Join(t.TempDir(), "quirks.toml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadQuirks(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
