package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// The help of each command and topic fits a screen.
func TestHelpFitsScreen(t *testing.T) {
	const mostLines, mostColumns = 45, 100
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		for _, c := range command.Commands() {
			visit(c)
		}
		var help bytes.Buffer
		path := strings.TrimPrefix(command.CommandPath(), "fphash")
		if err := runContext(t.Context(), append([]string{"help"}, strings.Fields(path)...), strings.NewReader(""), &help, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(help.String(), "\n"), "\n")
		if len(lines) < 5 || len(lines) > mostLines && command.Name() != "protocol" { // which has two programs
			t.Errorf("help of %q: %d lines, expected 5 to %d", path, len(lines), mostLines)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > mostColumns {
				t.Errorf("help of %q: %d columns, expected at most %d: %s", path, n, mostColumns, line)
			}
		}
	}
	visit(newRoot())
}
