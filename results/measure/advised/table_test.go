package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is written is read again, and the table counts by what is dropped at each distance.
func TestTable(t *testing.T) {
	var samples []sample
	for i, same := range []bool{true, true, false, true} {
		samples = append(samples, sample{"texts", 100, "fphash dedup texts.jsonl --text text --id id --k 5", "a", "b, c", i / 2, 10 + 20*(i/2), 0.75, same})
	}
	samples = append(samples, sample{"texts", 100, "fphash dedup texts.jsonl --text text --id id", "d", "e", 0, 1, 1, true})
	var file bytes.Buffer
	file.WriteString("# date: today\n")
	if err := writeSamples(&file, samples); err != nil {
		t.Fatal(err)
	}
	if got, err := readSamples(&file); err != nil || cmp.Diff(samples, got) != "" {
		t.Errorf("error %v: %s", err, cmp.Diff(samples, got))
	}
	got := table(samples)
	// 10 records of which all labelled are the same, and 30 of which half are
	for _, want := range []string{"| texts | 100 | `--k 5` | 40 | 4 | 75% | 62% (", "| texts | 100 | as it comes | 1 | 1 | 100% | 100% ("} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %s in\n%s", want, got)
		}
	}
	if _, err := readSamples(strings.NewReader("kept,dropped\n")); err == nil {
		t.Error("other columns")
	}
}
