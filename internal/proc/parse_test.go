package proc

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParseStat(t *testing.T) {
	p, err := parseStat(fixture(t, "linux.stat"), "91d05191") // captured, Linux 6.18
	if err != nil {
		t.Fatal(err)
	}
	if p.PID != 19983 || p.Comm != "cp" || p.State != 'R' || p.PPID != 18848 || p.PGID != 18848 || p.TTY != 0 || p.TPGID != -1 || p.Start != "91d05191-166620" {
		t.Errorf("got %+v", p)
	}
	p, err = parseStat(fixture(t, "linux-odd-name.stat"), "b")
	if err != nil {
		t.Fatal(err)
	}
	if p.Comm != "a) b (c)\n" || p.State != 'T' || p.TTY != 34817 || p.TPGID != 4000 || p.Start != "b-98765" {
		t.Errorf("a name with parentheses: %+v", p)
	}
}

func TestParseStatCutOff(t *testing.T) {
	whole := fixture(t, "linux.stat")
	for n := range len(whole) {
		if _, err := parseStat(whole[:n], "b"); err == nil {
			t.Errorf("%q was taken for a stat", whole[:n])
		}
	}
}

func TestParseList(t *testing.T) {
	if got := parseList([]byte("node\x00\x00-p\x00")); !slices.Equal(got, []string{"node", "", "-p"}) {
		t.Errorf("%q", got)
	}
	if got := parseList(nil); got != nil {
		t.Errorf("a kernel thread's command line: %q", got)
	}
	if v, ok := lookup([]string{"AB=1", "A=2=3", "A=4"}, "A"); v != "2=3" || !ok {
		t.Errorf("%q %v", v, ok)
	}
}

// The fixtures of macOS were written after XNU's headers, not captured.
func TestParseArgs(t *testing.T) {
	exe, argv, env, err := parseArgs(fixture(t, "xnu.procargs2"))
	if err != nil {
		t.Fatal(err)
	}
	if exe != "/opt/homebrew/bin/node" || !slices.Equal(argv, []string{"node", "/opt/homebrew/bin/gemini", ""}) {
		t.Errorf("%q %q", exe, argv)
	}
	if !slices.Equal(env, []string{"HOME=/Users/ann", "TERM=tmux-256color", "LANG=de_DE.UTF-8"}) {
		t.Errorf("%q", env)
	}
}

func FuzzParseArgs(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00/bin/sh\x00\x00sh\x00A=b\x00"))
	f.Add([]byte("\xff\xff\xff\x7f/bin/sh\x00\x00sh\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { parseArgs(b) })
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("1 (x) R 0 0 0 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 9\n"))
	f.Fuzz(func(t *testing.T, b []byte) { parseStat(b, "") })
}

func TestParseVnodePath(t *testing.T) {
	b := fixture(t, "xnu.vnodepath")
	if got, err := parsePath(b, 0); got != "/Users/ann/src/parley" || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if _, err := parsePath(b[:vnodePath-1], 0); err == nil {
		t.Error("a cut-off path was taken")
	}
	var fds []byte
	for _, fd := range [][2]uint32{{0, 1}, {5, 2}, {7, 1}} { // 2 is a socket
		fds = binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32(fds, fd[0]), fd[1])
	}
	if got := parseFDs(fds); !slices.Equal(got, []int32{0, 7}) {
		t.Errorf("%v", got)
	}
	if got := stateOf(4); got != 'T' {
		t.Errorf("stopped is %c", got)
	}
}
