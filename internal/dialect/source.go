package dialect

import (
	"fmt"
	"slices"
	"time"
)

// source is the shape of a file in data/: the keys, and nothing that Go code
// elsewhere would need to know. docs of each key stand with it.
type source struct {
	CLI    string   `toml:"cli"`
	Name   string   `toml:"name"`
	Status string   `toml:"status"`
	Tested []string `toml:"tested"`

	Submit struct {
		Key string `toml:"key"`
		// Before holds the keys of older versions: { "0.99" = "Enter" } is the
		// key of every version before 0.99.
		Before map[string]string `toml:"before"`
		// Working likewise holds those for while it works, where an older version
		// has one that queues and answers no dialog.
		Working     map[string]string `toml:"working"`
		Keeps       bool              `toml:"keeps"`
		Settle      duration          `toml:"settle"`
		AgainAfter  duration          `toml:"again_after"`
		AgainSource string            `toml:"again_source"`
	} `toml:"submit"`
	Clear struct {
		Key   string `toml:"key"`
		Seen  string `toml:"seen"`
		Since string `toml:"since"`
	} `toml:"clear"`
	Paste struct {
		Newlines int    `toml:"newlines"`
		Chars    int    `toml:"chars"`
		Unit     string `toml:"unit"`
		Limit    int    `toml:"limit"`
		OneLine  bool   `toml:"one_line"`
	} `toml:"paste"`
	Text struct {
		Trim      bool      `toml:"trim"`
		Tabs      int       `toml:"tabs"`
		NFC       bool      `toml:"nfc"`
		Strip     []string  `toml:"strip"`
		Invisible bool      `toml:"invisible"`
		Unwrap    []Pattern `toml:"unwrap"`
		Joins     string    `toml:"joins"`
	} `toml:"text"`
	Process struct {
		Exe       []string  `toml:"exe"`
		Argv      []Pattern `toml:"argv"`
		Not       []Pattern `toml:"not"`
		ConfigEnv string    `toml:"config_env"`
		ConfigDir string    `toml:"config_dir"`
	} `toml:"process"`
	Transcript struct {
		Sources []struct {
			By   string `toml:"by"`
			File string `toml:"file"`
			Key  string `toml:"key"`
			Path string `toml:"path"`
		} `toml:"source"`
		Prompts []prompt `toml:"prompt"`
		Queued  []prompt `toml:"queued"`
		Said    []prompt `toml:"said"`
		Skip    []prompt `toml:"skip"`
		Starts  []prompt `toml:"start"`
		Ends    []prompt `toml:"end"`
		Reply   struct {
			ID     string `toml:"id"`
			Parent string `toml:"parent"`
			Turn   string `toml:"turn"`
			Joins  string `toml:"joins"`
			Glue   string `toml:"glue"`
			Newest string `toml:"newest"`
		} `toml:"reply"`
	} `toml:"transcript"`
	State struct {
		File  string `toml:"file"`
		Start string `toml:"start"`
		Turns []struct {
			Where map[string]string `toml:"where"`
			Is    string            `toml:"is"`
		} `toml:"turn"`
	} `toml:"state"`
	Sender struct {
		Env    string  `toml:"env"`
		Daemon Pattern `toml:"daemon"`
	} `toml:"sender"`

	Tokens []token `toml:"token"`
	Boxes  []box   `toml:"box"`
	Below  below   `toml:"below"`
	Rules  []rule  `toml:"rule"`
}

type prompt struct {
	Where   map[string]string `toml:"where"`
	Text    string            `toml:"text"`
	Pattern Pattern           `toml:"pattern"`
	Steers  bool              `toml:"steers"`
	Joins   bool              `toml:"joins"`
	How     string            `toml:"how"` // of an end: done, stopped or failed
}

// duration is written "120ms".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// dialect checks what was read and makes a Dialect of it.
func (s *source) dialect(text []byte, file string) (*Dialect, error) {
	d, err := s.tables()
	if err == nil {
		err = d.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, lineOf(text, err), err)
	}
	d.File, d.text = file, text
	return d, nil
}

