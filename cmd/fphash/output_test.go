package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is standard input is not replaced either.
func TestStandardInputIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	const text = "1 1:1 5:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var stdout, stderr bytes.Buffer
	code := exitCode(run([]string{"sketch", "--out", path}, file, &stdout, &stderr), &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "this is standard input") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}
