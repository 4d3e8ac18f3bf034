package transcript

import (
	"cmp"
	"strings"

	"parley/internal/dialect"
)

// Said is what a record holds of one prompt of ours and of the answer to it.
type Said struct {
	Prompt bool  // our prompt has reached the conversation
	Held   bool  // the record says that the CLI holds it for later
	Offset int64 // of the line of our prompt
	// Text is the last message that the agent said after our prompt and within
	// its turn. Calls of tools, their results and thoughts are none.
	Text string
	Tool bool // a tool was called after Text, or before there was any
	// End is how the turn ended, where the record says so. Left says that
	// another prompt came before an end, in a turn of its own.
	End  dialect.End
	Left bool
	Note string // what the record says of a failure
}

// thread follows one prompt of ours line by line.
type thread struct {
	t    dialect.Transcript
	tag  string
	ours func(text string) bool

	said Said
	turn string          // the turn in which our prompt stands, where lines say so
	ids  map[string]bool // of the lines from ours on
	key  string          // of the message that Text belongs to
	any  bool            // the agent has said or called something since
}

// over reports that nothing more can belong to our prompt, but for the prompt
// itself being written again.
func (h *thread) over() bool {
	return h.said.Left || h.said.End == dialect.Done || h.said.End == dialect.Stopped
}

// take reads one line; tagged says that our tag stands somewhere in it.
func (h *thread) take(v any, offset int64, tagged bool) {
	if tagged && h.meets(v, offset) || !h.said.Prompt || h.over() {
		return
	}
	if id := one(v, h.t.Reply.ID); id != "" {
		defer func() { h.ids[id] = true }()
	}
	if pick(v, h.t.Skip) != nil {
		return
	}
	end := endOf(v, h.t)
	if p := promptOf(v, h.t); p != nil && end == nil {
		h.other(v, *p)
		return
	}
	h.listen(v, end)
}

// meets starts the thread at our prompt, and anew where the CLI writes it again.
func (h *thread) meets(v any, offset int64) bool {
	hit, ok := promptIn(v, h.tag, h.t)
	if !ok || !h.ours(hit.Text) {
		return false
	}
	if hit.Queued {
		h.said.Held = true
		return !h.said.Prompt
	}
	h.said = Said{Prompt: true, Held: h.said.Held, Offset: offset}
	h.turn, h.key, h.any = one(v, h.t.Reply.Turn), "", false
	h.ids = map[string]bool{one(v, h.t.Reply.ID): true}
	return true
}

// other is a prompt that is not ours. It is answered in our turn if it says so,
// or if a tool's result still waits for the agent there; else ours is left
// behind, and nothing that follows answers it.
func (h *thread) other(v any, p dialect.Prompt) {
	turn, parent := one(v, h.t.Reply.Turn), one(v, h.t.Reply.Parent)
	switch {
	case parent != "" && !h.ids[parent]:
		h.said.Left = true // it follows an earlier line: ours was taken back
	case h.said.End == dialect.Failed:
		h.said.Left = true
	case p.Steers, p.Joins && !h.any, h.said.Tool:
	case turn == "" || turn != h.turn:
		h.said.Left = true
	}
}

// listen takes what the agent says, and how its turn ends. What it says behind
// a failure shows that it has tried again.
func (h *thread) listen(v any, end *dialect.Ending) {
	u := said(v, h.t)
	if end != nil && end.How == dialect.Failed {
		h.said.End, h.said.Note = end.How, cmp.Or(strings.Join(texts(at(v, path(end.Text))), ""), u.words)
		return
	}
	switch {
	case u.words != "":
		h.hear(u, v)
	case u.tool:
		h.said.Tool, h.any = true, true
	case end == nil:
		return
	}
	h.said.End, h.said.Note = "", ""
	if end != nil {
		h.said.End = end.How
	}
}

// hear makes words the last message, or a further piece of it.
func (h *thread) hear(u utterance, v any) {
	key := one(v, h.t.Reply.Joins)
	if key != "" && key == h.key && !h.said.Tool {
		u.words = h.said.Text + h.t.Reply.Glue + u.words
	}
	h.said.Text, h.said.Tool = u.words, u.tool
	h.key, h.any = key, true
}

// pick is the first pattern that a line fits; nil if none does.
func pick(v any, ps []dialect.Prompt) *dialect.Prompt {
	for i := range ps {
		if fits(v, ps[i]) {
			return &ps[i]
		}
	}
	return nil
}

func fits(v any, p dialect.Prompt) bool {
	return matches(v, p.Where) && (!p.Pattern.Set() || p.Pattern.MatchString(strings.Join(texts(at(v, path(p.Text))), "")))
}

func endOf(v any, t dialect.Transcript) *dialect.Ending {
	for i := range t.Ends {
		if fits(v, t.Ends[i].Prompt) {
			return &t.Ends[i]
		}
	}
	return nil
}
