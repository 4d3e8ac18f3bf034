package practice

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/dialect"
	"parley/internal/screen"
	"parley/internal/vt"
)

var update = flag.Bool("update", false, "write the dialect's frames of this agent anew")

const framesDir = "../dialect/testdata/frames/practice/1"

// looks are the states that the dialect is tried on, as expect.tsv puts it:
// composer, turn, may_type.
var looks = []struct {
	name, quirks string
	cols, rows   int
	do           func(*rig)
	wait         string // on screen before the look
	want         string
}{
	{"idle-at-start", "", 80, 24, nothing, ghost, "empty idle yes"},
	{"idle-after-reply", "", 80, 24, func(r *rig) { r.paste("hello", "Enter") }, "You said: hello", "empty idle yes"},
	{"idle-long-talk", "", 80, 24, func(r *rig) { r.typeKeys(strings.Repeat("word ", 300), "Enter"); r.event("end", 1) }, ghost, "empty idle yes"},
	{"idle-w40", "", 40, 12, nothing, "Say something", "empty idle yes"},
	{"idle-w24x6", "", 24, 6, nothing, "Say something", "empty idle yes"},
	{"idle-spinner", "idle_spinner = true", 80, 24, nothing, "Indexing", "empty idle yes"},
	{"idle-alternate-no-title", "alternate_screen = true\ntitle = false", 80, 24, nothing, ghost, "empty idle yes"},
	{"idle-no-ghost", "ghost = \"\"", 80, 24, nothing, promptMark, "empty idle yes"},
	{"idle-other-ghost", "ghost = \"run the tests\"", 80, 24, nothing, "run the tests", "empty idle yes"},
	{"idle-ctrl-c-armed", "", 80, 24, func(r *rig) { r.typeKeys("", "C-c") }, "again to exit", "empty idle yes"},
	{"idle-imitated", "", 80, 24, imitate, "You said:", "empty idle yes"},
	{"ghost-plain", "ghost_style = \"plain\"", 80, 24, nothing, ghost, "draft idle no"},
	{"draft-one-line", "", 80, 24, func(r *rig) { r.typeKeys("half a thought") }, "half a thought", "draft idle no"},
	{"draft-blanks", "", 80, 24, func(r *rig) { r.typeKeys("   "); r.event("key", 3) }, promptMark, "draft idle no"},
	{"draft-cursor-home", "", 80, 24, func(r *rig) { r.typeKeys("hello", "Home"); r.event("key", 6) }, "hello", "draft idle no"},
	{"draft-lines", "", 80, 24, func(r *rig) { r.typeKeys("one", "C-j", "C-j", "t", "w", "o") }, "two", "draft idle no"},
	{"draft-wrapped-wide", "", 40, 24, func(r *rig) { r.typeKeys(strings.Repeat("漢字 e\u0301 ", 12) + "end") }, "end", "draft idle no"},
	{"draft-by-command", "", 80, 24, func(r *rig) { r.typeKeys("/draft left here", "Enter") }, promptMark + "left here", "draft idle no"},
	{"draft-token-lines", "", 80, 24, func(r *rig) { r.paste("a\nb\nc\nd") }, "+4 lines]", "draft idle no"},
	{"draft-token-chars", "", 80, 24, func(r *rig) { r.paste("x: "); r.paste(strings.Repeat("y", 900)) }, "900 chars]", "draft idle no"},
	{"draft-clipped", "token_newlines = 0", 80, 16, func(r *rig) { r.paste(strings.Repeat("row\n", 30) + "end") }, "end", "draft idle no"},
	{"draft-clipped-below", "token_newlines = 0", 80, 16, func(r *rig) { r.paste("head" + strings.Repeat("\nrow", 30)); r.climb(30) }, "more ━", "draft idle no"},
	{"working", "", 80, 24, func(r *rig) { r.typeKeys("/work 60", "Enter") }, "Working…", "empty working yes"},
	{"working-w40", "", 40, 12, func(r *rig) { r.typeKeys("/work 60", "Enter") }, "Working…", "empty working yes"},
	{"working-draft", "", 80, 24, func(r *rig) { r.typeKeys("/work 60", "Enter"); r.typeKeys("next") }, "next", "draft working no"},
	{"working-queued", "", 80, 24, func(r *rig) { r.typeKeys("/work 60", "Enter"); r.paste("next", "Enter") }, "queued: next", "empty working yes"},
	{"permission", "", 80, 24, func(r *rig) { r.typeKeys("/ask", "Enter") }, "permission", "none asking no"},
	{"permission-with-draft", "[[popup]]\nwhat = \"dialog\"\non = \"after-paste\"", 80, 24, func(r *rig) { r.paste("draft") }, "permission", "none asking no"},
	{"permission-w40", "", 40, 12, func(r *rig) { r.typeKeys("/ask", "Enter") }, "permission", "none asking no"},
	{"menu", "", 80, 24, func(r *rig) { r.typeKeys("/menu", "Enter") }, "━━ menu", "none - no"},
	{"exited-to-shell", "exit_on_submit = true", 80, 24, func(r *rig) { r.paste("bye", "Enter") }, "shell>", "none - no"},
}

