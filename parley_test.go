package parley

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestReasonsPage holds REASONS.md against the table in reasons.go.
func TestReasonsPage(t *testing.T) {
	page, err := os.ReadFile("REASONS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Reasons {
		row := fmt.Sprintf("| `%s` | %s | %s | %s |", m.Reason, m.Touched, m.Means, m.Do)
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("REASONS.md lacks:\n%s", row)
		}
	}
	if rows := strings.Count(string(page), "\n| `"); rows != len(Reasons) {
		t.Errorf("REASONS.md has %d rows, the table %d", rows, len(Reasons))
	}
}

func TestParseName(t *testing.T) {
	for in, want := range map[string]Name{"Backend": "backend", "@lead": "lead", "a.b_c-1": "a.b_c-1", strings.Repeat("a", 64): Name(strings.Repeat("a", 64))} {
		if got, err := ParseName(in); err != nil || got != want {
			t.Errorf("ParseName(%q) = %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "@", "-x", ".hidden", "a b", "a/b", "é", strings.Repeat("a", 65), "a\n"} {
		if got, err := ParseName(in); err == nil {
			t.Errorf("ParseName(%q) = %q, want an error", in, got)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for o, want := range map[Outcome]int{Submitted: 0, Queued: 0, Saved: 0, Deferred: 3, Gone: 4, Unknown: 5, "": 1} {
		if got := o.ExitCode(); got != want {
			t.Errorf("exit code of %q is %d, want %d", o, got, want)
		}
	}
}
