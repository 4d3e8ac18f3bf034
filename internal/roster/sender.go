package roster

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parley"
	"parley/internal/dialect"
	"parley/internal/proc"
)

// Speaker is who runs this command, as far as the OS can prove it.
type Speaker struct {
	Name  parley.Name  // "" for an agent that has no name
	Agent bool         // an agent's process tree or daemon runs this command
	Proc  proc.Process // the agent's process; zero for a daemon's session
}

// Speaking finds the agent among the ancestors of this process, or, where a
// CLI runs its tools in a shared daemon, by the session id which that daemon
// hands its tools. The id is believed only below the daemon itself. The zero
// Speaker is a person.
func Speaking(ctx context.Context, set dialect.Set, r Roster, socket string, getenv func(string) string) (Speaker, error) {
	above := proc.Ancestors(proc.Self())
	for _, p := range above {
		if _, ok := set.Recognise(dialect.ProcessInfo{Exe: p.Exe, Argv: p.Argv}); ok {
			name, err := nameOf(ctx, set, r, socket, p)
			return Speaker{Name: name, Agent: true, Proc: p}, err
		}
	}
	for _, n := range set.Names() {
		d, _ := set.CLI(n)
		if d.Sender.Env == "" || getenv(d.Sender.Env) == "" || !slices.ContainsFunc(above, func(p proc.Process) bool { return daemon(d, p) }) {
			continue
		}
		name, err := nameOfSession(r, getenv(d.Sender.Env))
		return Speaker{Name: name, Agent: true}, err
	}
	return Speaker{}, nil
}

func daemon(d *dialect.Dialect, p proc.Process) bool {
	return slices.Contains(d.Process.Exe, filepath.Base(p.Exe)) && d.Sender.Daemon.Set() &&
		d.Sender.Daemon.MatchString(strings.Join(p.Argv, " "))
}

// nameOf looks in the roster first, then at the name of the tmux session in
// which the process stands.
func nameOf(ctx context.Context, set dialect.Set, r Roster, socket string, p proc.Process) (parley.Name, error) {
	all, err := r.Members()
	if err != nil {
		return "", err
	}
	for _, m := range all {
		if m.Is(p) {
			return m.Name, nil
		}
	}
	seen, err := Sightings(ctx, set, socket)
	if err != nil {
		return "", err
	}
	for _, s := range seen {
		if s.Agent.Proc.PID != p.PID {
			continue
		}
		n, err := parley.ParseName(s.Tmux)
		if err != nil {
			return "", nil // a session name that is no name gives none
		}
		if _, why, err := BySession(ctx, set, socket, n); why != "" || err != nil {
			return "", err
		}
		return n, nil
	}
	return "", nil
}

func nameOfSession(r Roster, session string) (parley.Name, error) {
	all, err := r.Members()
	for _, m := range all {
		if m.Session == session {
			return m.Name, err
		}
	}
	return "", err
}

// Is reports whether the line was written about exactly this process.
func (m Member) Is(p proc.Process) bool {
	return strings.Contains(m.Identity, fmt.Sprintf(" agent=%d@%s ", p.PID, p.Start))
}
