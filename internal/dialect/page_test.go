package dialect

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestPageHasEveryKey: docs/DIALECTS.md names each key that a file may have,
// and no other.
func TestPageHasEveryKey(t *testing.T) {
	page, err := os.ReadFile("../../docs/DIALECTS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(page), "## Every key")
	if !ok {
		t.Fatal("no table of keys")
	}
	keys := map[string]bool{}
	keysOf(reflect.TypeFor[source](), "", keys)
	if len(keys) < 80 {
		t.Fatalf("only %d keys", len(keys))
	}
	for k := range keys {
		// The members of a line, a mode and a reply stand with their table.
		table1, last := k, k[strings.LastIndexByte(k, '.')+1:]
		if i := strings.LastIndexByte(k, '.'); i >= 0 {
			table1 = k[:i]
		}
		if !strings.Contains(table, "`"+k+"`") && !(strings.Contains(table, "`"+table1+"`") && strings.Contains(table, "`"+last+"`")) {
			t.Errorf("%s is not in it", k)
		}
	}
	for _, word := range strings.Split(table, "`") {
		head, _, dotted := strings.Cut(word, ".")
		if _, isTable := tablesOfSource()[head]; dotted && isTable && !strings.ContainsAny(word, " \n|") && !keys[word] && !isPrefix(keys, word) {
			t.Errorf("%s is no key", word)
		}
	}
}

func isPrefix(keys map[string]bool, word string) bool {
	for k := range keys {
		if strings.HasPrefix(k, word+".") {
			return true
		}
	}
	return false
}

func tablesOfSource() map[string]bool {
	out := map[string]bool{}
	for i := range reflect.TypeFor[source]().NumField() {
		out[reflect.TypeFor[source]().Field(i).Tag.Get("toml")] = true
	}
	return out
}

// keysOf collects the dotted keys of a table, those of its tables with it.
func keysOf(t reflect.Type, prefix string, out map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		key := f.Tag.Get("toml")
		if key == "" && f.Anonymous {
			keysOf(f.Type, prefix, out)
			continue
		}
		if key == "" {
			continue
		}
		in := f.Type
		if in.Kind() == reflect.Slice {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct && in != reflect.TypeFor[Pattern]() && in != reflect.TypeFor[style]() && in != reflect.TypeFor[caret]() {
			keysOf(in, prefix+key+".", out)
			continue
		}
		out[prefix+key] = true
	}
}
