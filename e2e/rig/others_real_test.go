//go:build real && others

package rig

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOthers has each of the other CLIs take one line, answer it, show a draft, work, and
// ask for permission.
func TestOthers(t *testing.T) {
	for _, cli := range Others {
		t.Run(cli.String(), func(t *testing.T) {
			begin := time.Now()
			a := New(t).Start(cli, Opts{Session: "backend"})
			t.Logf("ready after %v", time.Since(begin).Round(10*time.Millisecond))
			tryLine(t, a)
			tryDraft(t, a)
			tryWorking(t, a)
			tryPermission(t, a)
		})
	}
}

func tryLine(t *testing.T, a *Agent) {
	const text = "lead: hello there [#aaaa1111]"
	a.Submit(text)
	if p := a.Prompt("hello there"); p.Text != text {
		t.Errorf("the model was asked %q", p.Text)
	}
	a.Until("the answer", func(l Look) bool { return strings.Contains(l.String(), "You said: lead: hello") })
	a.Ready()
	if a.PID() == 0 {
		t.Error("no process in the foreground")
	}
	t.Logf("%s%s\n%s", process(a), describe(a), a.Capture())
	for _, path := range holding(a.Home, "hello there [#aaaa1111]") {
		t.Logf("on disk in %s", path)
	}
}

// process is what the operating system says about the CLI.
func process(a *Agent) string {
	dir := fmt.Sprintf("/proc/%d/", a.PID())
	name, _ := os.ReadFile(dir + "comm")
	line, _ := os.ReadFile(dir + "cmdline")
	exe, _ := os.Readlink(dir + "exe")
	return fmt.Sprintf("comm %q exe %q cmdline %q\n", name, exe, line)
}

// holding lists the files below dir that hold text.
func holding(dir, text string) []string {
	var paths []string
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // files come and go
		}
		if data, err := os.ReadFile(path); err == nil && strings.Contains(string(data), text) {
			paths = append(paths, strings.TrimPrefix(path, dir))
		}
		return nil
	})
	return paths
}

// tryDraft types by keys, and takes it back one key at a time: vibe-kit's Grok takes
// several that come together for one.
func tryDraft(t *testing.T, a *Agent) {
	const text = "half a thought"
	a.Type(text)
	a.Still("the draft", func(l Look) bool {
		box, ok := a.BoxIn(l)
		return ok && box == text
	})
	t.Log(a.Capture())
	for n := len(text) - 1; n >= 0; n-- {
		a.Keys("BSpace")
		a.Until("a shorter draft", func(l Look) bool {
			box, ok := a.BoxIn(l)
			return ok && len(box) <= n
		})
	}
	a.Ready()
}

func tryWorking(t *testing.T, a *Agent) {
	a.Submit("lead: STUB:slow=4s go [#bbbb2222]")
	p := a.Prompt("bbbb2222")
	a.Until("the box while it works", func(l Look) bool {
		_, ok := a.BoxIn(l)
		return ok && time.Since(p.At) > time.Second
	})
	t.Logf("%s\n%s", describe(a), a.Capture())
	a.Until("the last word", func(l Look) bool { return strings.Contains(squeeze(l.String()), "unabridged") })
	a.Ready()
}

// permissionAsks is what stands in each CLI's dialog.
var permissionAsks = map[string]string{
	"gemini": "Allow execution of", "qwen": "Allow execution of", "grok": "Yes, proceed",
	"copilot": "Do you want to run this command?", "opencode": "Permission required",
	"cline": "Approve", "droid": "Yes, allow", "vibegrok": "Do you want to proceed",
}

// tryPermission asks for a removal: Grok runs "touch" without a question.
func tryPermission(t *testing.T, a *Agent) {
	kept := filepath.Join(a.Cwd, "kept.txt")
	write(t, kept, "")
	a.Submit("lead: STUB:tool=rm -f kept.txt [#cccc3333]")
	a.Prompt("cccc3333")
	a.Still("the dialog", func(l Look) bool {
		_, box := a.BoxIn(l)
		return !box && strings.Contains(l.String(), permissionAsks[a.CLI.Name])
	})
	t.Logf("%s\n%s", describe(a), a.Capture())
	a.Paste("lead: pasted into a dialog [#dddd4444]")
	a.Still("the dialog after a paste", func(l Look) bool {
		return strings.Contains(l.String(), permissionAsks[a.CLI.Name])
	})
	t.Log(a.Capture())
	if _, err := os.Stat(kept); err != nil {
		t.Error("the command ran without approval")
	}
}
