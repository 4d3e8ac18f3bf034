package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"parley/internal/practice"
)

// tmux runs a tmux command on the scene's server.
func (s *scene) tmux(ts *testscript.TestScript, args ...string) string {
	out, err := s.rig.TryTmux("", args...)
	if err != nil {
		ts.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return out
}

// ends quits an agent and waits for the shell under it.
func (s *scene) ends(ts *testscript.TestScript, args []string) {
	before := len(events(ts, args[0], "exit"))
	s.tmux(ts, "send-keys", "-t", "="+args[0]+":", "-l", "/quit")
	s.tmux(ts, "send-keys", "-t", "="+args[0]+":", "Enter")
	until(ts, args[0]+" has ended", func() bool {
		return len(events(ts, args[0], "exit")) > before && s.tmux(ts, "display-message", "-p", "-t", "="+args[0]+":", "#{pane_current_command}") == "sh"
	})
}

// until looks again and again for up to 30 s.
func until(ts *testscript.TestScript, what string, look func() bool) {
	for end := time.Now().Add(30 * time.Second); !look(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("never happened: %s", what)
		}
	}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// agent starts a practice agent under a shell, as a person would.
func (s *scene) agent(ts *testscript.TestScript, args []string) {
	name := args[0]
	log := ts.MkAbs(name + ".log")
	cmd := "env -i HOME=" + quoted(ts.Getenv("HOME")) + " TERM=tmux-256color LANG=C.UTF-8 PATH=/usr/bin:/bin " + inPath(ts, "parley") +
		" practice --home " + quoted(ts.MkAbs(name)) + " --log " + quoted(log)
	if len(args) > 1 {
		cmd += " --quirks " + ts.MkAbs(args[1])
	}
	if _, err := s.rig.TryTmux("", "has-session", "-t", "="+name); err != nil {
		s.tmux(ts, "new-session", "-d", "-s", name, "-x", "100", "-y", "30", "/bin/sh")
	}
	before := len(events(ts, name, "listening"))
	s.tmux(ts, "send-keys", "-t", "="+name+":", "-l", cmd)
	s.tmux(ts, "send-keys", "-t", "="+name+":", "Enter")
	until(ts, name+" listens", func() bool { return len(events(ts, name, "listening")) > before })
}

// events reads an agent's own log.
func events(ts *testscript.TestScript, name, kind string) (out []practice.Event) {
	b, _ := os.ReadFile(ts.MkAbs(name + ".log"))
	for line := range strings.Lines(string(b)) {
		var e practice.Event
		if json.Unmarshal([]byte(line), &e) == nil && e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

func got(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	if all := events(ts, args[0], args[1]); len(all) != want {
		ts.Fatalf("%s got %d of %s, want %d: %+v", args[0], len(all), args[1], want, all)
	}
}

func (s *scene) sees(ts *testscript.TestScript, args []string) {
	until(ts, args[0]+" shows "+args[1], func() bool {
		return strings.Contains(s.tmux(ts, "capture-pane", "-p", "-t", "="+args[0]+":"), args[1])
	})
}

// shell starts a process that the OS shows as the practice agent, by its
// command line, and that runs what `inside` gives it: an agent and its tools.
func (s *scene) shell(ts *testscript.TestScript, args []string) {
	name := args[0]
	dir := ts.MkAbs("inside-" + name)
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(dir+"/practice", []byte(loop), 0o600))
	var env strings.Builder
	for _, v := range append(scriptEnv(ts), "LANG=C.UTF-8") {
		env.WriteString(" " + quoted(v))
	}
	line := fmt.Sprintf("cd %s && exec env -i%s bash -c 'exec -a parley bash practice'", quoted(dir), env.String())
	if _, err := s.rig.TryTmux("", "has-session", "-t", "="+name); err == nil {
		s.tmux(ts, "split-window", "-t", "="+name+":", line)
	} else {
		s.tmux(ts, "new-session", "-d", "-s", name, "-x", "100", "-y", "30", line)
	}
	until(ts, name+" runs", func() bool { _, err := os.Stat(dir + "/ready"); return err == nil })
}

const loop = `touch ready
while sleep 0.02; do
	[ -e go ] || continue
	rm go
	bash ./line >out 2>err </dev/null
	echo $? >code.new && mv code.new code
done
`

// inside runs a line of shell in such an agent.
func inside(ts *testscript.TestScript, args []string) {
	dir := ts.MkAbs("inside-" + args[0])
	os.Remove(dir + "/code")
	ts.Check(os.WriteFile(dir+"/line", []byte(strings.Join(args[2:], " ")+"\n"), 0o600))
	ts.Check(os.WriteFile(dir+"/go", nil, 0o600))
	until(ts, args[0]+" ran it", func() bool { _, err := os.Stat(dir + "/code"); return err == nil })
	out, _ := os.ReadFile(dir + "/out")
	errs, _ := os.ReadFile(dir + "/err")
	ts.Stdout().Write(out)
	ts.Stderr().Write(errs)
	code, _ := os.ReadFile(dir + "/code")
	if c := strings.TrimSpace(string(code)); c != args[1] {
		ts.Fatalf("exit %s, want %s\n%s%s", c, args[1], out, errs)
	}
}
