package proc

import (
	"os/exec"
	"testing"
)

// TestBusy tells a program that computes from one that waits.
func TestBusy(t *testing.T) {
	run := func(line string) int {
		cmd := exec.Command("sh", "-c", line)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
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
	if Busy(0) {
		t.Error("no process is busy")
	}
}
