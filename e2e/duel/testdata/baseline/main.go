// Command baseline is what the figures are measured against: the least that a
// program can do.
//
//	baseline append FILE TEXT   one write and one fsync, nothing else
//	baseline peak COMMAND…      runs a command and prints its peak memory in KiB
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func main() {
	var err error
	switch os.Args[1] {
	case "append":
		err = appendOnce(os.Args[2], os.Args[3])
	case "peak":
		err = peak(os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func appendOnce(path, text string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text + "\n"); err != nil {
		return err
	}
	return f.Sync()
}

// peak stands between a large test process and what it measures: a child's
// ru_maxrss begins with its parent's.
func peak(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	kib := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" {
		kib /= 1024 // bytes there
	}
	fmt.Println(kib)
	return nil
}
