package proc

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// until looks again and again for up to ten seconds.
func until(t *testing.T, what string, look func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if look() {
			return
		}
	}
	t.Fatalf("never happened: %s", what)
}

// shell is an interactive shell with job control on a terminal of its own.
type shell struct {
	*os.File
	pid int
	tty string
}

func startShell(t *testing.T) shell {
	t.Helper()
	cmd := exec.Command("bash", "--norc", "--noprofile", "-i")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PARLEY_MARK=here", "TERM=dumb"}
	cmd.Dir = t.TempDir()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	name := slave.Name()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	slave.Close()
	go func() { // what the shell prints is not read by anybody else
		for b := make([]byte, 4096); ; {
			if _, err := master.Read(b); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		master.Close()
	})
	return shell{master, cmd.Process.Pid, name}
}

func TestForegroundAndSuspended(t *testing.T) {
	sh := startShell(t)
	until(t, "the shell reads keys itself", func() bool { line, err := Canonical(sh.tty); return err == nil && !line })
	if p, err := Leader(sh.pid); err != nil || p.PID != sh.pid {
		t.Fatalf("the shell has the keys: %+v %v", p, err)
	}
	if jobs, err := Background(sh.pid); err != nil || len(jobs) != 0 {
		t.Fatalf("no jobs yet: %+v %v", jobs, err)
	}

	sh.WriteString("sleep 300 | sleep 301\n")
	var group []Process
	until(t, "two programs have the keys", func() bool {
		group, _ = Foreground(sh.pid)
		return len(group) == 2 && group[0].Comm == "sleep" && group[1].Comm == "sleep"
	})
	lead, err := Leader(sh.pid)
	if err != nil || !lead.Same(group[0]) || lead.PID != lead.PGID || !slices.Equal(lead.Argv, []string{"sleep", "300"}) {
		t.Errorf("leader %+v %v", lead, err)
	}
	if line, err := Canonical(sh.tty); err != nil || !line {
		t.Errorf("a plain program reads lines: %v %v", line, err)
	}

	sh.WriteString("\x1a")
	var stopped []Process
	until(t, "both are stopped", func() bool { stopped, _ = Suspended(sh.pid); return len(stopped) == 2 })
	if front, err := Foreground(sh.pid); err != nil || len(front) != 1 || front[0].PID != sh.pid {
		t.Errorf("the shell has the keys again: %+v %v", front, err)
	}
	sh.WriteString("bg\n")
	until(t, "both run in the background", func() bool {
		stopped, _ := Suspended(sh.pid)
		jobs, _ := Background(sh.pid)
		return len(stopped) == 0 && len(jobs) == 2
	})
	sh.WriteString("kill %1\n")
	until(t, "they are gone", func() bool { _, err := Read(lead.PID); return errors.Is(err, ErrNone) })
}

func TestWhatIsKnownOfAProcess(t *testing.T) {
	sh := startShell(t)
	p, err := Read(sh.pid)
	if err != nil {
		t.Fatal(err)
	}
	if p.PPID != Self() || filepath.Base(p.Exe) != "bash" || p.Start == "" || p.TTY == 0 {
		t.Errorf("%+v", p)
	}
	if v, ok := Env(sh.pid, "PARLEY_MARK"); v != "here" || !ok {
		t.Errorf("environment: %q %v", v, ok)
	}
	if _, ok := Env(sh.pid, "PARLEY"); ok {
		t.Error("half a variable's name was found")
	}
	if dir, err := Cwd(sh.pid); err != nil || filepath.Base(filepath.Dir(dir)) == "" || dir == "" {
		t.Errorf("%q %v", dir, err)
	}
	if files, err := OpenFiles(sh.pid); err != nil || !slices.Contains(files, sh.tty) {
		t.Errorf("%q %v", files, err)
	}
	up := Ancestors(sh.pid)
	if len(up) == 0 || up[0].PID != Self() || up[len(up)-1].PPID != 0 {
		t.Errorf("%+v", up)
	}
	again, _ := Read(sh.pid)
	if !again.Same(p) {
		t.Error("two looks at one process differ")
	}
	if me, _ := Read(Self()); me.Same(p) || me.Start == p.Start {
		t.Error("two processes look alike")
	}
}

func TestNoProcess(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(cmd.Process.Pid); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
	if _, err := Foreground(cmd.Process.Pid); !errors.Is(err, ErrNone) {
		t.Errorf("got %v", err)
	}
	if _, err := OpenTTY(filepath.Join(t.TempDir(), "x")); err == nil {
		t.Error("opened nothing")
	}
	if _, err := Canonical("proc.go"); err == nil {
		t.Error("a file is no terminal")
	}
}

func BenchmarkLeader(b *testing.B) {
	for b.Loop() {
		Leader(Self())
	}
}

func BenchmarkForeground(b *testing.B) {
	for b.Loop() {
		list(func(Process) bool { return false })
	}
}
