package main

import (
	"os"
	"strings"
	"testing"
)

// The fields are detected from the first bytes of a file. A record that is longer still has its id.
func TestIDOfLongRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `{"text":"` + strings.Repeat("word ", 256<<10/5) + `"`
	for _, c := range []struct{ records, want, said string }{
		{text + `,"id":"a"}` + "\n" + text + `,"id":"b"}` + "\n", "b\n", ""},
		{text + "}\n" + text + "}\n", "#2\n", "fphash: 2 documents without an id, such as long.jsonl:1, are named by number: #1\n"},
	} {
		if err := os.WriteFile("long.jsonl", []byte(c.records), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := execute(t, "", "dedup", "long.jsonl", "--list", "drop")
		if code != exitSuccess || stdout != c.want || !strings.HasPrefix(stderr, c.said) {
			t.Errorf("dropped %q, expected %q: %d, %s", stdout, c.want, code, stderr)
		}
	}
}
