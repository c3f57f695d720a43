package main

import (
	"embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The flags that the help of a command omits. A help topic explains them.
var (
	rareFlags       = []string{"base", "max-line", "charset", "table", "word-weights", "workers", "kernel", "explain"}
	rareDefinition  = []string{"encoding", "widen", "seed", "key", "tie", "order", "convention"}
	classicFlags    = slices.Concat(rareFlags, definitionNames, []string{"features", "by", "weights"}) // of dedup, with --k
	sketchFlagsRare = slices.Concat(rareFlags, rareDefinition)
	runFlagsRare    = []string{"remove", "only-duplicates", "memory", "recall"}                                             // of dedup
	verdictFlags    = []string{"alpha", "accept", "strict", "ignore", "table", "row", "cpu", "same", "seed", "pin", "tags"} // of ab and compare
)

// The flags of doctor and bench that are listed in the topics protocol and suites.
var (
	doctorFlagsRare = []string{"encoding", "widen", "base", "max-line", "workers", "timeout"}
	benchFlagsRare  = []string{"encoding", "nnz", "pattern", "list", "base", "max-line", "time"}
)

// hideFlags hides the named flags if the command has them.
func hideFlags(flags *pflag.FlagSet, names []string) {
	for _, name := range names {
		if flags.Lookup(name) != nil {
			_ = flags.MarkHidden(name) // the flag exists
		}
	}
}

// pages has the help of the commands and topics. The page of index build is index-build.txt.
//
//go:embed help
var pages embed.FS

// addPage sets the help and the examples of a command from its page, if it has one.
func addPage(c *cobra.Command) {
	name := strings.ReplaceAll(strings.TrimPrefix(c.CommandPath(), "fphash "), " ", "-")
	if page, err := pages.ReadFile("help/" + name + ".txt"); err == nil {
		c.Long, c.Example, _ = strings.Cut(strings.TrimSuffix(string(page), "\n"), "\n\nExamples:\n")
	}
}

// newTopics returns the help topics.
func newTopics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "fingerprints", Short: "Choose hash, width and features, and compare only fingerprints (--k)"},
		{Use: "runs", Short: "Find near-duplicates in many files, in a run that can be resumed (dedup --run)"},
		{Use: "formats", Short: "Files of vectors, texts and fingerprints"},
		{Use: "protocol", Short: "How doctor asks your program for hashes"},
		{Use: "suites", Short: "What bench measures"},
		{Use: "verdicts", Short: "How ab and compare judge benchmarks, and what a gap is"},
	}
}
