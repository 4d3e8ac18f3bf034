package e2e

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/practice"
)

// TestQueuedGivenBack: the person interrupts the turn, and the CLI puts what it
// held for later back into the box. It stands there as exactly our text: the
// next sender gives it its one key, and types its own message behind it. H25.
func TestQueuedGivenBack(t *testing.T) {
	if times(0, 1, 1) == 0 {
		t.Log("the long run waits until a queued message counts as left behind")
		return
	}
	s := newStage(t)
	b := s.practice("buddy", "restore_draft = true")
	s.parley("status")
	b.command("/work 60")
	b.sees("orking")
	first := s.send("buddy", "when you are done", "--wait", "0")
	s.wants(first, parley.Queued, "")
	b.keys("Escape")
	b.waitFor("draft")
	b.mark()
	second := s.send("buddy", "and another", "--wait", "0")
	s.wants(second, parley.Deferred, parley.ReasonResidue)
	b.agrees(second)
	s.until("the one that was given back has gone out", func() bool {
		second = s.deliver(second.ID, "--wait", "0")
		return second.Outcome != parley.Deferred
	})
	if second.Outcome != parley.Submitted && second.Outcome != parley.Queued {
		t.Errorf("the second message: %+v", second)
	}
	if n := b.prompts(first.ID); n != 2 { // the queued submit, and the one that ran
		t.Errorf("the first message was submitted %d times in all, want 2: queued and given back, then run", n)
	}
	if pastes := b.count("paste", func(e practice.Event) bool { return strings.Contains(string(e.Bytes), first.ID.Tag()) }); pastes != 0 {
		t.Errorf("the first message was typed again")
	}
	if log := s.parley("log", string(first.ID), "--json").out; !strings.Contains(log, `"outcome":"submitted"`) && !strings.Contains(log, `"seen"`) {
		t.Errorf("the first message has no end:\n%s", log)
	}
}

// TestQueuedGone: the turn ends and the text that the CLI had taken is nowhere.
// The sender is told, and nothing is typed again. H41.
func TestQueuedGone(t *testing.T) {
	if times(0, 1, 1) == 0 {
		t.Log("the long run waits until a queued message counts as not landed")
		return
	}
	s := newStage(t)
	b := s.practice("buddy", `queue = "lose"`)
	s.parley("status")
	b.command("/work 1")
	b.sees("orking")
	r := s.send("buddy", "lost on the way", "--wait", "0")
	s.wants(r, parley.Queued, "")
	got := s.parley("wait", string(r.ID), "--timeout", "40s", "--json")
	if got.code != 5 || !strings.Contains(got.out, `"not-landed"`) {
		t.Errorf("wait: exit %d, want 5 and not-landed: %s%s", got.code, got.out, got.err)
	}
	if told := s.parley("inbox", "dana", "--json").out; !strings.Contains(told, r.ID.Tag()) && !strings.Contains(told, string(r.ID)) {
		t.Errorf("the sender was not told:\n%s", told)
	}
	b.mark()
	s.wants(s.deliver(r.ID, "--wait", "0"), parley.Unknown, parley.ReasonNotLanded)
	b.agrees(parley.Receipt{Touched: parley.None})
}

// TestWorkingTwice: a second message while the first is still held. Both are
// queued, in order, and one answer follows the other.
func TestWorkingTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	b := s.practice("buddy", "")
	s.parley("status")
	b.command("/work 2")
	b.sees("orking")
	b.mark()
	var ids []parley.ID
	for _, body := range []string{"first", "second", "third"} {
		r := s.send("buddy", body, "--wait", "0")
		s.wants(r, parley.Queued, "")
		ids = append(ids, r.ID)
	}
	var order []string
	s.until("all have run", func() bool {
		order = nil
		for _, e := range b.events()[b.started:] {
			if e.Kind == "begin" {
				order = append(order, e.Text)
			}
		}
		return len(order) >= 3
	})
	for i, id := range ids {
		if !strings.Contains(order[i], id.Tag()) {
			t.Errorf("turn %d is %q, want %s", i, order[i], id.Tag())
		}
		if got := s.parley("wait", string(id), "--timeout", "20s"); got.code != 0 {
			t.Errorf("wait: exit %d %s", got.code, got.err)
		}
	}
}
