package roster

import (
	"strings"
	"syscall"
	"testing"

	"parley/internal/proc"
)

// TestLives: only the very process, started as it was, is a live one; a process
// that has ended and one that became another program are not.
func TestLives(t *testing.T) {
	place := onTTY(t, `exec -a mycli bash -c 'trap "exec -a other sleep 100" USR1; echo; while :; do sleep 0.02; done'`)
	a := found(t, mine(t), place)
	until(t, "it is what it will be", func() bool { a = found(t, mine(t), place); return len(a.Proc.Argv) == 3 && Lives(a.Identity) })
	for name, other := range map[string]string{
		"nobody":            "",
		"no pid":            "1@2 %3 pane=4 /dev/pts/x agent=",
		"another pid":       strings.Replace(a.Identity, " agent=", " agent=9", 1),
		"another start":     strings.Replace(a.Identity, "@"+a.Proc.Start+" ", "@"+a.Proc.Start+"0 ", 1),
		"another argv":      strings.Replace(a.Identity, " argv=", " argv=0", 1),
		"cut in the middle": a.Identity[:strings.Index(a.Identity, " argv=")],
	} {
		if Lives(other) {
			t.Errorf("%s: %q lives", name, other)
		}
	}
	stopped := func(p proc.Process) bool { return p.State == 'T' }
	syscall.Kill(a.Proc.PID, syscall.SIGSTOP)
	until(t, "stopped", func() bool { p, err := proc.Read(a.Proc.PID); return err == nil && stopped(p) })
	if !Lives(a.Identity) {
		t.Error("one that is stopped has not ended")
	}
	syscall.Kill(a.Proc.PID, syscall.SIGCONT)
	syscall.Kill(a.Proc.PID, syscall.SIGUSR1)
	until(t, "another program in its process", func() bool { return !Lives(a.Identity) })

	place = onTTY(t, `exec -a mycli sleep 100`)
	a = found(t, mine(t), place)
	until(t, "it lives", func() bool { a = found(t, mine(t), place); return Lives(a.Identity) })
	syscall.Kill(a.Proc.PID, syscall.SIGKILL)
	until(t, "it has ended, and nobody has asked how", func() bool { return !Lives(a.Identity) })
}
