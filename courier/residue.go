package courier

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/dialect"
	"parley/internal/inbox"
)

// lateAfter is how old a text in a box may be for its key still to be pressed.
const lateAfter = 10 * time.Minute

// left is the text of one earlier attempt that a box holds.
type left struct {
	c    *Courier // of its team
	box  *inbox.Box
	e    inbox.Entry
	text typed
}

// standing is what a box holds of ours, and nothing beside it.
type standing struct {
	texts []left // in their order; two where a CLI drew the first too late for the second's sender
	part  bool   // a signature alone, or what an earlier clearing has left of it
}

// residue settles what earlier attempts left in the box: their one key if it
// was never pressed and they are young, else the text is taken out again. It
// touches nothing but text that is ours alone and whose senders live, and
// reports whether the box has changed.
func (s *settler) residue(ctx context.Context) (settled bool, err error) {
	w, ok := s.walkFor(ctx, parley.Message{To: s.member.Name, Meant: s.member.Identity})
	if !ok || w.read.Composer != dialect.Draft || w.blocked() != "" || s.notNow(w) {
		return false, nil
	}
	found, why, err := s.found(w)
	if err != nil || len(found) == 0 && why == "" {
		return false, err
	}
	st := w.alone(found)
	switch {
	case len(found) == 0:
	case st == nil:
		found = slices.DeleteFunc(found, func(l left) bool { return l.begun() && !w.mayHold(l.text) })
		why = whyMixed
	default:
		why = st.mayNot(w)
	}
	if why != "" {
		return false, s.stays(w, found, why)
	}
	if st.mayEnter(w) {
		if st.waits(w) {
			return false, nil
		}
		return s.enterLate(ctx, st.texts[0])
	}
	if w.clearKey() == "" {
		return false, s.stays(w, found, whyNoKey)
	}
	return s.clear(ctx, w, st)
}

// notNow reports whether the moment is a bad one, whatever stands in the box.
func (s *settler) notNow(w *walk) bool {
	return w.judgeState(w.seen) != nil || !s.c.mayTypeBy(w.agent.Dialect) ||
		w.seen.State.PersonAt.IsZero() && s.c.mayBegin(s.member.Target)
}

// found lists the attempts whose tags stand in the box, in order, and behind
// them those that somebody was about to clear: what is left of them may show no
// tag any more. Without one, why says what the tags are, if there are any.
func (s *settler) found(w *walk) (all []left, why string, err error) {
	for _, tag := range tagsIn(w.read.Draft) {
		l, ok, err := s.known(tag)
		if err != nil {
			return nil, "", err
		}
		switch {
		case !ok:
			why = whyUnknown
		case l.e.Outcome == parley.Queued && l.e.Open():
			return nil, "", nil // has its own end: see queued
		case !wasTyped(l.e):
			why = whyTaken
		case l.e.Message.Meant != w.agent.Identity:
			why = whyProcess
		default:
			all = append(all, l)
		}
	}
	open, err := s.box.OpenMessages()
	for _, e := range open {
		l := left{c: s.c, box: s.box, e: e}
		again := func(o left) bool { return o.e.Message.ID == e.Message.ID }
		if l.begun() && !slices.ContainsFunc(all, again) {
			all = append(all, l)
		}
	}
	for i := range all {
		all[i].text = compose(all[i].e.Message, w.agent.Dialect)
	}
	return all, why, err
}

// begun reports whether somebody was in the middle of taking the text out.
func (l left) begun() bool { return l.e.Tried && lastStep(l.e) == parley.StepClear }

// wasTyped reports whether an attempt at a message ended with its text in the
// box as far as anybody knows.
func wasTyped(e inbox.Entry) bool {
	return len(e.Attempts) > 0 && (e.Tried || e.Outcome == parley.Unknown)
}

// tagsIn lists the tags in a draft, each once; a narrow box wraps them.
func tagsIn(draft string) (tags []string) {
	for _, t := range tagShape.FindAllString(strings.ReplaceAll(draft, "\n", ""), -1) {
		if !slices.Contains(tags, t) {
			tags = append(tags, t)
		}
	}
	return tags
}

// known finds the message of a tag in the inboxes of all who ever stood at this
// target, in any team: its own first.
func (s *settler) known(tag string) (l left, ok bool, err error) {
	if s.strange[tag] {
		return l, false, nil
	}
	id := strings.Trim(tag, "[#]")
	here := []left{{c: s.c, box: s.box}}
	for n := 0; n < len(here); n++ {
		if here[n].e, ok, err = here[n].box.Find(id); ok || err != nil {
			return here[n], ok, err
		}
		if n == 0 {
			here = append(here, s.neighbours()...)
		}
	}
	if s.strange != nil {
		s.strange[tag] = true
	}
	return l, false, nil
}

// alone finds what of the found ones the box holds, if it holds nothing else.
func (w *walk) alone(found []left) *standing {
	whole := func(want dialect.Wanted) bool {
		return w.agent.Dialect.Holds(w.read, want) == dialect.MatchWhole
	}
	for i, a := range found {
		sign := a.text.want.Signature
		switch {
		case whole(a.text.want):
			return &standing{texts: found[i : i+1]}
		case sign != "" && whole(dialect.Wanted{Body: sign, Whole: sign, Tag: a.text.tag}),
			a.begun() && dialect.Begins(w.read, a.text.want, a.text.name):
			return &standing{texts: found[i : i+1], part: true}
		}
	}
	for _, a := range found {
		for _, b := range found {
			both := a.text.before(b.text)
			if a.text.tag != b.text.tag && (whole(both) || a.begun() && b.begun() && dialect.Begins(w.read, both, a.text.name)) {
				return &standing{texts: []left{a, b}, part: true}
			}
		}
	}
	return nil
}

