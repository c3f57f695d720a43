package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/choose"
	"simhashkit/bench/doctor"
	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/tabular"
)

// flagValues are the values that a shell offers for a flag, by its name, or by "COMMAND NAME" where
// that command takes others; the command with those above it, where two have the same name. Without
// any there is nothing to offer, not even files.
var flagValues = map[string]func() []string{
	"accept":    func() []string { return namesOf(compare.GapKinds()) },
	"by":        dedup.Ways,
	"documents": documents.Formats,
	"encoding":  func() []string { return written(fphash.LE64, fphash.BE64, fphash.Dec) },
	"family":    hashNames,
	"features":  func() []string { return []string{text.Words, text.Characters, text.Bytes} },
	"format":    func() []string { return formats },
	"hash":      hashNames,
	"indices":   indexNames,
	"kernel":    func() []string { return written(cpu.Tiers()...) },
	"order":     func() []string { return written(fphash.Grouped, fphash.Sequential) },
	"pattern":   func() []string { return bench.PatternNames() },
	"sketch":    func() []string { return written(fphash.SimHash, fphash.MinHash) },
	"suite":     func() []string { return bench.Suites() },
	"tie":       func() []string { return written(fphash.TieZero, fphash.TieOne, fphash.TieAlternate) },
	"weights":   datasets.WeightTypes,
	"widen":     wideningNames,

	"ab format":            comparisonFormats,
	"ab kernel":            benchKernels,
	"bench kernel":         benchKernels,
	"bench weights":        bench.AllWeights,
	"calibrate format":     calibrate.Formats,
	"choose format":        choose.Formats,
	"choose weights":       func() []string { return namesOf(weights.Schemes()) },
	"clusters format":      tabular.Formats,
	"compare format":       comparisonFormats,
	"dedup format":         tabular.Formats,
	"dedup-corpus format":  attributeFormats,
	"dedup-corpus weights": func() []string { return namesOf(weights.Schemes()) },
	"convert from":         func() []string { return namesOf(datasets.Formats()) },
	"convert to":           func() []string { return namesOf(datasets.Formats()) },
	"dedup list":           dedup.Lists,
	"doctor format":        doctor.Formats,
	"doctor hash":          func() []string { return nil }, // a command
	"doctor pattern":       func() []string { return namesOf(quality.Patterns()) },
	"doctor weights":       func() []string { return namesOf(quality.AllWeights()) },
	"ids":                  func() []string { return []string{idsText, idsNumbers} },
	"query format":         tabular.Formats,
	"sketch weights":       anyWeights,
	"dedup weights":        anyWeights,
	"calibrate weights":    anyWeights,
	"generate weights": func() []string {
		return namesOf([]datasets.WeightKind{datasets.UnitWeights, datasets.CountWeights, datasets.TFIDFWeights})
	},

	"convention":                 conventionNames,
	"conventions format":         func() []string { return conventionFormats },
	"conventions convert format": func() []string { return convertedFormats },
	"conventions convert from":   conventionNames,
	"conventions convert to":     conventionNames,
}

func anyWeights() []string { return append(datasets.WeightTypes(), namesOf(weights.Schemes())...) }

func hashNames() []string {
	var names []string
	for _, family := range fphash.Families() {
		names = append(names, family.Name)
	}
	return names
}

func wideningNames() []string {
	return written(fphash.WidenNone, fphash.WidenReseed, fphash.WidenCounter, fphash.WidenMix)
}

func benchKernels() []string { return append([]string{"naive", "library"}, written(cpu.Tiers()...)...) }

func namesOf[S ~string](list []S) []string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return names
}

func written[S fmt.Stringer](list ...S) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.String())
	}
	return names
}

// completeFlags has the shell offer values for the flags of the command and of those below it.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		_, path, _ := strings.Cut(command.CommandPath(), " ")
		values, ok := flagValues[path+" "+flag.Name]
		if !ok {
			values, ok = flagValues[command.Name()+" "+flag.Name]
		}
		if !ok {
			values, ok = flagValues[flag.Name]
		}
		if ok {
			complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return offered(values(), typed, flag.Value.Type() == "stringSlice")
			}
			_ = command.RegisterFlagCompletionFunc(flag.Name, complete) // the flag exists, and has none
		}
	})
	for _, c := range command.Commands() {
		completeFlags(c)
	}
}

// offered completes what is typed, which of a list is its last entry. What the list has already is
// not offered again.
func offered(values []string, typed string, list bool) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := ""
	if comma := strings.LastIndexByte(typed, ','); list && comma >= 0 {
		before = typed[:comma+1]
	}
	var completions []cobra.Completion
	for _, value := range values {
		if strings.HasPrefix(before+value, typed) && !slices.Contains(strings.Split(before, ","), value) {
			completions = append(completions, before+value)
		}
	}
	directive := cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if list {
		directive |= cobra.ShellCompDirectiveNoSpace // a comma may follow
	}
	return completions, directive
}