func (s *source) tables() (*Dialect, error) {
	switch {
	case s.CLI == "" || s.Name == "":
		return nil, ruleError{s.CLI, "cli and name are needed"}
	case s.Status != "proven" && s.Status != "unproven":
		return nil, ruleError{s.Status, "status is proven or unproven"}
	case !slices.Contains([]string{"", "rune", "utf16", "byte"}, s.Paste.Unit):
		return nil, ruleError{s.Paste.Unit, "unit is rune, utf16 or byte"}
	}
	d := &Dialect{CLI: s.CLI, Name: s.Name, Status: s.Status, Tested: s.Tested,
		boxes: s.Boxes, rules: s.Rules, below: s.Below, tokens: s.Tokens}
	d.Submit = Submit{s.Submit.Key, s.Submit.Before, s.Submit.Working, s.Submit.Keeps, time.Duration(s.Submit.Settle), time.Duration(s.Submit.AgainAfter), s.Submit.AgainSource}
	d.Clear = Clear(s.Clear)
	d.Paste = Paste{s.Paste.Newlines, s.Paste.Chars, s.Paste.Unit, s.Paste.Limit, s.Paste.OneLine}
	d.Text = Text{s.Text.Trim, s.Text.Tabs, s.Text.NFC, s.Text.Strip, s.Text.Invisible, s.Text.Unwrap, s.Text.Joins}
	d.Process = Process{s.Process.Exe, s.Process.Argv, s.Process.Not, s.Process.ConfigEnv, s.Process.ConfigDir}
	d.Sender = Sender{s.Sender.Env, s.Sender.Daemon}
	d.State = StateFile{File: s.State.File, Start: s.State.Start}
	for _, t := range s.State.Turns {
		if len(t.Where) == 0 || !slices.Contains([]Turn{Idle, Working, Asking}, Turn(t.Is)) {
			return nil, ruleError{t.Is, "a state has where, and is idle, working or asking"}
		}
		d.State.Turns = append(d.State.Turns, FileTurn{t.Where, Turn(t.Is)})
	}
	var err error
	d.Transcript, err = s.transcript()
	return d, err
}

func (s *source) transcript() (Transcript, error) {
	raw := s.Transcript
	t := Transcript{Reply: Reply(raw.Reply), Prompts: prompts(raw.Prompts), Queued: prompts(raw.Queued),
		Said: prompts(raw.Said), Skip: prompts(raw.Skip), Starts: prompts(raw.Starts)}
	for _, src := range raw.Sources {
		if !slices.Contains([]string{"pidfile", "fd", "recent"}, src.By) {
			return t, ruleError{src.By, "a source is found by pidfile, fd or recent"}
		}
		t.Sources = append(t.Sources, Source{src.By, src.File, src.Key, src.Path})
	}
	for _, e := range raw.Ends {
		if !slices.Contains([]End{Done, Stopped, Failed}, End(e.How)) {
			return t, ruleError{e.How, "a turn ends done, stopped or failed"}
		}
		t.Ends = append(t.Ends, Ending{e.prompt(), End(e.How)})
	}
	for _, p := range slices.Concat(raw.Prompts, raw.Queued, raw.Said, raw.Skip, raw.Starts, raw.Ends) {
		if len(p.Where) == 0 || p.Pattern.Set() && p.Text == "" {
			return t, ruleError{"transcript", "lines are picked by where, and a pattern needs a text"}
		}
	}
	return t, nil
}

// check refuses tables that could never do what they say.
func (d *Dialect) check() error {
	for i := range d.boxes {
		if err := d.boxes[i].check(); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for i := range d.rules {
		r := &d.rules[i]
		if err := r.check(); err != nil {
			return err
		}
		if seen[r.Class+"\x00"+r.Name] {
			return ruleError{r.Name, "the class " + r.Class + " has two rules of this name"}
		}
		seen[r.Class+"\x00"+r.Name] = true
	}
	for i := range d.tokens {
		if err := d.tokens[i].check(); err != nil {
			return err
		}
	}
	switch {
	case d.Clear.Key != "" && d.Clear.Key != "C-u":
		return ruleError{d.Clear.Key, "no such key takes text out of a box: C-u does"}
	case (d.Clear.Key == "") != (d.Clear.Seen == ""):
		return ruleError{"[clear]", "it has a key, and says where that was seen"}
	}
	if err := oneOf("bare", "bare", d.below.Bare, "always", "draft"); err != nil {
		return err
	}
	if err := d.checkSubmit(); err != nil {
		return err
	}
	if len(d.boxes) == 0 && d.Proven() {
		return ruleError{d.CLI, "no [[box]]: nothing could ever be typed"}
	}
	return nil
}

func prompts(ps []prompt) []Prompt {
	var out []Prompt
	for _, p := range ps {
		out = append(out, p.prompt())
	}
	return out
}

func (p prompt) prompt() Prompt { return Prompt{p.Where, p.Text, p.Pattern, p.Steers, p.Joins} }

func oneOf(name, key, value string, allowed ...string) error {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return ruleError{name, fmt.Sprintf("%s is one of %v, not %q", key, allowed, value)}
}
