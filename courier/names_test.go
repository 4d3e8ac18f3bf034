package courier

import (
	"slices"
	"testing"

	"parley"
)

func TestNearest(t *testing.T) {
	all := []parley.Name{"backend", "backend-2", "reviewer", "api", "code-review", "qa", "x1"}
	for n, want := range map[parley.Name][]string{
		"bakcend":     {"backend"},              // exchanged
		"bcakedn":     {"backend"},              // twice
		"backnd":      {"backend"},              // missing
		"backendd":    {"backend", "backend-2"}, // too many
		"back":        {"backend", "backend-2"}, // the beginning
		"backend-2-x": {"backend-2", "backend"}, // more than the whole
		"review":      {"reviewer", "code-review"},
		"code_review": {"code-review"},
		"aip":         {"api"},
		"q":           {"qa"},
		"aq":          {"qa"},
		"x":           {"x1"},
		"zz":          nil,
		"frontend":    nil,
		"lead":        nil,
	} {
		got := nearest(n, all)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) || len(want) == 0 && len(got) > 0 || len(got) > 3 {
			t.Errorf("%s: %v, want %v first", n, got, want)
		}
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abcd", "badc", 2},
		{"abc", "xbc", 1}, {"abc", "ab", 1}, {"ab", "abc", 1}, {"kitten", "sitting", 3},
	} {
		if got := slips(c.a, c.b); got != c.want || slips(c.b, c.a) != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestLikeName(t *testing.T) {
	for session, want := range map[string]string{"My proj!": "my-proj", "a/b": "a-b", "@web": "web", "büro": "b-ro",
		"...": "NAME", "日本": "NAME", "web": "NAME", "WEB": "NAME", "-x": "x"} {
		if got := likeName(session); got != want {
			t.Errorf("%q: %s, want %s", session, got, want)
		}
	}
}
