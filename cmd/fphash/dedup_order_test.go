package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The files of the command line come in its order, those of a pattern in the order of their names,
// and dedup and dedup keep the same records.
func TestOrderOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "one text that several of these files hold, word for word"
	for _, name := range []string{"jan", "feb", "mar"} {
		line := `{"id":"` + name + `","text":"` + text + `"}` + "\n"
		if err := os.WriteFile(name+".jsonl", []byte(line), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/1.txt", "a-b/2.txt"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"jan.jsonl feb.jsonl mar.jsonl": "jan",
		"mar.jsonl jan.jsonl feb.jsonl": "mar",
		"*.jsonl":                       "feb",
		"mar.jsonl *.jsonl":             "mar",
		"a-b a":                         "a-b/2.txt",
		"a a-b":                         "a/1.txt",
		"a*":                            "a/1.txt",
	} {
		files := strings.Fields(args)
		code, stdout, stderr := execute(t, "", slices.Concat([]string{"dedup", "--list", "keep"}, files)...)
		if got := filepath.ToSlash(strings.TrimSpace(stdout)); code != exitSuccess || got != want {
			t.Errorf("dedup %s keeps %q, expected %q: %s", args, got, want, stderr)
		}
		out := t.TempDir()
		kept := filepath.Join(out, "kept")
		code, _, stderr = execute(t, "", slices.Concat([]string{"dedup", "--run", filepath.Join(out, "attributes"), "--remove", kept}, files)...)
		if code != exitSuccess {
			t.Fatalf("dedup %s: %s", args, stderr)
		}
		var list []string
		err := filepath.WalkDir(kept, func(path string, entry os.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				if info, _ := entry.Info(); info.Size() > 0 {
					name, _ := filepath.Rel(kept, path)
					list = append(list, strings.TrimSuffix(filepath.ToSlash(name), ".jsonl"))
				}
			}
			return err
		})
		if err != nil || !slices.Equal(list, []string{want}) {
			t.Errorf("dedup %s keeps %q, expected %q: %v", args, list, want, err)
		}
	}
}
