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
	Name     parley.Name // "" for an agent that has no name
	Agent    bool        // an agent's process tree or daemon runs this command
	Identity string      // the agent's, where one with a name was found
	// Session is the conversation that a shared daemon runs this command for;
	// "" where it names none that can be believed.
	Session string
	Daemon  bool // a CLI's shared daemon runs this command
}

// Speaking finds the agent among the ancestors of this process, nearest first.
// Where a CLI runs its tools in a shared daemon, no process above that daemon
// says who speaks: it was started by whichever agent came first. There the
// session id which the daemon hands its tools does, and only below the daemon.
// The zero Speaker is a person.
func Speaking(ctx context.Context, set dialect.Set, r Roster, w Where, getenv func(string) string) (Speaker, error) {
	var found Speaker
	below := proc.Process{PID: proc.Self()}
	for _, p := range proc.Ancestors(proc.Self()) {
		if d, ok := daemon(set, p); ok {
			return inDaemon(r, handed(d, below, getenv))
		}
		below = p
		if _, ok := set.Recognise(dialect.ProcessInfo{Exe: p.Exe, Argv: p.Argv}); !ok {
			continue
		}
		// One without a name may be a CLI's own wrapper: the agent stands above.
		sp, err := named(ctx, set, r, w, p)
		if err != nil || sp.Name != "" {
			return sp, err
		}
		found = sp
	}
	return found, nil
}

// daemon finds the CLI whose shared daemon a process is.
func daemon(set dialect.Set, p proc.Process) (*dialect.Dialect, bool) {
	for _, n := range set.Names() {
		d, _ := set.CLI(n)
		if slices.Contains(d.Process.Exe, filepath.Base(p.Exe)) && d.Sender.Daemon.Set() &&
			d.Sender.Daemon.MatchString(strings.Join(p.Argv, " ")) {
			return d, true
		}
	}
	return nil, false
}

// InDaemon reports whether a CLI's shared daemon stands among processes: then
// what stands above it says nothing of who runs what is below.
func InDaemon(set dialect.Set, above []proc.Process) bool {
	return slices.ContainsFunc(above, func(p proc.Process) bool { _, ok := daemon(set, p); return ok })
}

// handed is the session id that a daemon has handed to the process right below
// it. A command below that one can set another in its own environment; where
// the two differ, neither is believed.
func handed(d *dialect.Dialect, child proc.Process, getenv func(string) string) string {
	mine := getenv(d.Sender.Env)
	if child.PID == proc.Self() {
		return mine
	}
	if given, ok := proc.Env(child.PID, d.Sender.Env); !ok || given != mine {
		return ""
	}
	return mine
}

// inDaemon is the agent whose conversation a session is. Two that bear the
// same session leave it open which of them speaks.
func inDaemon(r Roster, session string) (Speaker, error) {
	sp := Speaker{Agent: true, Daemon: true, Session: session}
	all, err := r.Members()
	if session == "" || err != nil {
		return sp, err
	}
	for _, m := range joinedFirst(all) {
		switch {
		case m.Session != session, !m.runs():
		case sp.Name == "":
			sp.Name, sp.Identity = m.Name, m.Identity
		case sp.Identity != m.Identity:
			return Speaker{Agent: true, Daemon: true, Session: session}, nil
		}
	}
	return sp, nil
}

// named looks in the roster first, then at the name of the tmux session or
// host in which the process stands.
func named(ctx context.Context, set dialect.Set, r Roster, w Where, p proc.Process) (Speaker, error) {
	nameless := Speaker{Agent: true}
	lines, err := r.Lines()
	if err != nil {
		return nameless, err
	}
	for _, m := range joinedFirst(lines) {
		if m.Is(p) && m.Kind != Left {
			return Speaker{Name: m.Name, Agent: true, Identity: m.Identity}, nil
		}
	}
	seen, err := Sightings(ctx, set, w)
	if err != nil {
		return nameless, err
	}
	for _, s := range seen {
		if s.Agent.Proc.PID != p.PID {
			continue
		}
		n, err := s.Name()
		if err != nil {
			return nameless, nil // a session name that is no name gives none
		}
		if _, why, err := BySession(ctx, set, w, n); why != "" || err != nil {
			return nameless, err
		}
		if slices.ContainsFunc(lines, func(m Member) bool { return m.Name == n && m.Kind == Joined }) {
			return nameless, nil // the name was given to another process
		}
		if HasLeft(lines, n, s.Agent.Identity) {
			return nameless, nil
		}
		return Speaker{Name: n, Agent: true, Identity: s.Agent.Identity}, nil
	}
	return nameless, nil
}

// joinedFirst puts the names that somebody gave before those that were found.
func joinedFirst(all []Member) []Member {
	var joined, found []Member
	for _, m := range all {
		if m.Kind == Joined {
			joined = append(joined, m)
		} else {
			found = append(found, m)
		}
	}
	return append(joined, found...)
}

// runs reports whether the process that the line was written about has not
// ended.
func (m Member) runs() bool {
	pid, err := pidIn(m.Identity)
	if err != nil {
		return false
	}
	p, err := proc.Read(pid)
	return err == nil && m.Is(p)
}

// pidIn is the agent's process id in an identity.
func pidIn(identity string) (pid int, err error) {
	_, rest, _ := strings.Cut(identity, " agent=")
	_, err = fmt.Sscanf(rest, "%d@", &pid)
	return pid, err
}

// Is reports whether the line was written about exactly this process.
func (m Member) Is(p proc.Process) bool {
	return strings.Contains(m.Identity, fmt.Sprintf(" agent=%d@%s ", p.PID, p.Start))
}
