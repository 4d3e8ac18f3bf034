package dial

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"parley/internal/term"
)

func TestTo(t *testing.T) {
	for _, bad := range []term.Target{
		{},
		{Driver: "screen", Socket: "/tmp/s", Pane: "%1"},
		{Driver: "tmux", Socket: "/tmp/s", Pane: "one:0"},
		{Driver: "tmux", Pane: "%1"},
		{Driver: "host", Socket: "/tmp/s", Pane: "%1"},
		{Driver: "host", Socket: "s", Pane: "abcdefgh"},
	} {
		if line, err := To(bad); err == nil || line != nil {
			t.Errorf("%+v was dialled", bad)
		}
	}
	for driver, pane := range map[string]string{"tmux": "%1", "host": "abcdefgh"} {
		line, err := To(term.Target{Driver: driver, Socket: filepath.Join(t.TempDir(), "none"), Pane: pane})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := line.Look(t.Context()); !errors.Is(err, term.ErrNoPane) {
			t.Errorf("look: %v", err)
		}
		if _, _, err := line.Hold(t.Context()); !errors.Is(err, term.ErrNoPane) {
			t.Errorf("hold: %v", err)
		}
	}
}

// G4: two lines to one pane are one target.
func TestOneWriterPerTarget(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	dir, err := os.MkdirTemp("", "pd")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	at := term.Target{Driver: "tmux", Socket: filepath.Join(dir, "s"), Pane: "%0"}
	cmd := exec.Command("tmux", "-u", "-S", at.Socket, "-f", "/dev/null", "new-session", "-d", "-P", "-F", "#{pid}", "sleep 100")
	cmd.Env = append(os.Environ(), "TMUX=", "HOME="+dir)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGTERM)
	os.Symlink(dir, dir+"/alias")
	alias := at
	alias.Socket = filepath.Join(dir, "alias", "s")
	one, err1 := To(at)
	two, err2 := To(alias)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	line, release, err := one.Hold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := line.Look(t.Context()); err != nil {
		t.Error(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := two.Hold(over); !errors.Is(err, term.ErrLocked) {
		t.Errorf("the second writer: %v", err)
	}
	release()
	_, release, err = two.Hold(over)
	if err != nil {
		t.Fatalf("after the first: %v", err)
	}
	release()
}
