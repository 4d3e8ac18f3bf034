package courier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/inbox"
	"parley/internal/roster"
	"parley/internal/term"
)

// settler finishes, under the target's lock, what earlier deliveries to it
// left open: attempts whose sender ended in mid-walk, and queued messages
// whose turn has come. It decides from evidence only and never pastes.
type settler struct {
	c      *Courier
	box    *inbox.Box
	line   term.Terminal
	member roster.Member
	types  bool // it may press keys for a text that stands in the box; verbs that only look may not

	strange map[string]bool // tags that no inbox knows, for as long as one delivery lasts; may be nil
}

// queuedFor is how long a queued message must be out of sight, on an idle
// screen, before it counts as not landed: records lag screens by up to 0.9 s.
const queuedFor = 10 * time.Second

func (s *settler) run(ctx context.Context) error {
	open, err := s.box.OpenMessages()
	if err == nil && s.types && slices.ContainsFunc(open, func(e inbox.Entry) bool { return e.Tried }) {
		if _, err = s.residue(ctx); err == nil { // what stands in the box has its end by that
			open, err = s.box.OpenMessages()
		}
	}
	if err != nil {
		return err
	}
	for _, e := range open {
		switch {
		case e.Tried:
			err = s.attempt(ctx, e)
		case e.Receipt != nil && e.Receipt.Outcome == parley.Queued:
			err = s.queued(ctx, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// attempt closes an attempt that has no receipt: submitted on the CLI's own
// record, else unknown. It is never typed again.
func (s *settler) attempt(ctx context.Context, e inbox.Entry) error {
	of := left{c: s.c, box: s.box, e: e}
	r := of.closing(parley.ReasonInterrupted)
	w, ok := s.walkFor(ctx, e.Message)
	f := w.recorded(e, ok)
	switch {
	case f.prompt && f.same:
		r.Outcome, r.Reason, r.Touched = parley.Submitted, "", parley.Entered
		r.Evidence, r.Changes = []parley.Evidence{parley.Transcript}, f.changes
		w.tie(f)
	case f.prompt:
		r.Reason, r.Touched = parley.ReasonMixed, parley.Entered
	case lastStep(e) == parley.StepClear && ok:
		if s.mayRest(w) {
			return nil // whoever types next goes on with it
		}
		r.Reason = parley.ReasonCleared
	case lastStep(e) == parley.StepClear && !w.lost:
		return nil
	}
	r.Altered = len(r.Changes) > 0
	if last := e.Attempts[len(e.Attempts)-1]; last.Residue {
		return of.ended(ctx, s.member.Target, endOf(last.Step, r), r)
	}
	if err := s.box.Receipt(r); err != nil {
		return err
	}
	return s.c.tell(ctx, e.Message, r)
}

// queued looks for a message that its CLI held for later: in the record it is
// seen; still alone in the box it gets its one key; nowhere on an idle screen
// it has not landed.
func (s *settler) queued(ctx context.Context, e inbox.Entry) error {
	w, ok := s.walkFor(ctx, e.Message)
	f := w.recorded(e, ok)
	switch {
	case f.prompt && f.same:
		w.tie(f)
		return s.box.Fact(parley.Fact{ID: e.Message.ID, Kind: parley.Seen, At: now()})
	case f.prompt:
		return s.close(ctx, e, parley.Unknown, parley.ReasonMixed)
	case w.lost:
		return s.close(ctx, e, parley.Unknown, parley.ReasonEnded)
	case !ok:
		return nil
	case w.read.Turn != dialect.Idle || time.Since(e.Receipt.At) < queuedFor:
		return nil
	case w.stillOurs() == nil && s.types:
		return s.enter(ctx, w)
	case w.read.Composer == dialect.Empty && !w.read.Queued:
		return s.notLanded(ctx, e)
	}
	return nil
}

// enter presses the one key for a queued text that stands alone in the box,
// unless a person is at the keys.
func (s *settler) enter(ctx context.Context, w *walk) error {
	if w.judgeState(w.seen) != nil || w.watchFor(ctx, drawWithin) != nil {
		return nil
	}
	w.rec.Touched = parley.Entered // when it was queued
	w.prove(parley.InBox)
	w.expect()
	if err := w.attempt(ctx, parley.StepAgain); err != nil {
		return err
	}
	end := w.press(ctx)
	if end == nil {
		end = w.watch(ctx)
	}
	return s.box.Receipt(w.finish(end))
}

func (s *settler) notLanded(ctx context.Context, e inbox.Entry) error {
	return s.close(ctx, e, parley.Unknown, parley.ReasonNotLanded)
}

func (s *settler) close(ctx context.Context, e inbox.Entry, o parley.Outcome, why parley.Reason) error {
	r := receiptFor(e.Message)
	r.Outcome, r.Reason, r.Touched, r.Evidence = o, why, parley.Entered, e.Receipt.Evidence
	if err := s.box.Receipt(r); err != nil {
		return err
	}
	return s.c.tell(ctx, e.Message, r)
}

// walkFor looks at the target as a walk of m would; not ok if the agent that
// was meant is not in sight.
func (s *settler) walkFor(ctx context.Context, m parley.Message) (*walk, bool) {
	w := &walk{c: s.c, box: s.box, line: s.line, member: s.member, m: m, began: time.Now(), rec: receiptFor(m)}
	seen, err := s.line.Look(ctx)
	if err != nil {
		w.lost = errors.Is(err, term.ErrNoPane)
		return w, false
	}
	w.seen = seen
	if e := w.judgeProcess(seen); e != nil {
		w.lost = e.outcome == parley.Gone
		return w, false
	}
	w.read = w.agent.Dialect.Read(seen.Screen, w.agent.Version)
	w.text = compose(m, w.agent.Dialect)
	return w, true
}

// recorded looks for an earlier attempt's text in the agent's record. The record
// outlives its process: for an agent that is not in sight, what its identity
// tells is enough to find it.
func (w *walk) recorded(e inbox.Entry, inSight bool) recorded {
	if !inSight {
		a, known := roster.Once(w.c.dialects, e.Message.Meant)
		if !known {
			return recorded{}
		}
		w.agent, w.text = a, compose(e.Message, a.Dialect)
	}
	return recordedEver(w.agent, w.text, e, !inSight)
}

// tell leaves a line in the sender's inbox about what became of a message
// after its `send` had returned.
func (c *Courier) tell(ctx context.Context, m parley.Message, r parley.Receipt) error {
	if r.Outcome == parley.Submitted || r.Outcome == parley.Deferred {
		return nil
	}
	return c.mail(ctx, m, "", c.outcomeOf(m, r))
}

// outcomeOf is a sentence about what became of a message, as its sender needs it.
func (c *Courier) outcomeOf(m parley.Message, r parley.Receipt) string {
	_, team := c.sender(m)
	to := c.asSeenFrom(team, m.To)
	why := r.Reason.Meaning()
	if why.Means == "" {
		return fmt.Sprintf("your message %s to %s: %s (touched: %s)", m.ID, to, r.Outcome, r.Touched)
	}
	member, _, _ := c.roster.Member(m.To)
	return fmt.Sprintf("your message %s to %s: %s (%s, touched: %s), because %s. %s", m.ID, to, r.Outcome, r.Reason, r.Touched, why.Means,
		c.filled(advised(r), r, member, team))
}

// mail puts a line about a message into its sender's inbox. What has a word is
// said once by that word, whoever repeats it.
func (c *Courier) mail(ctx context.Context, m parley.Message, word, say string) error {
	key := ""
	if word != "" {
		key = fmt.Sprintf("residue %s %s", m.ID, word)
	}
	to, team := c.sender(m)
	_, _, err := c.in(team).Post(context.WithoutCancel(ctx), Draft{From: "parley", To: to, Mailbox: true, ReplyTo: m.ID, Body: say, Key: key})
	return err
}

// sender is who sent a message, and the team in which that is a name.
func (c *Courier) sender(m parley.Message) (parley.Name, string) {
	name, team, far := strings.Cut(string(m.From), "@")
	if !far {
		team = c.cfg.Team
	}
	return parley.Name(name), team
}
