package term

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"parley/internal/screen"
)

// Every key that may ever be asked for, by what it is for. Escape and most Ctrl
// keys cancel turns or end programs, and a name that a terminal does not know
// can be typed letter by letter: neither can be asked for.
var (
	submitKeys = regexp.MustCompile(`^([CMS]-){0,3}(Enter|Tab)$`)
	clearKeys  = regexp.MustCompile(`^C-u$`)
)

// Submits reports whether Press may give a key.
func Submits(k Key) bool { return submitKeys.MatchString(string(k)) }

// Clears reports whether Clear may give a key.
func Clears(k Key) bool { return clearKeys.MatchString(string(k)) }

// Plain refuses what could act as a key or end the bracketed paste. Callers
// clean their texts; this is the last place where it can be made sure.
func Plain(text string) error {
	if text == "" {
		return errors.New("nothing to paste")
	}
	if !utf8.ValidString(text) {
		return errors.New("the text is not UTF-8")
	}
	for _, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return fmt.Errorf("the text holds the control character %U", r)
		}
	}
	return nil
}

// AnchorRow finds the row on which the anchor stands, from 0. It must be one
// row alone: tmux tells of the first match only, so that a second one further
// up, or the first one's end, would go unseen.
func AnchorRow(s screen.Screen, anchor string) (int, error) {
	if anchor == "" || len(anchor) > 200 || strings.TrimSpace(anchor) != anchor {
		return 0, fmt.Errorf("%q cannot be an anchor", anchor)
	}
	for _, r := range anchor {
		if r < ' ' || r > '~' {
			return 0, fmt.Errorf("%q cannot be an anchor: not ASCII", anchor)
		}
	}
	row := -1
	for y := range s.Rows {
		if !strings.Contains(s.Row(y), anchor) {
			continue
		}
		if row >= 0 {
			return 0, fmt.Errorf("the anchor %q stands on rows %d and %d", anchor, row, y)
		}
		row = y
	}
	if row < 0 {
		return 0, fmt.Errorf("the anchor %q does not stand on the screen that was seen", anchor)
	}
	return row, nil
}
