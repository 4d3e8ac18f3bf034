//go:build real

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"parley"
	"parley/e2e/duel"
	"parley/e2e/rig"
	"parley/internal/modelstub"
)

// BenchmarkSend is the time from the start of `parley send` to the model's
// request at the stub: one line, idle agent. Its baseline is a paste and an
// Enter in one tmux call that looks at nothing. How long parley stays to see
// the proof in the transcript is not in it: that comes after.
func BenchmarkSend(b *testing.B) {
	for _, cli := range []rig.CLI{{Name: "claude", Version: "2.1.332"}, {Name: "codex", Version: "0.171.0"}, {Name: "pi", Version: "1.6.0"}} {
		b.Run(cli.String(), func(b *testing.B) {
			s := newStage(b)
			r := &race{b: b, s: s, a: s.rig.Start(cli, rig.Opts{Session: "agent"})}
			r.ours(-1) // the name is written down, the first prompt of a session is slower
			r.base(-1)
			r.whole = nil
			var d duel.Duel
			d.Run(pairs(), r.ours, r.base)
			d.Report(b, "ms")
			b.ReportMetric(r.whole.At(0.5), "command-p50-ms")
			b.ReportMetric(float64(r.lost), "base-lost")
		})
	}
}

// race sends to one real agent, in turns by parley and by the naive way.
type race struct {
	b     *testing.B
	s     *stage
	a     *rig.Agent
	whole duel.Sample // the whole command, proof and all
	lost  int         // naive sends whose Enter had no effect
}

func (r *race) ours(i int) float64 {
	r.b.Helper()
	r.a.Ready()
	text := fmt.Sprintf("this is line %d of ours", i)
	c := r.s.command("send", "--json", "agent", text)
	var out bytes.Buffer
	c.Stdout = &out
	begin := time.Now()
	err := c.Run()
	r.whole = append(r.whole, duel.Milliseconds(time.Since(begin)))
	var rec parley.Receipt
	if json.Unmarshal(out.Bytes(), &rec) != nil || rec.Outcome != parley.Submitted {
		r.b.Fatalf("send: %v: %s\n%s", err, out.Bytes(), r.a.Capture())
	}
	return duel.Milliseconds(r.s.prompted(r.a, "[#"+rec.ID.Tag()+"]").At.Sub(begin))
}

func (r *race) base(i int) float64 {
	r.b.Helper()
	r.a.Ready()
	text := fmt.Sprintf("dana: this is line %d of theirs [#%08d]", i, i+1)
	begin := time.Now()
	r.s.naive(r.a.Pane, text)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	p, err := r.a.Stub.Wait(ctx, func(p modelstub.Prompt) bool { return !p.Side && p.Says(text) })
	if err != nil {
		r.lost++
		r.a.Keys("Enter")
		p = r.s.prompted(r.a, text)
	}
	return duel.Milliseconds(p.At.Sub(begin))
}
