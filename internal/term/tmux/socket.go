package tmux

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var paneShape = regexp.MustCompile(`^%(0|[1-9][0-9]{0,9})$`)

// ValidPane reports whether s is a pane's id such as "%3". Names and indexes
// are none: tmux matches them by prefix and follows the active pane.
func ValidPane(s string) bool { return paneShape.MatchString(s) }

// Socket finds a server's socket as tmux does: an explicit path or name (-S,
// -L), else $TMUX, else the default server. The server need not run. Links are
// resolved, so that one server has one path.
func Socket(explicit string) (string, error) {
	switch {
	case strings.Contains(explicit, "/"):
		return resolve(explicit)
	case explicit != "":
		return resolve(filepath.Join(folder(), explicit))
	}
	if path, _, _ := strings.Cut(os.Getenv("TMUX"), ","); path != "" {
		return resolve(path)
	}
	return resolve(filepath.Join(folder(), "default"))
}

// folder is $TMUX_TMPDIR/tmux-UID, or below /tmp if that is not set or is not
// there.
func folder() string {
	dir := os.Getenv("TMUX_TMPDIR")
	if _, err := os.Stat(dir); err != nil {
		dir = "/tmp"
	}
	return filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()))
}

func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("tmux socket %q: %w", path, err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	// No socket yet: its nearest folder that is there decides.
	dir, rest := filepath.Dir(abs), filepath.Base(abs)
	for len(dir) > 1 {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		}
		dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest)
	}
	return abs, nil
}
