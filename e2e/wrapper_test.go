package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// wrapper stands before tmux on a sender's PATH and does something at its n-th
// call, or at its n-th call of one kind: the way to stop or fail a sender at each
// step of its walk without a hook in the program.
type wrapper struct {
	s   *stage
	dir string
	on  string // only calls whose arguments hold this are counted; "" = all
}

// The things a wrapper can do at its call.
const (
	killBefore = "kill-before" // SIGKILL the sender, the call is never made
	killAfter  = "kill-after"  // make the call, then SIGKILL the sender
	failBefore = "fail-before" // exit 1, the call is never made
	failAfter  = "fail-after"  // make the call, print nothing, exit 1
	runFirst   = "run-first"   // run $W_RUN, then make the call
	runLast    = "run-last"    // make the call, then run $W_RUN
)

// The calls that touch a terminal, by what their arguments hold.
const (
	onPaste = "paste-buffer"
	onKey   = "send-keys -t"
)

const wrapperScript = `#!/bin/sh
case "$*" in *"$W_ON"*) ;; *) exec "$W_TMUX" "$@" ;; esac
n=$(($(cat "$W_DIR/n") + 1)); echo $n > "$W_DIR/n"
[ "$n" = "$W_AT" ] || exec "$W_TMUX" "$@"
case $W_MODE in
kill-before) kill -9 $PPID; exit 1 ;;
kill-after) out=$("$W_TMUX" "$@"); kill -9 $PPID; exit 1 ;;
fail-before) exit 1 ;;
fail-after) "$W_TMUX" "$@" >/dev/null 2>&1; exit 1 ;;
run-first) sh -c "$W_RUN" >/dev/null 2>&1 </dev/null; exec "$W_TMUX" "$@" ;;
run-last) "$W_TMUX" "$@"; code=$?; sh -c "$W_RUN" >/dev/null 2>&1 </dev/null; exit $code ;;
esac
`

func (s *stage) wrapper() *wrapper {
	s.Helper()
	dir, err := os.MkdirTemp(s.rig.Dir(), "wrap")
	if err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte(wrapperScript), 0o755); err != nil {
		s.Fatal(err)
	}
	return &wrapper{s: s, dir: dir}
}

// only is the same wrapper, which counts some calls only.
func (w wrapper) only(on string) *wrapper {
	w.on = on
	return &w
}

// command is parley behind the wrapper, which acts at its call number at.
func (w *wrapper) command(at int, mode, run string, args ...string) *exec.Cmd {
	w.s.Helper()
	c := w.s.command(args...)
	c.Env = w.s.env(w.env(at, mode, run)...)
	return c
}

// env puts the wrapper before tmux, and begins to count.
func (w *wrapper) env(at int, mode, run string) []string {
	w.s.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, "n"), []byte("0"), 0o600); err != nil {
		w.s.Fatal(err)
	}
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		w.s.Fatal(err)
	}
	return []string{"PATH=" + w.dir + ":/usr/local/bin:/usr/bin:/bin", "W_DIR=" + w.dir, "W_AT=" + strconv.Itoa(at),
		"W_MODE=" + mode, "W_RUN=" + run, "W_TMUX=" + tmux, "W_ON=" + w.on}
}

// calls is how many calls of tmux the last command made.
func (w *wrapper) calls() int {
	b, _ := os.ReadFile(filepath.Join(w.dir, "n"))
	n, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	return n
}
