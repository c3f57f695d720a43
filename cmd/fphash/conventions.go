package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/fphash/conventions"
	"simhashkit/internal/texttable"
)

func newConventions() *cobra.Command {
	return &cobra.Command{
		Use:   "conventions",
		Short: "List other systems whose fingerprints fphash can compute",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return writeConventions(cmd.OutOrStdout()) },
	}
}

func conventionNames() (names []string) {
	for _, c := range conventions.All() {
		names = append(append(names, c.Name), c.Aliases...)
	}
	return names
}

// differencesWidth is the width of the column of differences, for lines of at most 120 columns.
const differencesWidth = 36

func writeConventions(w io.Writer) error {
	table := texttable.New("name", "hash", "bits", "what differs", "system")
	for _, c := range conventions.All() {
		differs := texttable.Wrap(strings.Join(c.Differences(), ", "), differencesWidth)
		system := c.System
		if c.HasTexts() {
			system += "; with text features"
		}
		name := strings.Join(append([]string{c.Name}, c.Aliases...), "\n")
		table.AppendRow(texttable.Row{name, c.Hash, c.FingerprintBits(), strings.Join(differs, "\n"), strings.Join(texttable.Wrap(system, differencesWidth), "\n")})
	}
	_, err := fmt.Fprintln(w, table.Render())
	return err
}
