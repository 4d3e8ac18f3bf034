package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"parley"
	"parley/courier"
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

// open reads the config and opens the team's courier.
func (a *app) open(notice func(courier.Waiting)) (*courier.Courier, error) {
	if err := a.read(); err != nil {
		return nil, err
	}
	team, err := a.teamName()
	if err != nil {
		return nil, err
	}
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return nil, usage{err}
	}
	return courier.Open(courier.Config{Home: stateHome(), Team: team, Dialects: dialectDir(),
		Socket: socket, Unproven: a.conf.Unproven, Notice: notice})
}

func (a *app) read() error {
	path := filepath.Join(configHome(), "config.toml")
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := toml.NewDecoder(f).DisallowUnknownFields().Decode(&a.conf); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return usagef("%s: unknown key:\n%s", path, strict.String())
		}
		return usagef("%s: %w", path, err)
	}
	return nil
}

func (a *app) teamName() (string, error) {
	for _, t := range []string{a.team, os.Getenv("PARLEY_TEAM"), nearestTeam(), "main"} {
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

// nearestTeam reads [team] name from the nearest parley.toml upward.
func nearestTeam() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; ; dir = filepath.Dir(dir) {
		b, err := os.ReadFile(filepath.Join(dir, "parley.toml"))
		if err == nil {
			var t struct{ Team struct{ Name string } }
			if toml.Unmarshal(b, &t) == nil {
				return t.Team.Name
			}
			return ""
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// person is the name of the person at this machine: the config's, else $USER.
func (a *app) person() parley.Name {
	for _, s := range []string{a.conf.Name, os.Getenv("USER")} {
		if n, err := parley.ParseName(s); err == nil {
			return n
		}
	}
	if u, err := user.Current(); err == nil { // asks the system's directory: last
		if n, err := parley.ParseName(u.Username); err == nil {
			return n
		}
	}
	return "person"
}

// speaker says who sends: the agent whose process tree runs this command, else
// the claimed name, else the person. claimed is true for the last two.
func (a *app) speaker(ctx context.Context, c *courier.Courier, from string) (who parley.Name, claimed bool, err error) {
	socket, err := tmux.Socket(a.socket)
	if err != nil {
		return "", false, usage{err}
	}
	sp, err := roster.Speaking(ctx, c.Dialects(), c.Roster(), socket, os.Getenv)
	if err != nil {
		return "", false, err
	}
	if from == "" {
		if sp.Agent && sp.Name == "" {
			return "", false, usagef("this runs inside an agent that has no name yet: run `parley join --as NAME` in its pane")
		}
		if sp.Agent {
			return sp.Name, false, nil
		}
		return a.person(), true, nil
	}
	who, err = parley.ParseName(from)
	if err != nil {
		return "", false, usage{err}
	}
	if sp.Agent && who == sp.Name {
		return who, false, nil
	}
	return who, true, a.mayClaim(ctx, c, sp, who)
}

// mayClaim refuses a claimed name that is somebody else's.
func (a *app) mayClaim(ctx context.Context, c *courier.Courier, sp roster.Speaker, who parley.Name) error {
	switch {
	case sp.Agent && sp.Name != "":
		return courier.Refusal{Reason: parley.ReasonNameTaken, Say: fmt.Sprintf("this runs inside %s, which cannot speak as %s", sp.Name, who)}
	case sp.Agent && who == a.person():
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

func stateHome() string {
	if d := os.Getenv("PARLEY_HOME"); d != "" {
		return d
	}
	return filepath.Join(xdg("XDG_STATE_HOME", ".local/state"), "parley")
}

func configHome() string { return filepath.Join(xdg("XDG_CONFIG_HOME", ".config"), "parley") }

func dialectDir() string { return filepath.Join(configHome(), "dialects") }

func xdg(env, below string) string {
	if d := os.Getenv(env); filepath.IsAbs(d) {
		return d
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	return filepath.Join(home, below)
}
