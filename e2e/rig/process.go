package rig

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// livingIn lists the processes whose HOME is dir or below it. It finds none where there
// is no /proc.
func livingIn(dir string) []int {
	var pids []int
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environs {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, kv := range bytes.Split(data, []byte{0}) {
			home, ok := strings.CutPrefix(string(kv), "HOME=")
			if ok && (home == dir || strings.HasPrefix(home, dir+"/")) {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// stop ends the processes and waits until they are gone: SIGTERM first, SIGKILL after
// 2 s.
func stop(tb testing.TB, pids []int) {
	signal := syscall.SIGTERM
	for begin := time.Now(); len(pids) > 0; time.Sleep(20 * time.Millisecond) {
		var left []int
		for _, pid := range pids {
			if syscall.Kill(pid, signal) == nil && !zombie(pid) {
				left = append(left, pid)
			}
		}
		pids = left
		if time.Since(begin) > 2*time.Second {
			signal = syscall.SIGKILL
		}
		if time.Since(begin) > 10*time.Second {
			tb.Errorf("rig: processes %v do not end", pids)
			return
		}
	}
}

func zombie(pid int) bool {
	stat := statFields(pid)
	return len(stat) > 0 && stat[0] == "Z"
}

// statFields are the fields of /proc/PID/stat after the command: state, parent, group,
// session, tty, foreground group, …
func statFields(pid int) []string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	i := bytes.LastIndexByte(data, ')')
	if i < 0 {
		return nil
	}
	return strings.Fields(string(data[i+1:]))
}

// foreground is the group that has the terminal of process pid; 0 where none is known.
func foreground(pid int) int {
	stat := statFields(pid)
	if len(stat) < 6 {
		return 0
	}
	group, _ := strconv.Atoi(stat[5])
	return max(group, 0)
}
