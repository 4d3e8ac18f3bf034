package dialect

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/screen"
	"parley/internal/vt"
)

// frame is one capture of a real CLI, with what a correct reading says of it:
// composer empty, draft or none; turn; may_type yes or no; "-" is not judged.
type frame struct {
	cli, version, state     string
	composer, turn, mayType string
	screen                  screen.Screen
}

func (f frame) String() string { return f.cli + "/" + f.version + "/" + f.state }

// cliVersion is the CLI's version; the folder of Pi's old package has a prefix.
func (f frame) cliVersion() string { return strings.TrimPrefix(f.version, "mario-") }

var frames = sync.OnceValues(loadFrames)

func loadFrames() ([]frame, error) {
	file, err := os.Open("testdata/frames/expect.tsv")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all []frame
	for lines := bufio.NewScanner(file); lines.Scan(); {
		c := strings.Split(lines.Text(), "\t")
		if c[0] == "cli" || strings.HasPrefix(c[0], "#") {
			continue
		}
		f := frame{cli: c[0], version: c[1], state: c[2], composer: c[3], turn: c[4], mayType: c[5]}
		if f.screen, err = readFrame(filepath.Join("testdata/frames", f.cli, f.version, f.state)); err != nil {
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

// wrong says in what a reading differs from its frame's label, or "".
func (f frame) wrong(r Reading) string {
	composer := map[Composer]string{Empty: "empty", Draft: "draft", Absent: "none", Unreadable: "none"}[r.Composer]
	may := map[bool]string{true: "yes", false: "no"}[r.MayType]
	switch {
	case f.composer != "-" && composer != f.composer:
		return "composer " + composer + ", not " + f.composer
	case f.turn != "-" && string(r.Turn) != f.turn:
		return "turn " + string(r.Turn) + ", not " + f.turn
	case f.mayType != "-" && may != f.mayType:
		return "may_type " + may + ", not " + f.mayType
	}
	return ""
}

// argued are labels of expect.tsv that the frame itself contradicts; the value
// says why. They are checked as amended here.
var argued = map[string]struct{ turn, mayType, why string }{
	"claude/2.0.20/idle-after-reply": {"working", "yes",
		"row 14 is the live spinner, · Herding… (esc to interrupt): the reply has not come yet"},
	"claude/2.1.332/overlay-mcp-overlay": {"idle", "yes",
		"no overlay: with no server loaded /mcp printed a line and closed, the box is the idle one to the last cell"},
	"pi/1.6.0/busy-thinking-0.5s": {"idle", "yes",
		"nothing of the turn is drawn yet, the screen is the idle one to the last cell: a screen cannot say working here"},
}

func (f frame) amended() frame {
	if a, ok := argued[f.String()]; ok {
		f.turn, f.mayType = a.turn, a.mayType
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
			for _, version := range []string{f.cliVersion(), ""} {
				r := d.Read(f.screen, version)
				if w := f.wrong(r); w != "" {
					t.Errorf("version %q: %s\n%+v", version, w, r)
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
