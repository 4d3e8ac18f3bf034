package vt

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// pieces are what random output is made of: texts, and sequences whose %d are
// small numbers.
var pieces = []string{
	"word ", "a longer run of text that wraps", "é", "e\u0301", "\r\n", "\n", "\r", "\t", "\b", "\x1bM", "\x1bD", "\x1bE",
	"\x1b[%dA", "\x1b[%dB", "\x1b[%dC", "\x1b[%dD", "\x1b[%dE", "\x1b[%dF", "\x1b[%dG", "\x1b[%dd", "\x1b[%d;%dH", "\x1b[%d;%df", "\x1b[%dZ",
	"\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[%dX", "\x1b[%d@", "\x1b[%dP", "\x1b[%dM", "\x1b[%dS", "\x1b[%dT",
	"\x1b[1;3r", "\x1b[3;6r", "\x1b[2;99r", "\x1b[r", "\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[?6h", "\x1b[?6l", "\x1b[?7l", "\x1b[?7h", "\x1b[4h", "\x1b[4l",
	"\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l", "\x1b[?25h", "\x1b[31m", "\x1b[44m", "\x1b[1;7m", "\x1b[m", "x\x1b[%db", "\x1bH", "\x1b[g", "\x1b[3g",
	"\x1b(0lqk\x1b(B", "\x1b#8", "\x1b]2;title\x07", "\x1bP+q544e\x1b\\", "\x1b^x\x1b\\", "\x1b[>4;2m", "\x1b[?2004h",
}

// Left out are sequences that tmux 3.3a obeys in a way of its own: IL outside of
// the scrolling region, DECSTR, RIS on the alternate screen, APC (a title).

// whole are those that never cut a wide character in two: half of one shows in
// tmux 3.3a, and as no column at all in its capture.
var whole = []string{
	"word ", "漢字", "漢", "👨\u200d👩\u200d👧", "🙂", "한글", "é", "\r\n", "\x1bM", "\x1bD", "\x1b[%dL", "\x1b[%dM",
	"\x1b[%dS", "\x1b[%dT", "\x1b[2K\r", "\x1b[J", "\x1b[K", "\x1b[31m", "\x1b[44m", "\x1b[m", "a longer run of text that wraps",
}

func randomOutput(rnd *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 5 + rnd.IntN(40) {
		p := pieces[rnd.IntN(len(pieces))]
		n := make([]any, strings.Count(p, "%d"))
		for i := range n {
			n[i] = rnd.IntN(12)
		}
		fmt.Fprintf(&b, p, n...)
	}
	return b.String()
}

// TestEmulatorAgreesAtRandom draws what no program would: any order of
// sequences leaves the same picture as in tmux.
func TestEmulatorAgreesAtRandom(t *testing.T) {
	server := startTmux(t)
	n := map[string]int{"long": 300, "full": 3000}[os.Getenv("PARLEY_DEPTH")]
	for seed := range max(n, 40) {
		out := randomOutput(rand.New(rand.NewPCG(uint64(seed), 7)), [][]string{pieces, pieces, whole}[seed%3])
		want := server.draw(t, out)
		e := New(testCols, testRows)
		_, _ = e.Write([]byte(out))
		if diff := difference(want, e.Screen()); diff != "" {
			t.Errorf("seed %d: %q\ntmux %s", seed, out, diff)
		}
		if t.Failed() && os.Getenv("PARLEY_DEPTH") == "" {
			return
		}
	}
}
