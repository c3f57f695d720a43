package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/datasets"
)

// longLine writes a packed file with one vector of so many bytes, features of one index.
func longLine(t *testing.T, bytes int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.svm.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	const feature = " 1:1"
	some := strings.Repeat(feature, megabyte/len(feature))
	_, err = io.WriteString(w, "1")
	for left := (bytes - 1) / len(feature) * len(feature); left > 0 && err == nil; left -= min(left, len(some)) {
		_, err = io.WriteString(w, some[:min(left, len(some))])
	}
	if err := errors.Join(err, w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A small file whose line is far too long is refused in little memory, and the longest line that is
// read by default takes no more than help says.
func TestMaxLineBoundsMemory(t *testing.T) {
	needsLimits(t)
	const most = 40*datasets.DefaultMaxLine + 300*megabyte // what the program has besides
	tooLong, longest := longLine(t, 256*megabyte), longLine(t, datasets.DefaultMaxLine)
	for _, command := range [][]string{{"data", "info"}, {"sketch"}} {
		code, _, stderr := limited(t, 250*megabyte, append(command, tooLong)...)
		if code != exitFailed || !strings.Contains(stderr, ":1:1: expected a line of at most 16777216 bytes") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s, a line of 256 MiB: exit code %d, %.500s", command, code, stderr)
		}
		code, stdout, stderr := limited(t, most, append(command, longest)...)
		if code != exitSuccess || stdout == "" {
			t.Errorf("%s, a line of 16 MiB: exit code %d, %.500s", command, code, stderr)
		}
	}
	// the limit is one: the runtime dies, in words that depend on which allocation is refused
	// first, or on whether a thread is, rather than the program ending with a message of its own
	code, _, stderr := limited(t, most, "data", "info", "--max-line", "256", tooLong)
	if code == exitSuccess || strings.Contains(stderr, "fphash: ") {
		t.Errorf("with a greater --max-line: exit code %d, %.500s", code, stderr)
	}
}
