//go:build linux

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// boot is the head of the kernel's boot id: start times count from boot.
var boot = sync.OnceValue(func() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(b[:min(8, len(b))])
})

func in(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

func stat(pid int) (Process, error) {
	b, err := os.ReadFile(in(pid, "stat"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		return Process{}, ErrNone
	}
	if err != nil {
		return Process{}, err
	}
	return parseStat(b, boot())
}

func read(pid int) (Process, error) {
	p, err := stat(pid)
	if err != nil {
		return Process{}, err
	}
	return describe(p), nil
}

// describe adds what costs more than stat.
func describe(p Process) Process {
	exe, _ := os.Readlink(in(p.PID, "exe"))
	// A program that was updated while it runs is still the same program.
	p.Exe = strings.TrimSuffix(exe, " (deleted)")
	args, _ := os.ReadFile(in(p.PID, "cmdline"))
	p.Argv = parseList(args)
	return p
}

// list walks all processes and describes those that want picks by their stat.
func list(want func(Process) bool) ([]Process, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var out []Process
	for _, n := range names {
		pid, err := strconv.Atoi(n)
		if err != nil {
			continue
		}
		if p, err := stat(pid); err == nil && want(p) {
			out = append(out, describe(p))
		}
	}
	slices.SortFunc(out, func(a, b Process) int { return a.PID - b.PID })
	return out, nil
}

// Busy reports whether a thread of pid computes, or waits for a processor or a
// disk; or one of its children that run the same program, and theirs: launchers
// start themselves anew and only wait. A process that cannot be seen is not busy.
func Busy(pid int) bool {
	if computes(pid) {
		return true
	}
	exe, err := os.Readlink(in(pid, "exe"))
	if err != nil {
		return false
	}
	children, _ := os.ReadFile(in(pid, "task/"+strconv.Itoa(pid)+"/children"))
	for _, child := range strings.Fields(string(children)) {
		n, _ := strconv.Atoi(child)
		if same, _ := os.Readlink(in(n, "exe")); same == exe && Busy(n) {
			return true
		}
	}
	return false
}

func computes(pid int) bool {
	threads, _ := filepath.Glob(in(pid, "task/[0-9]*/stat"))
	for _, path := range threads {
		b, _ := os.ReadFile(path)
		p, err := parseStat(b, "")
		if err == nil && (p.State == 'R' || p.State == 'D') {
			return true
		}
	}
	return false
}

// Env is a variable of the environment with which pid was started.
func Env(pid int, key string) (string, bool) {
	b, err := os.ReadFile(in(pid, "environ"))
	if err != nil {
		return "", false
	}
	return lookup(parseList(b), key)
}

// Cwd is the working folder of pid.
func Cwd(pid int) (string, error) {
	dir, err := os.Readlink(in(pid, "cwd"))
	if err != nil {
		return "", fmt.Errorf("working folder: %w", err)
	}
	return dir, nil
}

// OpenFiles lists the paths that pid has open: files and devices, each once.
func OpenFiles(pid int) ([]string, error) {
	fds, err := os.ReadDir(in(pid, "fd"))
	if err != nil {
		return nil, fmt.Errorf("open files: %w", err)
	}
	var out []string
	for _, fd := range fds {
		path, err := os.Readlink(in(pid, "fd/"+fd.Name()))
		if err == nil && strings.HasPrefix(path, "/") && !strings.HasSuffix(path, " (deleted)") {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

const (
	getTermios = unix.TCGETS
	getUnread  = unix.TIOCINQ
)
