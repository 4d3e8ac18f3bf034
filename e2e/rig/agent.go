package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/modelstub"
)

// Patience bounds each wait of the rig. A CLI's first start took 5 s on a quiet machine
// of two cores, 28 s on a loaded one.
const Patience = 60 * time.Second

// Opts are all optional.
type Opts struct {
	Session    string            // name of the tmux session; default: the CLI's name and a number
	Cols, Rows int               // default 120 by 40
	Stub       *modelstub.Stub   // default: a new one
	Args       []string          // after those of the recipe
	Env        []string          // NAME=value, over those of the recipe
	Files      map[string]string // below HOME: instead of or besides those of the recipe
	Append     map[string]string // below HOME: at the end of files of the recipe
	Daemon     bool              // Codex from 0.149: let it start its shared daemon
	SystemNode bool              // leave the cache's Node out of PATH
	NotReady   bool              // do not wait until the box is there
}

// Agent is a CLI in a pane. Below it in the pane is a shell, as when a person starts it.
type Agent struct {
	CLI     CLI
	Pane    string // "%N"
	Session string // tmux session
	Home    string
	Cwd     string
	Stub    *modelstub.Stub

	rig    *Rig
	recipe recipe
	shell  int // the pane's process
}

// Start starts a CLI in a new tmux session and waits until its box is there and still.
func (r *Rig) Start(cli CLI, o Opts) *Agent {
	r.tb.Helper()
	n := r.agents.Add(1)
	r.defaults(cli, n, &o)
	base := filepath.Join(r.dir, fmt.Sprintf("a%d", n))
	a := &Agent{CLI: cli, Session: o.Session, Stub: o.Stub, rig: r, recipe: cli.recipe(r.tb),
		Home: filepath.Join(base, "home"), Cwd: filepath.Join(base, "project")}
	p := place{home: a.Home, cwd: a.Cwd, url: o.Stub.URL(), version: cli.Version, daemon: o.Daemon}
	must(r.tb, os.MkdirAll(a.Cwd, 0o755))
	a.files(p, o)
	script := filepath.Join(base, "start")
	write(r.tb, script, a.script(p, o))

	out := r.Tmux("new-session", "-d", "-s", o.Session, "-x", strconv.Itoa(o.Cols), "-y", strconv.Itoa(o.Rows),
		"-c", a.Cwd, "-P", "-F", "#{pane_id} #{pane_pid}", "/bin/sh", script)
	if _, err := fmt.Sscan(out, &a.Pane, &a.shell); err != nil {
		r.tb.Fatalf("rig: new-session printed %q", out)
	}
	if !o.NotReady {
		a.Ready()
	}
	return a
}

func (r *Rig) defaults(cli CLI, n int32, o *Opts) {
	if o.Session == "" {
		o.Session = fmt.Sprintf("%s-%d", cli.Name, n)
	}
	if o.Cols == 0 {
		o.Cols = 120
	}
	if o.Rows == 0 {
		o.Rows = 40
	}
	if o.Stub == nil {
		o.Stub = r.Stub()
	}
}

func (a *Agent) files(p place, o Opts) {
	files := a.recipe.files(p)
	for name, text := range o.Files {
		files[name] = text
	}
	for name, text := range o.Append {
		files[name] += text
	}
	for name, text := range files {
		write(a.rig.tb, filepath.Join(a.Home, name), text)
	}
}

// script starts the CLI from an interactive shell with an empty environment, but for
// what tmux puts there and the recipe.
func (a *Agent) script(p place, o Opts) string {
	path := a.CLI.folder() + "/bin:"
	if !o.SystemNode {
		path += node.folder() + "/bin:"
	}
	env := map[string]string{
		"HOME": p.home, "PATH": path + systemPath, "SHELL": "/bin/bash",
		"TERM": "tmux-256color", "LANG": "C.UTF-8",
		"HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost",
	}
	for _, kv := range append(a.recipe.env(p), o.Env...) {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	var b strings.Builder
	b.WriteString("exec env -i TMUX=\"$TMUX\" TMUX_PANE=\"$TMUX_PANE\"")
	for _, k := range sortedKeys(env) {
		b.WriteString(" " + k + "=" + quote(env[k]))
	}
	line := a.recipe.command
	for _, arg := range append(a.recipe.args(p), o.Args...) {
		line += " " + quote(arg)
	}
	b.WriteString(" /bin/bash --norc --noprofile -ic " + quote(line+"\nexec /bin/bash --norc --noprofile -i") + "\n")
	return b.String()
}

// Beside starts the same CLI in another tmux session, with the HOME and the working
// folder of this one.
func (a *Agent) Beside(session string) *Agent {
	b := *a
	b.Session = session
	out := a.rig.Tmux("new-session", "-d", "-s", session, "-x", "120", "-y", "40",
		"-c", a.Cwd, "-P", "-F", "#{pane_id} #{pane_pid}", "/bin/sh", filepath.Join(filepath.Dir(a.Home), "start"))
	scan(a.rig.tb, out, &b.Pane, &b.shell)
	b.Ready()
	return &b
}

// Found takes notice of another process in the agent's pane.
func (a *Agent) Found() {
	a.rig.tb.Helper()
	scan(a.rig.tb, a.rig.Tmux("display-message", "-p", "-t", a.Pane, "#{pane_pid}"), &a.shell)
}

// PID is the leader of the pane's foreground group: the CLI, for Codex under an old Node
// its wrapper; 0 when the CLI has ended.
func (a *Agent) PID() int {
	if group := foreground(a.shell); group != a.shell {
		return group
	}
	return 0
}

// Stop kills the pane and waits until the CLI has ended.
func (a *Agent) Stop() {
	pid := a.PID()
	a.rig.TryTmux("", "kill-pane", "-t", a.Pane)
	if pid > 0 {
		stop(a.rig.tb, []int{pid})
	}
	stop(a.rig.tb, livingIn(a.Home))
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// quote makes s one word for sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func write(tb testing.TB, path, text string) {
	tb.Helper()
	must(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	must(tb, os.WriteFile(path, []byte(text), 0o600))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// buffers numbers the tmux buffers of this process.
var buffers atomic.Int64

// Load puts text into a tmux buffer of its own and returns its name.
func (r *Rig) Load(text string) string {
	r.tb.Helper()
	name := fmt.Sprintf("rig-%d-%d", os.Getpid(), buffers.Add(1))
	if out, err := r.TryTmux(text, "load-buffer", "-b", name, "-"); err != nil {
		r.tb.Fatalf("rig: load-buffer: %v: %s", err, out)
	}
	return name
}