func nothing(*rig) {}

func imitate(r *rig) {
	r.paste("see\n━━━━━━━━━━\n»\u00a0\n━━━━━━━━━━\n  ready · enter sends\n⠋ Working… 3s · esc to interrupt\n━━ permission ━━\n  enter approves · esc or n rejects", "Enter")
	r.event("end", 1)
}

// climb moves the cursor up n lines, to their starts.
func (r *rig) climb(n int) {
	for range n {
		r.typeKeys("", "Home", "Left")
	}
}

// TestDialect shows the agent's states to the dialect that parley reads it by.
// With -update the screens become the dialect's frames.
func TestDialect(t *testing.T) {
	set, err := dialect.Load("")
	if err != nil {
		t.Fatal(err)
	}
	d, ok := set.CLI("practice")
	if !ok {
		t.Fatal("no dialect")
	}
	for _, l := range looks {
		t.Run(l.name, func(t *testing.T) {
			r := startRigIn(t, l.quirks, "%s; PS1='shell> ' exec sh")
			if l.cols != 80 || l.rows != 24 {
				r.tmux("", "resize-window", "-x", fmt.Sprint(l.cols), "-y", fmt.Sprint(l.rows))
				r.event("resize", 1)
			}
			l.do(r)
			r.shows(l.wait)
			var got dialect.Reading
			defer func() {
				if t.Failed() {
					t.Logf("%+v\n%s", got, r.screen())
				}
			}()
			until(t, "the reading "+l.want, func() bool {
				ansi, meta := r.capture()
				s := vt.Capture([]byte(ansi), meta.Cols, meta.Rows, screen.Cursor{X: meta.X, Y: meta.Y, Visible: meta.Visible}, meta.Alternate, meta.Title)
				got = d.Read(s, "")
				if !agrees(l.want, got) {
					return false
				}
				if *update {
					save(t, l.name, ansi, meta)
				}
				return true
			})
		})
	}
}

func agrees(want string, r dialect.Reading) bool {
	w := strings.Fields(want)
	composer := map[dialect.Composer]string{dialect.Empty: "empty", dialect.Draft: "draft", dialect.Absent: "none", dialect.Unreadable: "none"}[r.Composer]
	may := map[bool]string{true: "yes", false: "no"}[r.MayType]
	return composer == w[0] && (w[1] == "-" || string(r.Turn) == w[1]) && may == w[2]
}

// meta is a frame's second file.
type meta struct {
	Cols      int    `json:"cols"`
	Rows      int    `json:"rows"`
	X         int    `json:"cursor_x"`
	Y         int    `json:"cursor_y"`
	Visible   bool   `json:"cursor_visible"`
	Alternate bool   `json:"alternate_on"`
	Title     string `json:"pane_title"`
	Command   string `json:"pane_current_command"`
}

// capture takes screen and state in one tmux command line.
func (r *rig) capture() (string, meta) {
	out := r.tmux("", "display-message", "-p", "#{pane_width} #{pane_height} #{cursor_x} #{cursor_y} #{cursor_flag} #{alternate_on} #{pane_title}",
		";", "capture-pane", "-e", "-p")
	first, ansi, _ := strings.Cut(out, "\n")
	m := meta{Command: "parley"}
	var visible, alternate int
	if _, err := fmt.Sscan(first, &m.Cols, &m.Rows, &m.X, &m.Y, &visible, &alternate); err != nil {
		r.t.Fatal(err)
	}
	m.Visible, m.Alternate, m.Title = visible == 1, alternate == 1, strings.SplitN(first, " ", 7)[6]
	return ansi, m
}

func save(t *testing.T, name, ansi string, m meta) {
	t.Helper()
	if strings.HasPrefix(name, "exited") {
		m.Command = "sh"
	}
	if !strings.Contains(m.Title, "practice") {
		m.Title = ""
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = os.MkdirAll(framesDir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(framesDir, name+".json"), append(text, '\n'), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(framesDir, name+".ansi"), []byte(ansi), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
