package dialect

import (
	"slices"
	"strings"
	"testing"

	"parley/internal/screen"
)

// TestJudgeSaysAll: each label that is wrong is named, and a frame without
// labels is not judged.
func TestJudgeSaysAll(t *testing.T) {
	d := cli(t, loaded(t), "practice")
	s := idlePractice()
	j := d.Judge([]Frame{{Name: "a", Screen: s, Composer: "none", Turn: "asking", MayType: "no"}, {Name: "b", Screen: s, Composer: "-"}, {Name: "c", Screen: s, Turn: "idle"}})
	if want := "composer empty, not none; turn idle, not asking; may_type yes, not no"; j[0].Wrong != want || !j[0].Danger || !j[0].Labels {
		t.Errorf("%+v", j[0])
	}
	if j[1].Labels || j[1].Wrong != "" || !j[2].Labels || j[2].Wrong != "" || j[2].Danger {
		t.Errorf("%+v %+v", j[1], j[2])
	}
}

// TestUnused names what no frame has shown, and nothing else.
func TestUnused(t *testing.T) {
	d := cli(t, loaded(t), "practice")
	all := d.Unused(nil)
	if !slices.Equal(all, d.everything()) || !slices.Contains(all, "asking: permission") || !slices.Contains(all, "box: heavy rules and »NBSP") {
		t.Errorf("with no frames: %q", all)
	}
	some := d.Unused([]Frame{{Screen: idlePractice()}})
	if slices.Contains(some, "box: heavy rules and »NBSP") || len(some) != len(all)-1 {
		t.Errorf("with an idle frame: %q", some)
	}
	draft := made{cols: 60, shown: true, rows: "%%%\n»~[Pasted #1 +12 lines]@\n%%%\n  ready · enter sends"}.screen()
	for _, u := range d.Unused([]Frame{{Screen: draft}}) {
		if strings.HasPrefix(u, "token: ") && strings.Contains(u, "lines") {
			t.Errorf("the token was shown: %s", u)
		}
	}
}

func idlePractice() screen.Screen {
	return made{cols: 60, shown: true, rows: "%%%\n»~@\n%%%\n  ready · enter sends"}.screen()
}
