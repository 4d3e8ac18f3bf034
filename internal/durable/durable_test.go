package durable

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestMain lets a test run this binary as the holder of a lock.
func TestMain(m *testing.M) {
	if path := os.Getenv("PARLEY_DURABLE_HOLD"); path != "" {
		if _, err := Lock(context.Background(), path); err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		time.Sleep(time.Minute)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestMkdirAll(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 {
		if err := MkdirAll(dir + "/"); err != nil {
			t.Fatal(err)
		}
	}
	st, err := os.Stat(filepath.Dir(dir))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", st, err)
	}
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o600)
	for _, path := range []string{file, filepath.Join(file, "x")} {
		if err := MkdirAll(path); !errors.Is(err, syscall.ENOTDIR) || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: %v", path, err)
		}
	}
	link := filepath.Join(dir, "link")
	os.Symlink(filepath.Join(dir, "nowhere"), link)
	for _, path := range []string{link, filepath.Join(link, "x", "y")} {
		if err := MkdirAll(path); err == nil || !strings.HasPrefix(err.Error(), "make folder "+link+": it is a link to "+dir+"/nowhere, which is not there") {
			t.Errorf("%s: %v", path, err)
		}
	}
	os.Mkdir(filepath.Join(dir, "nowhere"), 0o700)
	if err := MkdirAll(filepath.Join(link, "x", "y")); err != nil {
		t.Error(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := MkdirAll(filepath.Join(dir, "d", "e", "f")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for _, text := range []string{"one", "", strings.Repeat("two", 1e6)} {
		if err := WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Fatalf("%d bytes of %d, %v", len(got), len(text), err)
		}
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Error(st.Mode())
	}
	missing := filepath.Join(dir, "no", "x")
	if err := WriteFile(missing, nil); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), missing) != 1 {
		t.Error(err)
	}
	os.Mkdir(filepath.Join(dir, "full"), 0o700)
	if err := WriteFile(filepath.Join(dir, "full"), nil); err == nil {
		t.Error("wrote over a folder")
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".*")); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestAppend(t *testing.T) {
	f, err := Lock(t.Context(), filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 2 {
		if err := Append(f, []byte("line\n")); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(f.Name()); string(got) != "line\nline\n" {
		t.Errorf("%q", got)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	if err := Append(full, []byte("x")); !errors.Is(err, syscall.ENOSPC) || err.Error() != "append to /dev/full: no space left on device" {
		t.Error(err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Lock(ctx, path); !errors.Is(err, context.DeadlineExceeded) || strings.Count(err.Error(), path) != 1 {
		t.Error(err)
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("gave up after %v", d)
	}
	f.Close()
	var inside, held atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				f, err := Lock(t.Context(), path)
				if err != nil || inside.Add(1) != 1 {
					t.Errorf("two inside, or %v", err)
					return
				}
				held.Add(1)
				inside.Add(-1)
				f.Close()
			}
		})
	}
	wg.Wait()
	if held.Load() != 200 {
		t.Error(held.Load())
	}
}

// TestLockOfAFileThatMoved: whoever waited for a file that was moved away gets
// the one that has its name now.
func TestLockOfAFileThatMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	f, err := Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan *os.File)
	go func() {
		f, err := Lock(t.Context(), path)
		if err != nil {
			t.Error(err)
		}
		got <- f
	}()
	time.Sleep(20 * time.Millisecond)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	g := <-got
	defer g.Close()
	if !stillNamed(g, path) {
		t.Error("locked the old file")
	}
}

// TestKilledHolder: a killed process leaves no lock.
func TestKilledHolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "PARLEY_DURABLE_HOLD="+path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 5))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, path); err == nil {
		t.Error("not held")
	}
	c.Process.Kill()
	c.Wait()
	ctx, cancel = context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	f, err := Lock(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
