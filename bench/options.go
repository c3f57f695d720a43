package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"simhashkit/asm/cpu"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Options chooses cases and cells. The zero value means the default suite, which answers the common
// questions. A list that is given replaces the grid's own list in every part of the grid that has
// such a choice.
type Options struct {
	Suite string // which grid, see Suites; "": SuiteDefault
	// in SuiteDefault every combination that makes sense; in SuiteKernels also scans of 10^8
	// fingerprints, which take 1.6 GB of memory
	Full      bool
	Hashes    []string          // names of registered families
	Encodings []fphash.Encoding // of Hash, Sketch and cells
	// naive, library, and the tiers; cells have none, and are left out if kernels are asked for
	Kernels []string
	Bits    []int // widths of Accumulate, Sketch and cells
	// of the sketches that are wider than their hash; without one, and with hashes that it does not
	// suit, there are no such sketches
	Widen    fphash.Widen
	NNZ      []int             // features of a vector, in Accumulate and Sketch of fixed sizes
	Weights  []string          // types, see Weights, or kinds of generated patterns, see QualityWeights
	Patterns []quality.Pattern // of indices, in cells; quality.Data for those on the data set
	// keeps the cases with such names; the word Benchmark may stand before a name
	Match *regexp.Regexp
	// name of the data set, the value of the key data=; "": no cases on a data set
	Data string
}

// check checks the values that users can misspell, except for hashes, which timed looks up.
func (o Options) check(most cpu.Tier) error {
	for _, name := range o.Kernels {
		if err := checkKernel(name, most); err != nil {
			return err
		}
	}
	for _, name := range o.Weights {
		if !slices.Contains(AllWeights(), name) {
			return fmt.Errorf("bench: unknown weights %q; expected %s", name, strings.Join(AllWeights(), ", "))
		}
	}
	for _, p := range o.Patterns {
		if !slices.Contains(PatternNames(), string(p)) {
			return fmt.Errorf("bench: unknown pattern %q; expected %s", string(p), strings.Join(PatternNames(), ", "))
		}
	}
	for _, f := range o.Bits {
		if f < 1 || f > fphash.MaxBits {
			return fmt.Errorf("bench: width of %d bits, expected 1 to %d", f, fphash.MaxBits)
		}
	}
	for _, n := range o.NNZ {
		if n < 1 || n > MaxNNZ {
			return fmt.Errorf("bench: vectors of %d features, expected 1 to %d", n, MaxNNZ)
		}
	}
	return nil
}

// AllWeights returns the values of Options.Weights: types of weight, and kinds of weights of
// generated patterns.
func AllWeights() []string {
	all := datasets.WeightTypes()
	for _, kind := range QualityWeights() {
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// PatternNames returns the values of Options.Patterns: the generated ones, and that of a data set.
func PatternNames() []string {
	var names []string
	for _, p := range append(quality.Patterns(), quality.Data) {
		names = append(names, string(p))
	}
	return names
}

// MaxNNZ is the greatest number of features of a vector of a fixed size.
const MaxNNZ = 1 << 20

// choose returns the choice of the user, or that of the grid. A part without such a choice has
// none.
func choose[T any](asked, usual []T) []T {
	if len(asked) > 0 && len(usual) > 0 {
		return asked
	}
	return usual
}

// Matches reports whether Match keeps the case called name, without the word Benchmark.
func (o Options) Matches(name string) bool {
	return o.Match == nil || o.Match.MatchString(name) || o.Match.MatchString("Benchmark"+name)
}
