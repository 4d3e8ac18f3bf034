package dialect

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/screen"
	"parley/internal/vt"
)

// frame is one capture of a real CLI with its labels.
type frame struct {
	cli, folder string
	Frame
}

func (f frame) String() string { return f.cli + "/" + f.folder + "/" + f.Name }

var frames = sync.OnceValues(loadFrames)

func loadFrames() ([]frame, error) {
	file, err := os.Open("testdata/frames/expect.tsv")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []frame
	var header []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		if c[0] == "cli" {
			header = c
			continue
		}
		f := frame{cli: c[0], folder: c[1]}
		if err := f.Label(header, c); err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		f.Version = strings.TrimPrefix(f.Version, "mario-") // the folder of Pi's old package
		if f.Screen, err = readFrame(filepath.Join("testdata/frames", f.String())); err != nil {
			return nil, err
		}
		all = append(all, f.amended())
	}
	return all, nil
}

func readFrame(base string) (screen.Screen, error) {
	ansi, err := os.ReadFile(base + ".ansi")
	if err != nil {
		return screen.Screen{}, err
	}
	meta, err := os.ReadFile(base + ".json")
	if err != nil {
		return screen.Screen{}, err
	}
	var m struct {
		Cols, Rows int
		X          int    `json:"cursor_x"`
		Y          int    `json:"cursor_y"`
		Visible    bit    `json:"cursor_visible"`
		Alternate  bit    `json:"alternate_on"`
		Title      string `json:"pane_title"`
	}
	if err := json.Unmarshal(meta, &m); err != nil {
		return screen.Screen{}, err
	}
	cur := screen.Cursor{X: m.X, Y: m.Y, Visible: bool(m.Visible)}
	return vt.Capture(ansi, m.Cols, m.Rows, cur, bool(m.Alternate), m.Title), nil
}

// bit is true or 1.
type bit bool

func (f *bit) UnmarshalJSON(b []byte) error {
	*f = string(b) == "true" || string(b) == "1"
	return nil
}

func loaded(t testing.TB) Set {
	t.Helper()
	s, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cli(t testing.TB, s Set, name string) *Dialect {
	t.Helper()
	d, ok := s.CLI(name)
	if !ok {
		t.Fatalf("no dialect %q", name)
	}
	return d
}

// argued are labels of expect.tsv that the frame itself contradicts; the value
// says why. They are checked as amended here.
var argued = map[string]struct{ composer, turn, mayType, why string }{
	"claude/2.0.20/idle-after-reply": {"empty", "working", "yes",
		"row 14 is the live spinner, · Herding… (esc to interrupt): the reply has not come yet"},
	"claude/2.1.332/overlay-mcp-overlay": {"empty", "idle", "yes",
		"no overlay: with no server loaded /mcp printed a line and closed, the box is the idle one to the last cell"},
	"pi/1.6.0/busy-thinking-0.5s": {"empty", "idle", "yes",
		"nothing of the turn is drawn yet, the screen is the idle one to the last cell: a screen cannot say working here"},
	"qwen/0.24.4/busy-streaming-1.5s": {"empty", "idle", "yes",
		"the last answer is complete; no row of work, idle title, footer and box: the prompt named in the file is not there yet"},
	"qwen/0.24.4/idle-after-cancel": {"draft", "idle", "no",
		"the box holds SLOW6 cancel, the cancelled prompt put back, in the colour of text and with the cursor behind it"},
	"qwen/0.24.4/permission-mcp": {"empty", "idle", "yes",
		"no dialog: the answer ECHO[CALLMCP now] has come, title, box and footer are the idle ones"},
	"cline/3.0.65/permission-dialog-after-typing": {"empty", "idle", "yes",
		"the typed letters have approved the call: it has run (exit 127), TOOLDONE is answered, the box is back and empty"},
	"droid/0.215.0/question-dialog": {"empty", "idle", "yes",
		"no dialog: Ask User failed (Invalid AskUser parameters), TOOLDONE is answered, the box is back and empty"},
	"opencode/1.18.33/first-reply": {"empty", "working", "-",
		"no reply yet: the last row is the bar of work and esc interrupt, and no answer stands above it"},
}

func (f frame) amended() frame {
	if a, ok := argued[f.String()]; ok {
		f.Composer, f.Turn, f.MayType = a.composer, a.turn, a.mayType
	}
	return f
}

func TestFrames(t *testing.T) {
	all, err := frames()
	if err != nil {
		t.Fatal(err)
	}
	s := loaded(t)
	for _, f := range all {
		t.Run(f.String(), func(t *testing.T) {
			d := cli(t, s, f.cli)
			unknown := f.Frame
			unknown.Version = ""
			for _, j := range d.Judge([]Frame{f.Frame, unknown}) {
				r := j.Reading
				if j.Wrong != "" {
					t.Errorf("version %q: %s\n%+v", j.Version, j.Wrong, r)
				}
				if r.MayType && (r.Composer != Empty || r.Reason != "" || r.Draft != "") {
					t.Errorf("may type contradicts %+v", r)
				}
				if !r.MayType && r.Reason == "" {
					t.Errorf("no reason: %+v", r)
				}
			}
		})
	}
}
