package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/fphash/conventions"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

func newConventions() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "conventions",
		Short: "List other systems whose fingerprints fphash can compute",
		Long: `conventions lists systems whose fingerprints sketch --convention computes, bit by bit,
and how they differ from what sketch does with the same hash by default: there,
votes are signed, sums of zero and vectors without features give 0, and bit i of
the hash decides bit i. fphash/conventions/README.md says more, and which systems are
left out on purpose.`,
		Example: `  fphash conventions
  fphash conventions --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format == "json" {
				return writeConventionsJSON(cmd.OutOrStdout())
			}
			return writeConventions(cmd.OutOrStdout())
		},
	}
	choice(command.Flags(), &format, "format", "text", "format of the list: %s", []string{"text", "json"})
	command.AddCommand(newConventionsConvert())
	return command
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
		system := texttable.Wrap(systemOf(c), differencesWidth)
		name := strings.Join(append([]string{c.Name}, c.Aliases...), "\n")
		table.AppendRow(texttable.Row{name, c.Hash, c.FingerprintBits(), strings.Join(differs, "\n"), strings.Join(system, "\n")})
	}
	_, err := fmt.Fprintln(w, texttable.Render(table))
	return err
}

// systemOf returns the name of the system, and whether it computes features of texts.
func systemOf(c conventions.Convention) string {
	if c.HasTexts() {
		return c.System + "; texts too"
	}
	return c.System
}

// jsonConvention is a convention in JSON output.
type jsonConvention struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	System      string   `json:"system"`
	Hash        string   `json:"hash"`
	Framing     string   `json:"framing"`
	Bits        int      `json:"bits"`
	Vote        string   `json:"vote"`
	Weights     string   `json:"weights"`
	Order       string   `json:"order"`
	Tie         string   `json:"tie"`
	BitOrder    string   `json:"bit_order"`
	Inverted    bool     `json:"inverted"`
	Empty       string   `json:"empty"`
	Texts       bool     `json:"texts"`
	Differences []string `json:"differences"`
}

func writeConventionsJSON(w io.Writer) error {
	var list []jsonConvention
	for _, c := range conventions.All() {
		list = append(list, jsonConvention{
			Name: c.Name, Aliases: c.Aliases, System: c.System, Hash: c.Hash, Framing: cmp.Or(c.Framing, "plain"), Bits: c.FingerprintBits(), Vote: voteOf(c),
			Weights: c.Weights.String(), Order: c.Order.String(), Tie: c.Tie.String(), BitOrder: cmp.Or(c.BitOrder, "number"), Inverted: c.Inverted, Empty: cmp.Or(c.Empty, "as ties"),
			Texts: c.HasTexts(), Differences: c.Differences(),
		})
	}
	return jsonout.Write(w, list)
}

// voteOf describes how codes and weights become bits.
func voteOf(c conventions.Convention) string {
	if c.Weights == conventions.Python {
		return "half-of-total"
	}
	return "signed"
}
