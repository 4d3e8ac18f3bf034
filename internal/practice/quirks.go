package practice

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Millis is a duration in whole milliseconds, as quirks files write it.
type Millis int

// D is the duration.
func (m Millis) D() time.Duration { return time.Duration(m) * time.Millisecond }

// Quirks are the traps that the agent imitates. The zero value of each is "no
// such trap" unless Defaults says otherwise. QUIRKS.md says what was measured,
// on which CLI and version, and how often.
type Quirks struct {
	// Time.
	StartDelay   Millis `toml:"start_delay_ms"`    // the box is drawn, what arrives vanishes
	EchoDelay    Millis `toml:"echo_delay_ms"`     // a paste is taken at once, drawn later
	KeyEchoDelay Millis `toml:"key_echo_delay_ms"` // the same for a key
	EnterGuard   Millis `toml:"enter_guard_ms"`    // Enter this soon after a paste is a newline
	BurstGap     Millis `toml:"burst_gap_ms"`      // three keys closer than this are a burst
	BurstGuard   Millis `toml:"burst_guard_ms"`    // Enter this soon after a burst is a newline
	ClearDelay   Millis `toml:"clear_delay_ms"`    // the box is drawn empty this late after a submit
	TurnDelay    Millis `toml:"turn_delay_ms"`     // looks idle this long after a submit
	Think        Millis `toml:"think_ms"`          // from the turn's start to its answer
	RecordDelay  Millis `toml:"record_delay_ms"`   // the transcript lags behind the screen

	// The box.
	TokenNewlines int    `toml:"token_newlines"`  // a paste with this many newlines folds; 0 = never
	TokenChars    int    `toml:"token_chars"`     // a paste with more characters folds; 0 = never
	LiteralToken  bool   `toml:"literal_token"`   // Enter before the token is drawn sends the token itself
	LoseHead      int    `toml:"lose_head_bytes"` // this much of each paste's head vanishes
	LoseEnters    int    `toml:"lose_enters"`     // the first Enters of the session have no effect
	Ghost         string `toml:"ghost"`           // placeholder of an empty box; "" = none
	GhostStyle    string `toml:"ghost_style"`     // "dim", or "plain": only the cursor tells

	// Turns.
	Queue        string `toml:"queue"`          // typed while working: "each", "join", "lose"
	RestoreDraft bool   `toml:"restore_draft"`  // Escape puts the prompt, or the queue, back into the box
	Return       Millis `toml:"return_ms"`      // after a submit the turn ends and the text is a draft again; 0 = never
	ExitOnSubmit bool   `toml:"exit_on_submit"` // the program ends, its dead box stays on screen

	// Looks.
	AlternateScreen bool `toml:"alternate_screen"`
	IdleSpinner     bool `toml:"idle_spinner"` // something turns although it is idle
	Title           bool `toml:"title"`        // the title says the state

	Popups []Popup `toml:"popup"`
}

// Popup is a dialog or menu that opens by itself.
type Popup struct {
	What string `toml:"what"` // "dialog" or "menu"
	// On is the moment: "at" (counted from the start), "paste" (before the
	// paste is taken), "after-paste", "before-enter" (before Enter is acted on),
	// "after-enter" (after a submit), "signal" (SIGUSR1).
	On        string `toml:"on"`
	Delay     Millis `toml:"delay_ms"`      // from that moment to taking the keys
	DrawDelay Millis `toml:"draw_delay_ms"` // from taking the keys to being drawn
	Nth       int    `toml:"nth"`           // the moment's occurrence that counts, from 1
	Every     bool   `toml:"every"`         // and every later one
}

// Defaults are the quirks of the agent when it has no file.
func Defaults() Quirks {
	return Quirks{
		Think: 50, TokenNewlines: 3, TokenChars: 800, BurstGap: 8,
		Ghost: "Say something, or / for a command", GhostStyle: "dim",
		Queue: "each", Title: true,
	}
}

// LoadQuirks reads a quirks file over Defaults. A key that is not known, a
// value out of range or a word that is not one of a key's words is an error
// that names the file and, where known, the line.
func LoadQuirks(path string) (Quirks, error) {
	q := Defaults()
	data, err := os.ReadFile(path)
	if err != nil {
		return q, fmt.Errorf("read quirks: %w", err)
	}
	err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&q)
	var strict *toml.StrictMissingError
	var at *toml.DecodeError
	switch {
	case errors.As(err, &strict):
		row, _ := strict.Errors[0].Position()
		return q, fmt.Errorf("%s:%d: no such quirk: %s", path, row, strings.Join(strict.Errors[0].Key(), "."))
	case errors.As(err, &at):
		row, _ := at.Position()
		return q, fmt.Errorf("%s:%d: %w", path, row, err)
	case err != nil:
		return q, fmt.Errorf("%s: %w", path, err)
	}
	for i := range q.Popups {
		if q.Popups[i].Nth == 0 {
			q.Popups[i].Nth = 1
		}
	}
	if err := q.check(); err != nil {
		return q, fmt.Errorf("%s: %w", path, err)
	}
	return q, nil
}

func (q Quirks) check() error {
	for _, n := range []int{int(q.StartDelay), int(q.EchoDelay), int(q.KeyEchoDelay), int(q.EnterGuard), int(q.BurstGap),
		int(q.BurstGuard), int(q.ClearDelay), int(q.TurnDelay), int(q.Think), int(q.RecordDelay), int(q.Return),
		q.TokenNewlines, q.TokenChars, q.LoseHead, q.LoseEnters} {
		if n < 0 {
			return fmt.Errorf("%d: no quirk is negative", n)
		}
	}
	if err := oneOf("ghost_style", q.GhostStyle, "dim", "plain"); err != nil {
		return err
	}
	if err := oneOf("queue", q.Queue, "each", "join", "lose"); err != nil {
		return err
	}
	for _, p := range q.Popups {
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

func (p Popup) check() error {
	if err := oneOf("popup.what", p.What, "dialog", "menu"); err != nil {
		return err
	}
	if err := oneOf("popup.on", p.On, "at", "paste", "after-paste", "before-enter", "after-enter", "signal"); err != nil {
		return err
	}
	if p.Delay < 0 || p.DrawDelay < 0 || p.Nth < 1 {
		return errors.New("popup: delays are 0 or more, nth is 1 or more")
	}
	if p.Delay > 0 && (p.On == "paste" || p.On == "before-enter") {
		return fmt.Errorf("popup.on %q is the moment itself and takes no delay_ms", p.On)
	}
	return nil
}

func oneOf(key, got string, words ...string) error {
	for _, w := range words {
		if got == w {
			return nil
		}
	}
	return fmt.Errorf("%s = %q: want one of %q", key, got, words)
}
