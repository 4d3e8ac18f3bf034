package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/inbox"
	"parley/internal/practice"
)

// alive is how many senders run at the same time, at most.
const alive = 200

// letter is one message and where it is sent: agent, and the flags of its
// sender.
type letter struct {
	to    *buddy
	home  string // state folder
	team  string
	body  string
	got   parley.Receipt
	wrong error
}

// sendAll sends every letter by a process of its own, alive at a time.
func (s *stage) sendAll(letters []*letter) {
	s.Helper()
	slots := make(chan struct{}, alive)
	var all sync.WaitGroup
	for _, l := range letters {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			c := s.command("--team", l.team, "send", "--json", "--wait", "90s", l.to.name, "-")
			c.Env = append(s.env(), "PARLEY_HOME="+l.home)
			c.Stdin = strings.NewReader(l.body)
			var out, errs bytes.Buffer
			c.Stdout, c.Stderr = &out, &errs
			if err := c.Run(); err != nil {
				l.wrong = fmt.Errorf("%w: %s%s", err, out.String(), errs.String())
				return
			}
			l.wrong = json.Unmarshal(out.Bytes(), &l.got)
		})
	}
	all.Wait()
	for _, l := range letters {
		if l.wrong != nil {
			s.Errorf("%q: %v", head(l.body), l.wrong)
		} else if l.got.Outcome != parley.Submitted && l.got.Outcome != parley.Queued {
			s.Errorf("%q: %s (%s)", head(l.body), l.got.Outcome, l.got.Reason)
		}
	}
}

func head(s string) string { return s[:min(len(s), 40)] }

// whole is the text that a letter arrives as.
func (l *letter) whole() string {
	tag := "[#" + l.got.ID.Tag() + "]"
	if strings.Count(l.body, "\n") >= 3 { // folded: signature and tag stand before it
		return "dana " + tag + ": " + l.body
	}
	return "dana: " + l.body + " " + tag
}

// arrivedWhole checks what the agent's log says of the letters to it: each
// exactly once and whole, nothing else, and no paste or key of one between
// those of another.
func (b *buddy) arrivedWhole(letters []*letter) {
	b.s.Helper()
	var want, got []string
	for _, l := range letters {
		if l.to == b {
			want = append(want, l.whole())
		}
	}
	b.s.until("the last prompt's turn is over", func() bool { return b.count("begin", nil) == len(want) })
	pasted := "" // since the last Enter
	for _, e := range b.events()[b.started:] {
		switch e.Kind {
		case "paste":
			pasted += string(e.Bytes)
		case "key":
			if e.Key != "enter" {
				b.s.Errorf("%s: the key %s", b.name, e.Key)
			}
		case "submit":
			got = append(got, e.Text)
			if e.Text != pasted {
				b.s.Errorf("%s: submitted %q, pasted for it %q", b.name, e.Text, pasted)
			}
			pasted = ""
		}
	}
	slices.Sort(want)
	sorted := slices.Sorted(slices.Values(got))
	if !slices.Equal(sorted, want) {
		b.s.Errorf("%s received\n%q\nwant\n%q", b.name, sorted, want)
	}
	if enters := b.count("key", func(e practice.Event) bool { return e.Key == "enter" }); enters != len(want) {
		b.s.Errorf("%s: %d Enters for %d messages", b.name, enters, len(want))
	}
}

// inOrder checks that the messages of one inbox arrived in its order, and that
// the inbox is whole.
func (b *buddy) inOrder(home, team string) {
	b.s.Helper()
	var tags []string
	c := b.s.command("--team", team, "inbox", b.name, "-n", "0", "--json")
	c.Env = append(b.s.env(), "PARLEY_HOME="+home)
	for line := range strings.Lines(b.s.finish(c).out) {
		var m struct{ ID parley.ID }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			b.s.Fatalf("inbox: %v: %s", err, line)
		}
		tags = append(tags, "[#"+m.ID.Tag()+"]")
	}
	var arrived []string
	for _, e := range b.events()[b.started:] {
		for _, tag := range tags {
			if e.Kind == "submit" && strings.Contains(e.Text, tag) {
				arrived = append(arrived, tag)
			}
		}
	}
	if !slices.Equal(arrived, tags) {
		b.s.Errorf("%s (%s): arrived in the order\n%q\nits inbox has\n%q", b.name, team, arrived, tags)
	}
	box := inbox.Open(inbox.File(filepath.Join(home, "teams", team, "inbox"), parley.Name(b.name)))
	rep, err := box.Check()
	if err != nil || rep.Wrong != "" || len(rep.Bad)+len(rep.Torn) > 0 || rep.Messages != len(tags) {
		b.s.Errorf("%s: the inbox is not whole: %+v %v", b.name, rep, err)
	}
}

// leftNothing: no buffer in tmux, and no lock: what is sent now goes at once.
func (b *buddy) leftNothing() {
	b.s.Helper()
	if left := b.s.rig.Tmux("list-buffers"); left != "" {
		b.s.Errorf("buffers stayed behind: %s", left)
	}
	began := time.Now()
	r := b.s.send(b.name, "and one more", "--wait", "0")
	b.s.wants(r, parley.Submitted, "")
	if took := time.Since(began); took > 5*time.Second {
		b.s.Errorf("%s: a send with nobody before it took %v", b.name, took)
	}
}

// TestTwoHundredSenders: two hundred senders at once to five agents. G1, G2,
// G4. H21.
func TestTwoHundredSenders(t *testing.T) {
	s := newStage(t)
	var agents []*buddy
	for i := range 5 {
		agents = append(agents, s.practice(fmt.Sprintf("agent%d", i), ""))
	}
	s.parley("status")
	var letters []*letter
	for i := range 200 {
		body := fmt.Sprintf("letter %d", i)
		switch i % 4 {
		case 1:
			body += "\nwith a second line"
		case 3: // folded: two pastes
			body += strings.Repeat("\nand another line", 5)
		}
		letters = append(letters, &letter{to: agents[i/4%5], home: s.state(), team: "main", body: body})
	}
	for _, b := range agents {
		b.mark()
	}
	began := time.Now()
	s.sendAll(letters)
	t.Logf("RESULT two hundred senders, %d alive at a time, five agents: %.1f s", alive, time.Since(began).Seconds())
	for _, b := range agents {
		b.arrivedWhole(letters)
		b.inOrder(s.state(), "main")
		b.leftNothing()
	}
}

// TestOnePaneManyTeams: senders of two teams and of two state folders to the
// same pane know nothing of each other, and still type one after the other.
func TestOnePaneManyTeams(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	places := []letter{
		{home: s.state(), team: "main"}, {home: s.state(), team: "second"},
		{home: s.state() + "2", team: "main"}, {home: s.state() + "2", team: "third"},
	}
	b.mark()
	var letters []*letter
	for i := range times(24, 60, 200) {
		l := places[i%len(places)]
		l.to, l.body = b, fmt.Sprintf("letter %d of team %s", i, l.team)
		letters = append(letters, &l)
	}
	s.sendAll(letters)
	b.arrivedWhole(letters)
	for _, p := range places {
		b.inOrder(p.home, p.team)
	}
	b.leftNothing()
}
