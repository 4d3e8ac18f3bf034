package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/practice/person"
)

// TestPerson: a person types, pauses, errs, erases and submits in the same pane
// into which parley sends: through an attached tmux client, as people do, and
// by bare keys, of which tmux knows nothing. H11, H12, H15. G1, G2, G5, G7.
func TestPerson(t *testing.T) {
	for _, how := range []string{"attached", "bare"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			// What was received is drawn a moment later, as in real programs.
			b := s.practice("buddy", "echo_delay_ms = 20\nkey_echo_delay_ms = 15")
			d := &desk{stage: s, name: "buddy", pane: b.pane, see: b.box, arrived: b.took}
			d.share(how, 1, times(4, 20, 300)).report(t, "practice "+how)
		})
	}
}

// took is every text that the practice agent's box let go.
func (b *buddy) took() (texts []string) {
	for _, e := range b.events() {
		if e.Kind == "submit" {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// box is what a person sees in the practice agent's box.
func (b *buddy) box() (string, error) {
	screen, err := b.s.rig.TryTmux("", "capture-pane", "-p", "-t", b.pane)
	if err != nil {
		return "", err
	}
	var rows []string
	in := false
	for row := range strings.Lines(screen) {
		row = strings.TrimRight(row, "\n")
		switch {
		case strings.HasPrefix(row, "»\u00a0"):
			rows, in = []string{strings.TrimPrefix(row, "»\u00a0")}, true
		case strings.HasPrefix(row, "━━━"):
			in = false
		case in:
			rows = append(rows, row)
		}
	}
	switch {
	case rows == nil:
		return "", errors.New("no box on screen")
	case len(rows) == 1 && strings.HasPrefix(rows[0], "Say something,"):
		return "", nil
	}
	return strings.Join(rows, "\n"), nil
}

// desk is an agent's terminal at which a person sits while parley sends to it.
type desk struct {
	*stage
	name, pane string
	see        func() (string, error) // the box, as the person sees it
	arrived    func() []string        // every text that the agent took, oldest first
}

// sent is one message and what parley said of it.
type sent struct {
	body    string
	receipt parley.Receipt
}

// tally is what came of a person and parley at one desk.
type tally struct {
	sends, carried, waited int             // carried: submitted or queued; waited: deferred
	met, slipped           int             // mixed and not entered; mixed and entered
	said                   int             // texts that the person submitted
	stood                  []time.Duration // from the paste to the key, of those that were carried
}

func (a tally) plus(b tally) tally {
	return tally{a.sends + b.sends, a.carried + b.carried, a.waited + b.waited,
		a.met + b.met, a.slipped + b.slipped, a.said + b.said, append(a.stood, b.stood...)}
}

// report prints the rates, and fails where they are no answer.
func (a tally) report(t *testing.T, where string) {
	t.Helper()
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(a.sends, 1)) }
	slices.Sort(a.stood)
	at := func(p float64) time.Duration { return append(a.stood, 0)[int(p*float64(len(a.stood)))] }
	t.Logf("RESULT %s: from paste to key p50 %v, p95 %v", where, at(0.5), at(0.95))
	t.Logf("RESULT %s: %d sends, %d texts of the person: %.1f %% submitted or queued; met in the box before Enter %d (%.2f %%); slipped into the last undrawn milliseconds %d (%.2f %%)",
		where, a.sends, a.said, percent(a.carried), a.met, percent(a.met), a.slipped, percent(a.slipped))
	// Of fewer than twenty sends one slip would already be more than a fifth.
	if a.sends >= 20 && 10*a.carried < 8*a.sends {
		t.Errorf("%s: %d of %d sends ended submitted or queued", where, a.carried, a.sends)
	}
}

// share lets a person live at the desk while n messages are sent, one after the
// other at times of their own, and judges what came of it.
func (d *desk) share(how string, seed uint64, n int) tally {
	d.Helper()
	p := person.New(d.keyboard(how), person.Options{Seed: seed, See: d.see, Speed: float64(times(2, 1, 1))})
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n+1)*80*time.Second)
	defer cancel()
	enough := make(chan struct{})
	lived := make(chan error, 1)
	go func() { lived <- live(ctx, p, enough) }()

	rnd := rand.New(rand.NewPCG(seed, 2))
	var all []sent
	for i := range n {
		m := sent{body: fmt.Sprintf("message %d of %s", i, how)}
		if rnd.IntN(4) == 0 {
			m.body += "\nwith a second line"
		}
		m.receipt = d.send(d.name, m.body, "--wait", "60s")
		all = append(all, m)
		pause(ctx, time.Duration(rnd.Int64N(int64(6*time.Second))))
	}
	close(enough)
	if err := <-lived; err != nil {
		d.Fatalf("the person: %v", err)
	}
	return d.judge(p, all)
}

// live goes on until it is enough; the last thing is said to its end.
func live(ctx context.Context, p *person.Person, enough <-chan struct{}) error {
	for {
		if err := p.Live(ctx, len(p.Submitted())+1); err != nil {
			return err
		}
		select {
		case <-enough:
			return nil
		default:
		}
	}
}

