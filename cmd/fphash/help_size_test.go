package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// The help of the commands that people begin with fits a screen.
func TestHelpFitsScreen(t *testing.T) {
	const mostLines, mostColumns = 45, 100
	for _, command := range []string{"dedup", "dedup-corpus"} {
		var help bytes.Buffer
		if err := runContext(t.Context(), []string{command, "--help"}, strings.NewReader(""), &help, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(help.String(), "\n"), "\n")
		if len(lines) < 10 || len(lines) > mostLines {
			t.Errorf("help of %s: %d lines, expected 10 to %d", command, len(lines), mostLines)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > mostColumns {
				t.Errorf("help of %s: %d columns, expected at most %d: %s", command, n, mostColumns, line)
			}
		}
	}
}
