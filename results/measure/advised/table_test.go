package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tableOf returns the table of a file that write writes.
func tableOf(t *testing.T, write func(io.Writer) error) (text string, rows [][]string) {
	t.Helper()
	var file, out bytes.Buffer
	path := filepath.Join(t.TempDir(), "file.csv")
	if err := write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeTable(&out, path); err != nil {
		t.Fatal(err)
	}
	rows, err := readRows(path)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), rows
}

// What is written is read again, and the table counts by what is dropped at each distance.
func TestTable(t *testing.T) {
	var samples []sample
	for i, same := range []bool{true, true, false, true} {
		samples = append(samples, sample{"texts", 100, "fphash dedup texts.jsonl --text text --id id --k 5", "a", "b, c", i / 2, 10 + 20*(i/2), 0.75, same})
	}
	samples = append(samples, sample{"texts", 100, "fphash dedup texts.jsonl --text text --id id", "d", "e", 0, 1, 1, true})
	got, rows := tableOf(t, func(w io.Writer) error { return write(w, samples) })
	if again, err := readSamples(rows); err != nil || cmp.Diff(samples, again) != "" {
		t.Errorf("error %v: %s", err, cmp.Diff(samples, again))
	}
	// 10 records of which all labelled are the same, and 30 of which half are
	for _, want := range []string{"| texts | 100 | `--k 5` | 40 | 4 | 75% | 62% (", "| texts | 100 | as it comes | 1 | 1 | 100% | 100% ("} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %s in\n%s", want, got)
		}
	}
	path := filepath.Join(t.TempDir(), "other.csv")
	if err := os.WriteFile(path, []byte("kept,dropped\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readRows(path); err == nil {
		t.Error("other columns")
	}
}