// before is two texts one behind the other.
func (t typed) before(u typed) dialect.Wanted {
	both := dialect.Wanted{Body: t.want.Body, Whole: t.whole + u.whole, Tag: u.tag}
	if t.want.Signature == "" && u.want.Signature != "" {
		both.Body = u.want.Body
	}
	return both
}

// mayNot says why the text stays although it is ours alone.
func (st *standing) mayNot(w *walk) string {
	for _, l := range st.texts {
		switch why := l.c.silent(l.e.Message); {
		case why != "":
			return why
		case recordedEver(w.agent, l.text, l.e, false).prompt:
			return whyTaken // it went out once: what stands there is a person's, who brought it back
		case !l.e.Tried && hasStep(l.e, parley.StepClear):
			return whyBefore
		}
	}
	return ""
}

// silent says why the sender of a message is nobody who could be told that it
// was settled; empty for a live one. An agent lives as long as the process that
// was proven to send it. The person has no process, and is always there. Any
// other name was a claim, and nothing proves that anybody bears it.
func (c *Courier) silent(m parley.Message) string {
	name, _, _ := strings.Cut(string(m.From), "@")
	switch {
	case m.SentBy != "" && c.cfg.Alive(m.SentBy), m.SentBy == "" && m.Claimed && c.cfg.Person(parley.Name(name)):
		return ""
	case m.SentBy != "":
		return whySender
	}
	return whyClaim
}

// mayEnter reports whether the text gets its one key: it stands there whole, no
// key was ever asked for, and it is young and still news to its recipient.
func (st *standing) mayEnter(w *walk) bool {
	return len(st.texts) == 1 && st.reason(w) == ""
}

// reason says why the text is taken out instead of entered.
func (st *standing) reason(w *walk) string {
	e := st.texts[0].e
	age := w.seen.At.Sub(pastedAt(e))
	switch {
	case len(st.texts) > 1:
		return whyTwo
	case wasPressed(e):
		return whyPressed
	case st.part:
		return whyPart
	case age < 0 || age >= lateAfter:
		return whyOld
	case e.Read:
		return whyRead
	case hasStep(e, parley.StepClear):
		return whyBegun
	}
	return ""
}

// waits reports whether the agent works and the text is not for a working one.
func (st *standing) waits(w *walk) bool {
	return w.read.Turn != dialect.Idle && (!w.agent.Dialect.Submit.Keeps || st.texts[0].e.Message.When == "idle")
}

// wasPressed reports whether the key may ever have been pressed: what a receipt
// knows of that, and every step to a key since.
func wasPressed(e inbox.Entry) bool {
	if e.Receipt != nil && e.Receipt.Touched == parley.Entered {
		return true
	}
	return slices.ContainsFunc(e.Attempts, func(a parley.Attempt) bool {
		key := a.Step == parley.StepPress || a.Step == parley.StepAgain
		return key && (e.Receipt == nil || !a.At.Before(e.Receipt.At))
	})
}

func hasStep(e inbox.Entry, step parley.Step) bool {
	return slices.ContainsFunc(e.Attempts, func(a parley.Attempt) bool { return a.Step == step })
}

func pastedAt(e inbox.Entry) (at time.Time) {
	for _, a := range e.Attempts {
		if a.Step == parley.StepPaste {
			at = a.At
		}
	}
	return at
}

// enterLate presses the one key for a text that an earlier attempt left whole.
func (s *settler) enterLate(ctx context.Context, l left) (settled bool, err error) {
	of := settler{c: l.c, box: l.box, line: s.line, member: s.member, types: true}
	w, ok := of.walkFor(ctx, l.e.Message)
	if !ok || w.watchFor(ctx, drawWithin) != nil || w.holds(w.text.want) != dialect.MatchWhole || s.notNow(w) {
		return false, nil
	}
	w.residue, w.rec.Touched = true, parley.Pasted
	w.repressed = true // one key, and never another
	w.prove(parley.InBox)
	w.expect()
	if err := w.attempt(ctx, parley.StepPress); err != nil {
		return false, err
	}
	end := w.press(ctx)
	if end == nil {
		end = w.watch(ctx)
	}
	r := w.finish(end)
	if r.Touched == parley.Entered {
		return true, l.ended(ctx, s.member.Target, note{Did: didEnter}, r)
	}
	// Something came in between, and no key was pressed.
	if err := l.note(s.member.Target, note{Did: didStay, Why: string(r.Reason)}); err != nil {
		return false, err
	}
	return false, l.box.Receipt(r)
}

// mayRest reports whether the box may still hold something of a text that was to
// be taken out.
func (s *settler) mayRest(w *walk) bool {
	found, _, err := s.found(w)
	st := w.alone(found)
	return err != nil || w.mayHold(w.text) ||
		st != nil && slices.ContainsFunc(st.texts, func(l left) bool { return l.e.Message.ID == w.m.ID })
}

// mayHold reports whether the box may hold a text, or a part of it.
func (w *walk) mayHold(t typed) bool {
	switch {
	case w.blocked() != "" || w.read.Composer != dialect.Empty && w.read.Composer != dialect.Draft:
		return true // it is not in sight
	case w.read.Composer == dialect.Empty:
		return false
	}
	return w.agent.Dialect.Holds(w.read, t.want) != dialect.MatchNone
}

// endOf is the note about a text whose last step was begun by a sender that has
// ended.
func endOf(last parley.Step, r parley.Receipt) note {
	switch {
	case last != parley.StepClear:
		return note{Did: didEnter}
	case r.Reason == parley.ReasonCleared:
		return note{Did: didClear, Why: whyBegun}
	case r.Reason != "":
		return note{Did: didLose, Why: string(r.Reason)}
	}
	return note{Did: didLose, Why: string(r.Outcome)}
}
