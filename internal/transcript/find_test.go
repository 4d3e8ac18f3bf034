package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"parley/internal/dialect"
)

func write(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

var sources = []dialect.Source{
	{By: "pidfile", File: "{config}/sessions/{pid}.json", Key: "sessionId", Path: "{config}/projects/*/{session}.jsonl"},
	{By: "fd", Path: `/rollout-[^/]+\.jsonl$`},
	{By: "fd", Path: `/sessions/[^/]+/inuse\.\d+\.lock$`, File: "events.jsonl"},
	{By: "recent", Path: "{config}/projects/{cwd}/*.jsonl"},
}

const id = "01a22d67-1987-7690-a910-2d5ba79fb55f"

func TestFind(t *testing.T) {
	now := time.Now()
	config := filepath.Join(t.TempDir(), "con[f]*g")
	here := filepath.Join(config, "projects", "-home-dev-my-proj")
	write(t, filepath.Join(here, "old.jsonl"), "", now.Add(-time.Hour))
	write(t, filepath.Join(here, "a.jsonl"), "", now.Add(-time.Second))
	write(t, filepath.Join(here, id+".jsonl"), "", now)
	write(t, filepath.Join(config, "projects", "-home-dev-other", "b.jsonl"), "", now)
	write(t, filepath.Join(config, "sessions", "7.json"), `{"pid":7,"sessionId":"`+id+`"}`, now)
	write(t, filepath.Join(config, "sessions", "8.json"), `{"sessionId":"../../x"}`, now)
	write(t, filepath.Join(config, "sessions", "9.json"), `{"sessionId":`, now)
	write(t, filepath.Join(config, "sessions", "10.json"), `{"sessionId":"not-begun"}`, now)
	open := func(paths ...string) func() []string { return func() []string { return paths } }
	rollout := "/x/rollout-2026-11-30T17-01-01-" + id + ".jsonl"
	byAge := []File{{filepath.Join(here, id+".jsonl"), id}, {filepath.Join(here, "a.jsonl"), ""}}
	for _, tt := range []struct {
		name string
		p    Proc
		want []File
	}{
		{"by its own file", Proc{PID: 7, OpenFiles: open(rollout)}, []File{{filepath.Join(here, id+".jsonl"), id}}},
		{"an id that is a path", Proc{PID: 8, Cwd: "/nowhere"}, nil},
		{"half a file", Proc{PID: 9, Cwd: "/home/dev/my.proj"}, byAge},
		{"no prompt yet", Proc{PID: 10, Cwd: "/home/dev/none"}, nil},
		{"held open", Proc{PID: 1, OpenFiles: open("/dev/pts/1", rollout, rollout)}, []File{{rollout, id}}},
		{"beside one held open", Proc{PID: 1, OpenFiles: open("/x/sessions/"+id+"/inuse.7.lock", "/x/sessions/"+id+"/other")}, []File{{"/x/sessions/" + id + "/events.jsonl", id}}},
		{"by age", Proc{PID: 1, Cwd: "/home/dev/my.proj", OpenFiles: open("/dev/pts/1")}, byAge},
		{"by age, name kept", Proc{PID: 1, Cwd: "/home/dev/my-proj"}, byAge},
		{"another folder", Proc{PID: 1, Cwd: "/home/dev/my/pro"}, nil},
	} {
		tt.p.Config = config
		got := Find(dialect.Transcript{Sources: sources}, tt.p, now.Add(-time.Minute))
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %v\nwant %v", tt.name, got, tt.want)
		}
	}
}

func TestFindByAgeIsBounded(t *testing.T) {
	now := time.Now()
	dir := t.TempDir()
	for i := range 3 * recentMax {
		write(t, filepath.Join(dir, "--home-dev--", fmt.Sprintf("%03d.jsonl", i)), "", now.Add(time.Duration(i)*time.Second))
	}
	d := dialect.Transcript{Sources: []dialect.Source{{By: "recent", Path: "{config}/--{cwd}--/*.jsonl"}}}
	got := Find(d, Proc{Config: dir, Cwd: "/home/dev"}, now)
	if len(got) != recentMax || filepath.Base(got[0].Path) != fmt.Sprintf("%03d.jsonl", 3*recentMax-1) {
		t.Errorf("%d files, first %v", len(got), got[0])
	}
}
