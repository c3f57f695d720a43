package main

import (
	"os"
	"testing"
)

// Users do not read names of packages, but those of their files.
func TestErrorsWithoutPackages(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("text", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"datasets: open x: no such file":             "open x: no such file",
		"bench: datasets: open x: no such file":      "open x: no such file",
		"--remove: corpus: x: expected another":      "--remove: x: expected another",
		"--run: error parsing regexp: missing )":     "--run: error parsing regexp: missing )",
		"corpus: text: expected a file":              "text: expected a file",
		"text:2: expected words":                     "text:2: expected words",
		"store: one\ngotest: other\n--run: ab: more": "one\nother\n--run: more",
		"x: datasets: stays":                         "x: datasets: stays",
		"fphash: unknown hash":                       "unknown hash",
		"gotest":                                     "gotest",
		"documents: store: expected a file, got 2":   "expected a file, got 2",
	} {
		if got := withoutPackages(message); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}
