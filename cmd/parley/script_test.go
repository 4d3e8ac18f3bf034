package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"

	"parley/e2e/rig"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"parley": main, "jot": jot})
}

// TestScripts runs testdata/*.txtar, one for each behaviour. Each has a person
// named dana, a state folder, and a tmux server of its own that $TMUX names.
// Besides testscript's own there are these commands:
//
//	exits CODE COMMAND…       runs it and wants that exit code
//	last REGEXP               the last line on standard error
//	members NAME…             every line on standard output is a JSON object of exactly these members, in this order
//	says MEMBER=VALUE…        of the last such line
//	tty CODE COMMAND…         runs it on a terminal; what it shows becomes standard output
//	tmux ARG…                 on the script's server
//	agent NAME [QUIRKS]       starts a practice agent in the tmux session NAME and waits until it listens
//	types NAME TEXT           and keys NAME KEY…: a person's hands
//	sees NAME TEXT            waits until the agent's screen shows it
//	got NAME KIND COUNT       how many events of a kind the agent's own log holds
//	holds FILE TEXT           waits until a file holds it
//	ends NAME                 quits it: the shell is left
//	shell NAME                starts an agent that runs commands, in the tmux session NAME
//	inside NAME CODE LINE     runs a line of shell in it
//	save NAME MEMBER          puts a member of the last JSON line into $NAME
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d scripts: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txtar"), func(t *testing.T) {
			t.Parallel()
			s := &scene{rig: rig.New(t)}
			testscript.Run(t, testscript.Params{Files: []string{f}, Setup: s.setup, Cmds: s.commands()})
		})
	}
}

// scene is what one script has around it.
type scene struct{ rig *rig.Rig }

func (s *scene) setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	for _, v := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "PARLEY_TEAM", "TMUX_PANE", "LC_ALL", "LANG", "NO_COLOR"} {
		e.Setenv(v, "")
	}
	e.Setenv("HOME", home)
	e.Setenv("USER", "dana")
	e.Setenv("PARLEY_HOME", filepath.Join(e.WorkDir, "state"))
	e.Setenv("TMUX", s.rig.Socket()+",1,0")
	frames, err := filepath.Abs("../../internal/dialect/testdata/frames")
	e.Setenv("FRAMES", frames)
	if err == nil {
		var docs string
		docs, err = filepath.Abs("../../docs")
		e.Setenv("DOCS", docs)
	}
	return err
}

func (s *scene) commands() map[string]func(*testscript.TestScript, bool, []string) {
	plain := func(least int, f func(ts *testscript.TestScript, args []string)) func(*testscript.TestScript, bool, []string) {
		return func(ts *testscript.TestScript, neg bool, args []string) {
			if neg || len(args) < least {
				ts.Fatalf("usage: at least %d arguments, and no !", least)
			}
			f(ts, args)
		}
	}
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":   plain(2, exits),
		"last":    plain(1, last),
		"members": plain(1, members),
		"says":    plain(1, says),
		"tty":     plain(2, onTTY),
		"save":    plain(2, save),
		"tmux":    plain(1, func(ts *testscript.TestScript, args []string) { fmt.Fprintln(ts.Stdout(), s.tmux(ts, args...)) }),
		"agent":   plain(1, s.agent),
		"types":   plain(2, func(ts *testscript.TestScript, a []string) { s.tmux(ts, "send-keys", "-t", "="+a[0]+":", "-l", a[1]) }),
		"keys": plain(2, func(ts *testscript.TestScript, a []string) {
			s.tmux(ts, append([]string{"send-keys", "-t", "=" + a[0] + ":"}, a[1:]...)...)
		}),
		"sees": plain(2, s.sees),
		"got":  plain(3, got),
		"holds": plain(2, func(ts *testscript.TestScript, a []string) {
			until(ts, a[0]+" holds "+a[1], func() bool { b, _ := os.ReadFile(ts.MkAbs(a[0])); return strings.Contains(string(b), a[1]) })
		}),
		"ends":   plain(1, s.ends),
		"shell":  plain(1, s.shell),
		"inside": plain(3, inside),
	}
}

