package e2e

import (
	"strings"
	"testing"

	"parley"
	"parley/e2e/rig"
)

// twins is a scene with an agent that was found under the name "web", and
// others that may bear it too.
type twins struct {
	*stage
	a, b *buddy // a was found first
}

// another starts a practice agent in a new tmux session "web".
func (w *twins) another() *buddy {
	w.Helper()
	b := w.practice("anew", "")
	w.rig.Tmux("rename-session", "-t", "=anew", "web")
	return b
}

// goes holds a send to web against what must come of it: it reached the one
// that it must and nobody else.
func (w *twins) goes(to *buddy) {
	w.Helper()
	w.mark()
	r := w.send("web", "hello")
	w.wants(r, parley.Submitted, "")
	w.only(to)
}

// is holds a send that must reach nobody against its outcome.
func (w *twins) is(o parley.Outcome, why parley.Reason) {
	w.Helper()
	w.mark()
	r := w.send("web", "for whom?", "--wait", "1s")
	w.wants(r, o, why)
	w.only(nil)
}

// refused: nothing is saved or typed, and the places are named.
func (w *twins) refused(places ...string) {
	w.Helper()
	w.mark()
	before := w.count("web")
	r := w.parley("send", "web", "for whom?")
	if r.code != 2 || !strings.HasSuffix(strings.TrimSpace(r.err), "reason=ambiguous") || w.count("web") != before {
		w.Errorf("exit %d, %d messages more\n%s%s", r.code, w.count("web")-before, r.out, r.err)
	}
	for _, p := range append(places, "`parley join --as web --pane "+w.a.pane) {
		if !strings.Contains(r.err, p) {
			w.Errorf("%q is not in: %s", p, r.err)
		}
	}
	w.only(nil)
}

func (w *twins) mark() {
	w.a.mark()
	if w.b != nil {
		w.b.mark()
	}
}

// only checks that one agent was typed into since the mark, or none.
func (w *twins) only(to *buddy) {
	w.Helper()
	for name, b := range map[string]*buddy{"first": w.a, "second": w.b} {
		if b == nil {
			continue
		}
		want := 0
		if b == to {
			want = 1
		}
		if n, keys := b.count("paste", nil), len(b.pressed()); n != want || keys != want {
			w.Errorf("the %s agent got %d pastes and %d keys, want %d", name, n, keys, want)
		}
	}
}

