package main

import (
	"fmt"
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

// An id after the records from which fields are detected is reported, unless --id asks for numbers.
func TestLateIDs(t *testing.T) {
	t.Chdir(t.TempDir())
	var records strings.Builder
	for i := range 300 {
		fmt.Fprintf(&records, "{\"text\":\"a text of its own %d\"}\n", i)
	}
	records.WriteString(`{"id":"late","text":"a text of its own 7"}` + "\n")
	if err := os.WriteFile("late.jsonl", []byte(records.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	const late = "fphash: 1 document with the field \"id\", such as late.jsonl:301, is named by record number; --id id takes the field\n"
	for _, c := range []struct{ args, want, said string }{
		{"dedup late.jsonl --list drop", "301\n", late},
		{"dedup - --list drop", "301\n", strings.Replace(late, "late.jsonl", "standard input", 1)},
		{"dedup late.jsonl --list drop --id id", "late\n", "fphash: 300 documents without an id, such as late.jsonl:1, are named by number: #1\n"},
		{"dedup late.jsonl --list drop --id=", "301\n", ""},
		{"sketch late.jsonl", "\t301\n", late},
		{"dedup late.jsonl --run attributes", "", late},
	} {
		code, stdout, stderr := execute(t, records.String(), strings.Fields(c.args)...)
		if code != exitSuccess || !strings.HasSuffix(stdout, c.want) || !strings.Contains(stderr, c.said) || c.said == "" && strings.Contains(stderr, ":301") {
			t.Errorf("%s: exit code %d, %q, want %q; said %q, want %q", c.args, code, stdout, c.want, stderr, c.said)
		}
	}
}
