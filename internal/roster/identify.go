package roster

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"

	"parley"
	"parley/internal/dialect"
	"parley/internal/proc"
	"parley/internal/term"
)

// Agent is one running agent as the OS and its terminal show it right now.
type Agent struct {
	Dialect *dialect.Dialect
	Version string // of the CLI; "" where it cannot be told
	Proc    proc.Process
	Config  string // the CLI's config folder
	Cwd     string
	// Identity is equal for two looks if and only if the same process, started
	// with the same command line and config folder, stands in the same pane of
	// the same terminal server.
	Identity string
}

// Identify finds the agent in the foreground of a pane. Without one the reason
// says what is there instead: suspended or not-an-agent.
func Identify(set dialect.Set, place term.Identity) (Agent, parley.Reason, error) {
	// The leader is the agent in all but one case, and costs 2 ms less to find.
	if p, err := proc.Leader(place.PanePID); err == nil {
		if d, ok := set.Recognise(dialect.ProcessInfo{Exe: p.Exe, Argv: p.Argv}); ok {
			return describe(d, p, place), stopped(p), nil
		}
	}
	front, err := proc.Foreground(place.PanePID)
	if err != nil {
		return Agent{}, parley.ReasonNotAnAgent, nil // the pane's process ended between two looks
	}
	for _, p := range front {
		if d, ok := set.Recognise(dialect.ProcessInfo{Exe: p.Exe, Argv: p.Argv}); ok {
			return describe(d, p, place), stopped(p), nil
		}
	}
	behind, err := proc.Suspended(place.PanePID)
	if err != nil {
		return Agent{}, "", fmt.Errorf("look for stopped processes: %w", err)
	}
	for _, p := range behind {
		if d, ok := set.Recognise(dialect.ProcessInfo{Exe: p.Exe, Argv: p.Argv}); ok {
			return describe(d, p, place), parley.ReasonSuspended, nil
		}
	}
	return Agent{}, parley.ReasonNotAnAgent, nil
}

// stopped is the reason why one that has the keys would not take them: without a
// shell under it, nobody takes the keys away from an agent that was stopped.
func stopped(p proc.Process) parley.Reason {
	if p.State == 'T' {
		return parley.ReasonSuspended
	}
	return ""
}

func describe(d *dialect.Dialect, p proc.Process, place term.Identity) Agent {
	a := Agent{Dialect: d, Proc: p, Config: configDir(d, p.PID)}
	a.Cwd, _ = proc.Cwd(p.PID)
	a.Version = versionOf(witnesses(d, p, func(key string) (string, bool) { return proc.Env(p.PID, key) }))
	a.Identity = fmt.Sprintf("%s agent=%d@%s %s argv=%016x config=%s",
		placed(place), p.PID, p.Start, d.CLI, started(p), a.Config)
	return a
}

// started is a hash of how a process was started.
func started(p proc.Process) uint64 {
	h := fnv.New64a()
	h.Write([]byte(p.Exe + "\x00" + strings.Join(p.Argv, "\x00")))
	return h.Sum64()
}

// Once is the agent that an Agent.Identity was written about, as far as that
// tells: for one whose process has ended. Its working folder is not known.
func Once(set dialect.Set, identity string) (a Agent, ok bool) {
	_, rest, _ := strings.Cut(identity, " agent=")
	head, config, found := strings.Cut(rest, " config=")
	if f := strings.Fields(head); found && len(f) == 3 {
		a = Agent{Config: config, Identity: identity}
		a.Proc.PID, _ = pidIn(identity)
		_, a.Proc.Start, _ = strings.Cut(f[0], "@")
		a.Dialect, ok = set.CLI(f[1])
	}
	return a, ok
}

// Lives reports whether the process of an Agent.Identity still runs as what it
// was started as. Where it stands by now is not asked.
func Lives(identity string) bool {
	pid, err := pidIn(identity)
	if err != nil {
		return false
	}
	p, err := proc.Read(pid)
	return err == nil && p.State != 'Z' && Member{Identity: identity}.Is(p) &&
		strings.Contains(identity, fmt.Sprintf(" argv=%016x ", started(p)))
}

// placed is the part of an identity that the terminal knows. The foreground
// command's name is not in it: an agent's own tools may change it.
func placed(p term.Identity) string {
	return fmt.Sprintf("%s %s pane=%d %s", p.Server, p.Pane, p.PanePID, p.TTY)
}

// SamePlace reports whether an Agent.Identity was taken in this very pane of
// this very server, whatever runs there now.
func SamePlace(identity string, place term.Identity) bool {
	return strings.HasPrefix(identity, placed(place)+" agent=")
}

// configDir reads the process's own environment: two agents of one CLI with
// different config folders are different agents.
func configDir(d *dialect.Dialect, pid int) string {
	if d.Process.ConfigEnv != "" {
		if v, ok := proc.Env(pid, d.Process.ConfigEnv); ok && v != "" {
			return v
		}
	}
	dir := d.Process.ConfigDir
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		home, _ := proc.Env(pid, "HOME")
		dir = filepath.Join(home, rest)
	}
	return dir
}
