package bench

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"simhashkit/bench/internal/steps"
)

// FPHASH_INSTRUCTIONS=PATTERN go test -count=1 -v -run '^TestInstructions$' ./bench prints how many
// instructions an operation of each case takes whose name the pattern matches, function by
// function. Beside its time, that tells what a kernel's limit is: work, or waiting for it.
const (
	instructionsVariable = "FPHASH_INSTRUCTIONS"
	oneCaseVariable      = "FPHASH_INSTRUCTIONS_CASE" // for the process that is counted
)

// countedOperations are counted: not one, since a case may take different ways with different
// inputs.
const countedOperations = 8

// A kernel is seen at work, in all of its instructions and in no others.
func TestInstructions(t *testing.T) {
	pattern := os.Getenv(instructionsVariable)
	chosen := pattern != ""
	if !chosen {
		pattern = "^Accumulate/weights=unit/f=64/kernel=generic/nnz=8$"
	}
	match, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatalf("%s: %v", instructionsVariable, err)
	}
	cases, err := Grid(Options{Suite: SuiteKernels, Match: match})
	if err != nil || len(cases) == 0 {
		t.Fatalf("%v: %d cases", err, len(cases))
	}
	var table strings.Builder
	for _, c := range cases {
		if c.Name.Get("cpus") != "" {
			continue // goroutines, of which one would be counted
		}
		counts, err := steps.Count([]string{"-test.run=^TestInstructionsOfOneCase$"}, []string{oneCaseVariable + "=" + c.Name.String()})
		if errors.Is(err, steps.ErrUnsupported) || errors.Is(err, os.ErrPermission) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		printInstructions(&table, c, counts)
		if !chosen {
			const kernel = "simhashkit/asm/accumulate.sketchUnitGeneric"
			if n := counts[kernel] / countedOperations; n < 8 || n > 1000 {
				t.Errorf("%d instructions of %s for 8 features: %v", n, kernel, counts)
			}
		}
	}
	if chosen {
		fmt.Println(table.String())
	}
}

func TestInstructionsOfOneCase(t *testing.T) {
	name := os.Getenv(oneCaseVariable)
	if name == "" {
		t.Skip("is run by TestInstructions")
	}
	cases, err := Grid(Options{Suite: SuiteKernels, Match: regexp.MustCompile("^" + regexp.QuoteMeta(name) + "$")})
	if err != nil || len(cases) != 1 {
		t.Fatalf("%v: %d cases", err, len(cases))
	}
	trial, err := cases[0].ready(inputsWithout())
	if err != nil {
		t.Fatal(err)
	}
	leave, err := cases[0].enter()
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	steps.Begin()
	trial.loop(countedOperations)
	steps.End()
}

// printInstructions prints the instructions of an operation, and those of each function that makes
// up a hundredth of them.
func printInstructions(w io.Writer, c Case, counts map[string]int) {
	total := 0
	for _, n := range counts {
		total += n
	}
	per := func(n int) float64 { return float64(n) / countedOperations }
	fmt.Fprintf(w, "%s\t%.1f\n", c.Name, per(total))
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range names {
		if counts[name]*100 >= total {
			fmt.Fprintf(columns, "%.1f\t  %s\n", per(counts[name]), strings.TrimPrefix(name, "simhashkit/"))
		}
	}
	columns.Flush()
}