func exits(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	if code := exitCode(err); code != want {
		ts.Fatalf("exit %d, want %d (%v)", code, want, err)
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

func last(ts *testscript.TestScript, args []string) {
	lines := strings.Split(strings.TrimRight(ts.ReadFile("stderr"), "\n"), "\n")
	if l := lines[len(lines)-1]; !regexp.MustCompile(args[0]).MatchString(l) {
		ts.Fatalf("the last line on standard error is %q", l)
	}
}

// objects are the JSON lines on standard output; anything else there fails.
func objects(ts *testscript.TestScript) (out [][]byte) {
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if !json.Valid([]byte(line)) || !strings.HasPrefix(line, "{") {
			ts.Fatalf("no JSON object on standard output: %q", line)
		}
		out = append(out, []byte(line))
	}
	if len(out) == 0 {
		ts.Fatalf("nothing on standard output")
	}
	return out
}

func members(ts *testscript.TestScript, want []string) {
	for _, o := range objects(ts) {
		if names := memberNames(ts, o); !slices.Equal(names, want) {
			ts.Fatalf("members %v, want %v", names, want)
		}
	}
}

func memberNames(ts *testscript.TestScript, object []byte) (names []string) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var skip json.RawMessage
		if name, err = d.Token(); err == nil {
			names = append(names, name.(string))
			err = d.Decode(&skip)
		}
	}
	ts.Check(err)
	return names
}

// member is a member of the last object: a string's text, else its JSON.
func member(ts *testscript.TestScript, name string) string {
	all := objects(ts)
	var o map[string]json.RawMessage
	ts.Check(json.Unmarshal(all[len(all)-1], &o))
	raw, ok := o[name]
	if !ok {
		ts.Fatalf("no member %s in %s", name, all[len(all)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func says(ts *testscript.TestScript, args []string) {
	for _, a := range args {
		name, want, _ := strings.Cut(a, "=")
		if v := member(ts, name); v != want {
			ts.Fatalf("%s is %q, want %q", name, v, want)
		}
	}
}

func save(ts *testscript.TestScript, args []string) { ts.Setenv(args[0], member(ts, args[1])) }

// onTTY runs a command on a terminal of its own and shows all that it wrote.
func onTTY(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	c := exec.Command(inPath(ts, args[1]), args[2:]...)
	c.Dir, c.Env = ts.MkAbs("."), scriptEnv(ts)
	host, err := pty.StartWithSize(c, &pty.Winsize{Cols: 120, Rows: 30})
	ts.Check(err)
	defer host.Close()
	guard := time.AfterFunc(time.Minute, func() { syscall.Kill(c.Process.Pid, syscall.SIGKILL) })
	defer guard.Stop()
	var shown bytes.Buffer
	io.Copy(&shown, host) // ends with EIO once the terminal is nobody's
	err = c.Wait()
	ts.Stdout().Write(bytes.ReplaceAll(shown.Bytes(), []byte("\r\n"), []byte("\n")))
	if code := exitCode(err); code != want {
		ts.Fatalf("exit %d, want %d: %s", code, want, shown.Bytes())
	}
}

func inPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p := filepath.Join(dir, name); exec.Command(p).Err == nil {
			if st, err := os.Stat(p); err == nil && !st.IsDir() {
				return p
			}
		}
	}
	ts.Fatalf("no %s on PATH", name)
	return ""
}

func scriptEnv(ts *testscript.TestScript) (env []string) {
	for _, v := range []string{"PATH", "HOME", "USER", "PARLEY_HOME", "PARLEY_TEAM", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "TMUX", "TERM", "NO_COLOR"} {
		if s := ts.Getenv(v); s != "" {
			env = append(env, v+"="+s)
		}
	}
	return env
}