// TestTwins: whatever happens to the tmux session by whose name an agent was
// found, a message goes to that agent or to nobody. H27, H28, H32.
func TestTwins(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(w *twins){
		"case twin": func(w *twins) {
			w.b = w.practice("Web", "")
			w.refused("practice in pane "+w.a.pane+` of "web"`, "(web)", "practice in pane "+w.b.pane+` of "Web"`, w.rig.Socket())
			w.parley("status") // takes the name from nobody
			w.refused(w.a.pane, w.b.pane)
			if got := w.parley("explain", "web"); got.code != 2 {
				w.Errorf("explain: exit %d %s", got.code, got.out)
			}
			w.parley("join", "--as", "web", "--pane", w.a.pane)
			w.goes(w.a)
		},
		"case twin without an agent": func(w *twins) {
			w.rig.Tmux("new-session", "-d", "-s", "Web", "/bin/sh")
			w.goes(w.a)
		},
		"case twin, and the first has ended": func(w *twins) {
			w.b = w.practice("Web", "")
			w.a.quit()
			w.is(parley.Gone, parley.ReasonNotAnAgent)
			w.parley("status")
			w.goes(w.b)
		},
		"a name that begins alike": func(w *twins) {
			w.b = w.practice("web-2", "")
			w.goes(w.a)
		},
		"another agent beside it": func(w *twins) {
			w.b = w.a.beside("second")
			w.goes(w.a)
			w.parley("status")
			w.rig.Tmux("select-pane", "-t", w.b.pane)
			w.goes(w.a)
		},
		"another agent beside it, and it has ended": func(w *twins) {
			w.b = w.a.beside("second")
			w.a.quit()
			w.is(parley.Gone, parley.ReasonNotAnAgent)
			w.parley("status")
			w.goes(w.b)
		},
		"renamed": func(w *twins) {
			w.rig.Tmux("rename-session", "-t", "=web", "old")
			w.goes(w.a)
			w.b = w.another()
			w.is(parley.Gone, parley.ReasonWrongProcess)
			w.parley("status")
			w.goes(w.b)
		},
		"renamed to another case": func(w *twins) {
			w.rig.Tmux("rename-session", "-t", "=web", "WEB")
			w.goes(w.a)
			w.b = w.another()
			w.refused(`"WEB"`, `"web"`)
		},
		"joined into another session": func(w *twins) {
			w.b = w.practice("api", "")
			w.rig.Tmux("join-pane", "-d", "-s", w.a.pane, "-t", w.b.pane)
			w.goes(w.a) // the tmux session web is no more
			c := w.another()
			w.is(parley.Gone, parley.ReasonWrongProcess)
			w.parley("status")
			w.b = c
			w.goes(c)
		},
		"broken out into another session": func(w *twins) {
			w.b = w.a.beside("second")
			w.rig.Tmux("new-session", "-d", "-s", "api", "/bin/sh")
			w.rig.Tmux("break-pane", "-d", "-s", w.a.pane, "-t", "=api:")
			w.is(parley.Gone, parley.ReasonWrongProcess)
			w.parley("status")
			w.goes(w.b)
		},
		"broken out into a window of its own": func(w *twins) {
			w.b = w.a.beside("second")
			w.rig.Tmux("break-pane", "-d", "-s", w.a.pane)
			w.goes(w.a)
		},
		"swapped": func(w *twins) {
			w.b = w.practice("api", "")
			w.parley("status")
			w.rig.Tmux("swap-pane", "-d", "-s", w.a.pane, "-t", w.b.pane)
			w.is(parley.Gone, parley.ReasonWrongProcess)
			w.parley("status") // each has the name of the tmux session that it stands in now
			w.goes(w.b)
		},
		"its window linked into another session": func(w *twins) {
			w.rig.Tmux("new-session", "-d", "-s", "Web2", "/bin/sh", ";", "link-window", "-s", "=web:0", "-t", "=Web2:9")
			w.goes(w.a)
			w.rig.Tmux("rename-session", "-t", "=Web2", "WEB")
			w.goes(w.a) // the same agent, twice
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			w := &twins{stage: s, a: s.practice("web", "")}
			s.parley("status")
			run(w)
		})
	}
}

// TestTwinServers: the same name on two tmux servers.
func TestTwinServers(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	w := &twins{stage: s, a: s.practice("web", "")}
	s.parley("status")
	other := *s
	other.rig = rig.New(t)
	far := &twins{stage: &other, a: w.a}
	w.goes(w.a)
	if r := other.parley("send", "web", "there is no other"); r.code != 0 {
		t.Errorf("exit %d %s", r.code, r.err)
	}

	w.b = other.practice("web", "")
	far.b = w.b
	w.goes(w.a) // on its own server it is the only one
	both := []string{"practice in pane " + w.a.pane, s.rig.Socket(), other.rig.Socket()}
	far.refused(append(both, "--tmux-socket "+s.rig.Socket())...)
	other.parley("status") // does not take the name from the one that bears it
	far.refused(both...)
	w.goes(w.a)

	// What was saved before goes to whom it was meant for, from wherever it is tried again.
	w.a.typed("half a thought")
	w.a.sees("half a thought")
	w.mark()
	r := s.send("web", "for the first", "--wait", "0")
	s.wants(r, parley.Deferred, parley.ReasonDraft)
	w.a.keys("C-u")
	w.a.waitFor("key")
	w.mark()
	if got := other.parley("deliver", string(r.ID)); got.code != 0 {
		t.Errorf("exit %d %s", got.code, got.err)
	}
	w.only(w.a)

	// The first has ended: now the name is the other's, once somebody looks.
	w.a.quit()
	far.is(parley.Gone, parley.ReasonNotAnAgent)
	other.parley("status")
	far.goes(w.b)
}
