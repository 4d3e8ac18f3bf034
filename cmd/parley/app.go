package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"parley"
	"parley/courier"
	"parley/internal/dialect"
	"parley/internal/roster"
	"parley/internal/term/tmux"
)

// app is what the verbs share: where state lies, which team, who speaks.
type app struct {
	team   string
	socket string
	conf   config
}

// config is $XDG_CONFIG_HOME/parley/config.toml; every key may be absent.
type config struct {
	Name     string   `toml:"name"`     // the person's name
	Unproven []string `toml:"unproven"` // CLIs that may be typed into by an unproven dialect
}

// open reads the config and opens the courier of the caller's own team.
func (a *app) open(notice func(courier.Waiting)) (*courier.Courier, error) {
	if err := a.read(); err != nil {
		return nil, err
	}
	team, err := a.teamName()
	if err != nil {
		return nil, err
	}
	a.tellNewTeam(team)
	return a.openTeam(team, notice)
}

// tellNewTeam says that a team begins with this call where others are: its name
// may be a slip.
func (a *app) tellNewTeam(team string) {
	home, err := stateHome()
	if err != nil {
		return
	}
	if all := courier.Teams(home); len(all) > 0 && !slices.Contains(all, team) {
		fmt.Fprintf(stderr, "parley: the team %s is new here (there is %s)\n", team, strings.Join(all, ", "))
	}
}

func (a *app) openTeam(team string, notice func(courier.Waiting)) (*courier.Courier, error) {
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return nil, usage{err}
	}
	home, err := stateHome()
	if err != nil {
		return nil, usage{err}
	}
	c, err := courier.Open(courier.Config{Home: home, Team: team, Dialects: dialectDir(),
		Socket: socket, Unproven: a.conf.Unproven, Notice: notice,
		Person: func(n parley.Name) bool { return n == a.person() }})
	var mistake dialect.Mistake
	if errors.As(err, &mistake) {
		return nil, usage{err}
	}
	return c, err
}

// read takes in the person's config. One that cannot be read stops every verb:
// half a config could let parley type where the person does not want it.
func (a *app) read() error {
	if configHome() == "" {
		return nil
	}
	path := filepath.Join(configHome(), "config.toml")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage{err}
	}
	return decode(path, b, &a.conf, true)
}

// decode reads TOML into v. Its error names file, line and key.
func decode(path string, text []byte, v any, strict bool) error {
	d := toml.NewDecoder(bytes.NewReader(text))
	if strict {
		d.DisallowUnknownFields()
	}
	err := d.Decode(v)
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown) && len(unknown.Errors) > 0:
		row, _ := unknown.Errors[0].Position()
		return usagef("%s:%d: unknown key %s", path, row, strings.Join(unknown.Errors[0].Key(), "."))
	case errors.As(err, &bad):
		row, _ := bad.Position()
		return usagef("%s:%d: %s", path, row, strings.TrimPrefix(bad.Error(), "toml: "))
	}
	return usagef("%s: %w", path, err)
}

// team is what parley.toml says of the team; other keys are for other verbs.
type team struct{ Name, Leader string }

func (a *app) teamName() (string, error) {
	near, err := nearestTeam()
	if err != nil {
		return "", err
	}
	for _, t := range []string{a.team, os.Getenv("PARLEY_TEAM"), near.Name} {
		if t == "" {
			continue
		}
		n, err := parley.ParseName(t)
		if err != nil {
			return "", usagef("team: %w", err)
		}
		return string(n), nil
	}
	return "main", nil
}

// nearestTeam reads [team] of the nearest parley.toml upward.
func nearestTeam() (team, error) {
	dir, err := os.Getwd()
	if err != nil {
		return team{}, nil
	}
	for ; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "parley.toml")
		b, err := os.ReadFile(path)
		if err == nil {
			var f struct{ Team team }
			return f.Team, decode(path, b, &f, false)
		}
		if dir == filepath.Dir(dir) {
			return team{}, nil
		}
	}
}

// person is the name of the person at this machine: the config's, else $USER,
// else the system's word.
func (a *app) person() parley.Name {
	for _, s := range []func() string{a.configured, fromEnv, fromSystem} {
		if n, err := parley.ParseName(s()); err == nil {
			return n
		}
	}
	return "person"
}

