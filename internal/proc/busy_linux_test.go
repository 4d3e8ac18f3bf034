package proc

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestBusy tells a program that computes from one that waits.
func TestBusy(t *testing.T) {
	run := func(line string) int {
		cmd := exec.Command("sh", "-c", line)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); cmd.Wait() })
		return cmd.Process.Pid
	}
	busy, idle := run("while :; do :; done"), run("exec sleep 100")
	until(t, "the one computes", func() bool { return Busy(busy) })
	until(t, "the other waits", func() bool { return !Busy(idle) })
	for range 20 {
		if !Busy(busy) {
			t.Error("a program that computes all the time is not busy")
		}
	}
	// A launcher that waits for itself, and one that waits for another program.
	again, tool := run(`sh -c "while :; do :; done"; true`), run(`bash -c "while :; do :; done"; true`)
	until(t, "the one below it computes", func() bool { return Busy(again) })
	until(t, "the other's tool computes", func() bool {
		kids, _ := os.ReadFile(in(tool, "task/"+strconv.Itoa(tool)+"/children"))
		n, _ := strconv.Atoi(strings.TrimSpace(string(kids)))
		p, err := Read(n)
		return err == nil && strings.HasSuffix(p.Exe, "/bash") && Busy(n)
	})
	until(t, "it waits for its tool", func() bool { return !computes(tool) })
	for range 20 {
		if Busy(tool) {
			t.Error("a program is busy because its tool is")
		}
	}
	if Busy(0) {
		t.Error("no process is busy")
	}
}