// pause is a sender's own time between two messages; no state is awaited.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// keyboard is how the person's keys reach the pane.
func (d *desk) keyboard(how string) io.Writer {
	d.Helper()
	tmux := []string{"tmux", "-u", "-S", d.rig.Socket(), "-f", "/dev/null"}
	if how == "bare" {
		return person.Bare(tmux, d.pane)
	}
	var cols, rows uint16
	fmt.Sscan(d.rig.Tmux("display-message", "-p", "-t", d.pane, "#{pane_width} #{pane_height}"), &cols, &rows)
	c, err := person.Attach(tmux, d.pane, cols, rows)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { c.Close() })
	d.until("the client is attached", func() bool { return d.rig.Tmux("list-clients", "-t", d.pane) != "" })
	return c
}

// judge holds the person's records and the receipts against what arrived.
func (d *desk) judge(p *person.Person, all []sent) tally {
	d.Helper()
	said := p.Submitted()
	got := d.settled(said, all)
	a := tally{sends: len(all), said: len(said)}
	for _, m := range all {
		d.judgeOne(m, got, &a)
	}
	d.judgePerson(p, all, got, a)
	if d.Failed() {
		for _, act := range p.Acts() {
			d.Logf("%s the person %s %q %q", act.At.Format("15:04:05.000"), act.Kind, act.Text, act.Saw)
		}
	}
	if n := d.count(d.name); n != len(all) {
		d.Errorf("%d messages in the inbox, %d were sent", n, len(all))
	}
	return a
}

// settled waits until all has arrived of which the person or a receipt says
// so, and gives all that did. What does not come is judged by others.
func (d *desk) settled(said []string, all []sent) (got []string) {
	d.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		got = d.arrived()
		text := strings.Join(got, "\n")
		missing := slices.ContainsFunc(said, func(s string) bool { return !slices.Contains(got, s) })
		for _, m := range all {
			carried := m.receipt.Outcome == parley.Submitted || m.receipt.Outcome == parley.Queued
			missing = missing || carried && !strings.Contains(text, m.receipt.ID.Tag())
		}
		if !missing {
			break
		}
	}
	return got
}

// judgeOne holds one receipt against the texts that bear its tag.
func (d *desk) judgeOne(m sent, got []string, a *tally) {
	d.Helper()
	r, stood := d.records(m.receipt) // one that is deferred, the next sender carries
	if m.receipt.Outcome == parley.Deferred {
		a.waited++
	}
	tag := "[#" + r.ID.Tag() + "]"
	whole := "dana: " + m.body + " " + tag
	var with []string
	for _, text := range got {
		if strings.Contains(text, tag) {
			with = append(with, text)
		}
	}
	if len(with) > 1 {
		d.Errorf("%s arrived %d times: %q", tag, len(with), with)
	}
	exact := len(with) == 1 && with[0] == whole
	bad := ""
	switch {
	case r.Outcome == parley.Submitted || r.Outcome == parley.Queued:
		if m.receipt.Outcome != parley.Deferred {
			a.carried++
			a.stood = append(a.stood, stood)
		}
		if !exact {
			bad = "is carried, but it did not arrive alone and whole"
		}
	case r.Outcome == parley.Deferred:
		if len(with) != 0 {
			bad = "is deferred, but it arrived"
		}
	case r.Reason == parley.ReasonMixed && r.Touched == parley.Pasted:
		a.met++
		d.Logf("%s %s met a key before Enter", r.At.Format(time.TimeOnly), tag)
		if len(with) != 0 {
			bad = "was not entered, but it arrived"
		}
	case r.Reason == parley.ReasonMixed && r.Touched == parley.Entered && !exact:
		a.slipped++
		d.Logf("%s %s went out with a key: %q", r.At.Format(time.TimeOnly), tag, with)
	default:
		bad = "is neither carried, deferred nor mixed"
	}
	if bad != "" {
		d.Errorf("%s %s: %q\n%s%s\narrived %q", tag, bad, whole, d.parley("log", string(r.ID)).out, r.Evidence, with)
	}
}

// records gives the newest receipt of a message, and how long its text stood
// in the box before the key: the time in which a person could meet it.
func (d *desk) records(r parley.Receipt) (parley.Receipt, time.Duration) {
	d.Helper()
	at := map[parley.Step]time.Time{}
	for line := range strings.Lines(d.parley("log", string(r.ID), "--json").out) {
		var record struct {
			Receipt *parley.Receipt `json:"receipt"`
			Attempt *parley.Attempt `json:"attempt"`
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			d.Fatalf("log %s: %v: %s", r.ID, err, line)
		}
		if record.Receipt != nil {
			r = *record.Receipt
		}
		if record.Attempt != nil {
			at[record.Attempt.Step] = record.Attempt.At
		}
	}
	return r, at[parley.StepPress].Sub(at[parley.StepPaste])
}

// judgePerson holds what the person did against what arrived: every text once,
// in order and as it was composed; cleared only where a receipt admits that
// other text was there.
func (d *desk) judgePerson(p *person.Person, all []sent, got []string, a tally) {
	d.Helper()
	var own []string
	for _, text := range got {
		if !strings.Contains(text, "[#") {
			own = append(own, text)
		}
	}
	if said := p.Submitted(); !slices.Equal(own, said) {
		d.Errorf("the person submitted\n%q\nwhat arrived besides messages is\n%q", said, own)
	}
	cleared := 0
	for _, act := range p.Acts() {
		switch act.Kind {
		case person.Cleared:
			cleared++
			d.Logf("the person had %q and saw %q", act.Text, act.Saw)
		case person.Noticed:
			d.Logf("noticed: had %q, saw %q", act.Text, act.Saw)
		}
	}
	if cleared > a.met+a.slipped {
		d.Errorf("the person cleared the box %d times, %d receipts say mixed", cleared, a.met+a.slipped)
	}
}