// isPerson reports whether a name is the person's by any of the three: an
// agent can set $USER for the command that it runs.
func (a *app) isPerson(n parley.Name) bool {
	for _, s := range []string{string(a.person()), fromEnv(), fromSystem()} {
		if p, err := parley.ParseName(s); err == nil && p == n {
			return true
		}
	}
	return false
}

func (a *app) configured() string { return a.conf.Name }

func fromEnv() string { return os.Getenv("USER") }

// fromSystem asks the system's directory, which can take a while.
func fromSystem() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// voice is who sends.
type voice struct {
	name    parley.Name
	claimed bool   // nothing proves it
	agent   string // identity of the agent that was proven to speak
}

// speaker says who sends: the agent whose process tree runs this command, else
// the claimed name, else the person. The last two are claims.
func (a *app) speaker(ctx context.Context, c *courier.Courier, from string) (voice, error) {
	sp, err := roster.Speaking(ctx, c.Dialects(), c.Roster(), c.Where(), os.Getenv)
	if err != nil {
		return voice{}, err
	}
	proven := voice{name: sp.Name, agent: sp.Identity}
	switch {
	case sp.Agent && sp.Name != "" && a.isPerson(sp.Name):
		return voice{}, usagef("this runs inside an agent that bears the person's name, %s: run `parley join --as NAME` in its pane", sp.Name)
	case from == "" && sp.Agent && sp.Name == "":
		return voice{}, nameless(sp)
	case from == "" && sp.Agent:
		return proven, nil
	case from == "":
		return voice{name: a.person(), claimed: true}, nil
	}
	who, err := parley.ParseName(from)
	if err != nil {
		return voice{}, usage{err}
	}
	if sp.Agent && who == sp.Name {
		return proven, nil
	}
	return voice{name: who, claimed: true}, a.mayClaim(ctx, c, sp, who)
}

// nameless says how an agent gets to be known.
func nameless(sp roster.Speaker) error {
	switch {
	case sp.Session != "":
		return usagef("this runs in a shared daemon for the conversation %s, and no message has proven yet whose that is: "+
			"`parley send NAME …` to the agent from elsewhere, and it is known", sp.Session)
	case sp.Daemon:
		return usagef("this runs in a shared daemon that does not say for which conversation: the sender is not known")
	}
	return usagef("this runs inside an agent that has no name yet: run `parley join --as NAME` in its pane")
}

// mayClaim refuses a claimed name that is somebody else's.
func (a *app) mayClaim(ctx context.Context, c *courier.Courier, sp roster.Speaker, who parley.Name) error {
	switch {
	case sp.Agent && sp.Name != "":
		return courier.Refusal{Reason: parley.ReasonNameTaken, Say: fmt.Sprintf("this runs inside %s, which cannot speak as %s", sp.Name, who)}
	case sp.Agent && a.isPerson(who):
		return courier.Refusal{Reason: parley.ReasonNameTaken, Say: fmt.Sprintf("%s is the person: no agent can speak under that name", who)}
	case who == a.person():
		return nil
	}
	live, err := c.Live(ctx, who)
	if err == nil && live {
		return courier.Refusal{Reason: parley.ReasonNameTaken, Say: fmt.Sprintf("%s is a live agent: its name cannot be claimed", who)}
	}
	return err
}

// stateHome is where everything that parley keeps lies.
func stateHome() (string, error) {
	if d := os.Getenv("PARLEY_HOME"); d != "" {
		if d == "~" || strings.HasPrefix(d, "~/") {
			return "", fmt.Errorf("$PARLEY_HOME is %q, and no shell has made a path of that ~: write the path in full", d)
		}
		return filepath.Abs(d)
	}
	dir := xdg("XDG_STATE_HOME", ".local/state")
	if dir == "" {
		return "", errors.New("no place for messages: set $PARLEY_HOME or $HOME")
	}
	return filepath.Join(dir, "parley"), nil
}

// configHome is "" where there is no home: then there is no config.
func configHome() string {
	dir := xdg("XDG_CONFIG_HOME", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "parley")
}

func dialectDir() string {
	if configHome() == "" {
		return ""
	}
	return filepath.Join(configHome(), "dialects")
}

// xdg is the folder that a variable names, which must be absolute, else one
// below the home; "" if there is no home.
func xdg(env, below string) string {
	if d := os.Getenv(env); filepath.IsAbs(d) {
		return d
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return ""
	}
	return filepath.Join(home, below)
}
