package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/doctor"
)

// The examples in the help are those that package doctor tests.
func TestDoctorHelpHasTheExamples(t *testing.T) {
	_, help, _ := execute(t, "", "doctor", "--help")
	for _, example := range []string{doctor.PythonExample, doctor.GoExample} {
		for line := range strings.Lines(example) {
			if text := strings.TrimSpace(line); !strings.Contains(help, text) {
				t.Errorf("the help lacks %q", text)
			}
		}
		if lines := strings.Count(example, "\n"); lines > 30 {
			t.Errorf("an example of %d lines", lines)
		}
	}
	for _, name := range []string{"hash.py", "hash.go"} {
		if _, err := os.Stat(filepath.Join("..", "..", "bench", "doctor", "testdata", "examples", name)); err != nil {
			t.Error(err)
		}
	}
}
