package inbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley"
)

// TestMain lets the tests run this binary again as another process.
func TestMain(m *testing.M) {
	if role := os.Getenv("PARLEY_INBOX_ROLE"); role != "" {
		err := roles[role](Open(os.Getenv("PARLEY_INBOX")), os.Getenv("PARLEY_ARG"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var roles = map[string]func(b *Box, arg string) error{"write": writeMany, "limited": writeLimited, "nobody": writeAsNobody}

func child(b *Box, role, arg string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PARLEY_INBOX_ROLE="+role, "PARLEY_INBOX="+b.Path(), "PARLEY_ARG="+arg)
	return c
}

// writeMany posts messages "who n" until it has made as many as it is to, and
// prints each n when it is saved.
func writeMany(b *Box, arg string) error {
	who, count, _ := strings.Cut(arg, " ")
	n, _ := strconv.Atoi(count)
	for i := range n {
		m, dup, err := b.Post(parley.Message{From: parley.Name(who), To: "x", Body: fmt.Sprintf("%s %d %s", who, i, strings.Repeat("=", rand.IntN(9000)))})
		if err != nil || dup {
			return fmt.Errorf("post %s: dup %v %w", arg, dup, err)
		}
		if i%3 == 0 {
			err = b.Receipt(parley.Receipt{ID: m.ID, Outcome: parley.Submitted})
		}
		if err != nil {
			return err
		}
		fmt.Println(i)
	}
	return nil
}

// saved reads what each writer has saved, and fails if something is torn
// within, out of order or twice.
func saved(t *testing.T, b *Box) map[string]int {
	t.Helper()
	rep, err := b.Check()
	must(t, err)
	if rep.Wrong != "" || len(rep.Bad) > 0 {
		t.Fatalf("%+v", rep)
	}
	es, err := b.Last(1 << 30)
	must(t, err)
	next := map[string]int{}
	last := parley.ID("")
	for _, e := range es {
		var who, pad string
		var n int
		fmt.Sscan(e.Message.Body, &who, &n, &pad)
		if n != next[who] || e.Message.ID <= last {
			t.Fatalf("%s: message %d where %d is due; ids %s, %s", who, n, next[who], last, e.Message.ID)
		}
		next[who]++
		last = e.Message.ID
	}
	return next
}

// TestEightWriters: no process loses, mixes or reorders what it wrote.
func TestEightWriters(t *testing.T) {
	b := newBox(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if out, err := child(b, "write", fmt.Sprintf("w%d 60", i)).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	next := saved(t, b)
	for i := range 8 {
		if n := next[fmt.Sprintf("w%d", i)]; n != 60 {
			t.Errorf("writer %d: %d of 60", i, n)
		}
	}
}

// TestKilledWriters: what a process was told is saved is there, whenever it
// was killed, and it leaves no lock.
func TestKilledWriters(t *testing.T) {
	b := newBox(t)
	told := map[string]int{}
	for round := range 10 {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for i := range 4 {
			wg.Go(func() {
				who := fmt.Sprintf("r%dw%d", round, i)
				n := killed(b, who)
				mu.Lock()
				told[who] = n
				mu.Unlock()
			})
		}
		wg.Wait()
	}
	start := time.Now()
	post(t, b, parley.Message{From: "end", Body: "end 0"})
	if d := time.Since(start); d > time.Second {
		t.Errorf("the next append took %v", d)
	}
	next := saved(t, b)
	for who, n := range told {
		if next[who] < n || next[who] > n+1 {
			t.Errorf("%s was told that %d were saved; there are %d", who, n, next[who])
		}
	}
}

// killed runs a writer for up to 80 ms, and gives how many it said were saved.
func killed(b *Box, who string) int {
	c := child(b, "write", who+" 100000")
	var out strings.Builder
	c.Stdout = &out
	if c.Start() != nil {
		return 0
	}
	time.Sleep(time.Duration(rand.IntN(80)) * time.Millisecond)
	c.Process.Kill()
	c.Wait()
	return strings.Count(out.String(), "\n")
}

// writeLimited posts and marks with a limit on the file's size, which cuts a
// write short as a full disk does.
func writeLimited(b *Box, arg string) error {
	limit, _ := strconv.ParseUint(arg, 10, 64)
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	_, _, err := b.Post(parley.Message{From: "lead", To: "x", Body: "too much"})
	return err
}

// TestDiskFull: wherever the disk ends within the record, Post fails with a
// clear error and nothing of it counts; with room again all goes on.
func TestDiskFull(t *testing.T) {
	b := newBox(t)
	post(t, b, parley.Message{Body: "first"})
	size, err := b.End()
	must(t, err)
	text, err := os.ReadFile(b.Path())
	must(t, err)
	for extra := int64(0); extra < 250; extra += 23 {
		must(t, os.WriteFile(b.Path(), text, 0o600))
		out, err := child(b, "limited", fmt.Sprint(size+extra)).CombinedOutput()
		if err == nil || !strings.Contains(string(out), b.Path()) || strings.Count(string(out), b.Path()) != 1 {
			t.Fatalf("%d bytes of room: %v, %q", extra, err, out)
		}
		tornTailIsSkipped(t, b, "first")
		if torn, _ := b.Torn(); torn.Tail != extra {
			t.Fatalf("%d bytes of room: %+v", extra, torn)
		}
		post(t, b, parley.Message{Body: "too much"})
		tornTailIsSkipped(t, b, "first too much")
	}
}

func writeAsNobody(b *Box, _ string) error {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			return err
		}
	}
	_, _, err := b.Post(parley.Message{From: "lead", To: "x", Body: "not mine"})
	if !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("not refused: %w", err)
	}
	fmt.Println(err)
	return nil
}

// TestReadOnly: a folder and a file that may not be written to.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	for d := dir; d != "/" && d != os.TempDir(); d = filepath.Dir(d) {
		must(t, os.Chmod(d, 0o755))
	}
	must(t, os.Mkdir(filepath.Join(dir, "ro"), 0o500))
	must(t, os.WriteFile(filepath.Join(dir, "ro.jsonl"), nil, 0o400))
	for _, path := range []string{"ro/x.jsonl", "ro/teams/x.jsonl", "ro.jsonl"} {
		b := Open(filepath.Join(dir, path))
		out, err := child(b, "nobody", "").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "permission denied") || strings.Count(string(out), dir) != 1 {
			t.Errorf("%s: %v %s", path, err, out)
		}
		if es, _ := b.Last(1); len(es) != 0 {
			t.Errorf("%s: something was saved", path)
		}
	}
}
