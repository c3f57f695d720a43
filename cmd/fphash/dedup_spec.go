package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index/join"
)

// specFlags say which records are near-duplicates, and which of them to keep.
type specFlags struct {
	similarity fraction
	measure    string
	recall     fraction
	keep       string
	show       examplesShown
	explain    bool

	punctuation   bool
	keepDifferent []string

	k  int    // if only fingerprints are compared
	by string // if only fingerprints are compared

	changed func(flag string) bool
}

func (f *specFlags) register(flags *pflag.FlagSet) {
	flags.VarP(&f.similarity, "similarity", "s", "minimum similarity `S` (default 0.9 for texts, 0.95 for vectors)")
	choice(flags, &f.measure, "measure", string(dedup.Words), "similarity: words in order, or jaccard of word sets", []dedup.Measure{dedup.Words, dedup.Jaccard})
	flags.StringVar(&f.keep, "keep", keepFirst, "keep first, longest, shortest, max:FIELD or min:FIELD")
	flags.BoolVar(&f.punctuation, "punctuation", false, "count each symbol as a word (default for folders of source code)")
	suggestions(flags, &f.keepDifferent, "keep-different", nil, "keep texts that differ in `X`: %s", keptDifferences)
	flags.Var(&f.show, "show", "show `N` dropped texts and how the kept texts differ, or only differences")
	f.recall = fraction(dedup.DefaultSpec(dedup.Words).Recall)
	flags.Var(&f.recall, "recall", "minimum `SHARE` of the near-duplicates to find")
	flags.BoolVar(&f.explain, "explain", false, "describe the search on standard error")
	f.changed = flags.Changed
}

// registerClassic adds the flags for comparing only fingerprints.
func (f *specFlags) registerClassic(flags *pflag.FlagSet) {
	flags.IntVarP(&f.k, "k", "k", 0, "compare fingerprints only: near-duplicates differ in at most `K` bits")
	choice(flags, &f.by, "by", "components", "with --k, how records form groups: %s", []string{"components", byFirst})
}

// byFirst is the value of --by that drops only records near a kept one.
const byFirst = "first"

// classic reports whether only fingerprints are compared, which --k requests.
func (f *specFlags) classic() bool { return f.changed("k") }

// readsTwice reports whether texts or vectors are read a second time: to be verified or shown, or
// for the values of --keep.
func (f *specFlags) readsTwice() bool { return !f.classic() || f.show.n > 0 || f.keep != keepFirst }

const maxRecall = 0.9999 // beyond it, almost all pairs would be candidates

// keepFirst is the default of --keep.
const keepFirst = "first"

// keepFlag parses --keep.
func (f *specFlags) keepFlag() (source.Keep, error) {
	keep, err := source.ParseKeep(f.keep)
	if err != nil {
		err = fmt.Errorf("--keep %w", err)
	}
	return keep, err
}

// check refuses values that are invalid for all inputs, and flags that contradict each other.
func (f *specFlags) check() error {
	if s := float64(f.similarity); f.changed("similarity") && !(s >= dedup.LeastSimilarity && s <= 1) {
		return fmt.Errorf("--similarity %v: expected %v to 1, such as 0.9 or 90%%", s, dedup.LeastSimilarity)
	}
	if !(f.recall > 0 && f.recall <= maxRecall) {
		return fmt.Errorf("--recall %v: expected more than 0 and at most %v, such as 0.95 or 95%%", float64(f.recall), maxRecall)
	}
	if f.k < 0 {
		return fmt.Errorf("--k %d: expected 0 or more", f.k)
	}
	if f.classic() {
		for _, name := range []string{"similarity", "measure", "recall", "punctuation", "keep-different"} {
			if f.changed(name) {
				return fmt.Errorf("--%s cannot be combined with --k, which compares fingerprints alone", name)
			}
		}
		if f.show.differences {
			return fmt.Errorf("--show %s cannot be combined with --k, which compares fingerprints alone", showDifferences)
		}
	} else {
		for _, name := range slices.Concat([]string{"by", "features"}, definitionNames) {
			if f.changed(name) {
				return fmt.Errorf("--%s requires --k, which compares fingerprints alone", name)
			}
		}
	}
	for _, name := range f.keepDifferent {
		if err := expectOneOf("--keep-different", name, keptDifferences); err != nil {
			return err
		}
	}
	return nil
}

// The values of --keep-different.
const (
	keepNumbers  = "numbers"
	keepNegation = "negation"
)

var keptDifferences = []string{keepNumbers, keepNegation}

// showDifferences is the value of --show for texts that differ in a way that their similarity
// hardly weighs.
const showDifferences = "differences"

// shownDifferences is the number of these texts.
const shownDifferences = 5

// examplesShown is the value of --show.
type examplesShown struct {
	n           int
	differences bool
}

func (e *examplesShown) Set(text string) (err error) {
	if e.differences = text == showDifferences; e.differences {
		e.n = shownDifferences
	} else if e.n, err = strconv.Atoi(text); err != nil || e.n < 0 {
		err = fmt.Errorf("expected a whole number, 0 or more, or %s", showDifferences)
	}
	return err
}

func (e *examplesShown) String() string {
	if e.differences {
		return showDifferences
	}
	return strconv.Itoa(e.n)
}

func (e *examplesShown) Type() string { return "N" }

// of returns the examples of a result.
func (e *examplesShown) of(r *dedup.Result) []dedup.Example {
	return r.Examples(e.n, e.differences)
}

// spec returns what the flags say about near-duplicates in a source.
func (f *specFlags) spec(s *source.Source) dedup.Spec {
	if f.classic() {
		return dedup.Spec{K: f.k, First: f.by == byFirst}
	}
	spec := s.DefaultSpec()
	if s.Kind == source.Fingerprints {
		return spec
	}
	spec.Recall = float64(f.recall)
	if s.Kind == source.Texts {
		spec.Measure = dedup.Measure(f.measure)
	}
	if f.changed("punctuation") {
		spec.Symbols = f.punctuation
	}
	if f.changed("similarity") {
		spec.Similarity = float64(f.similarity)
	}
	spec.KeepNumbers = slices.Contains(f.keepDifferent, keepNumbers)
	spec.KeepNegations = slices.Contains(f.keepDifferent, keepNegation)
	return spec
}

// explainTo returns a function that prints the plan of the search.
func explainTo(p *progress, stderr io.Writer) func(join.Plan) {
	return func(plan join.Plan) {
		p.clear()
		fmt.Fprintln(stderr, plan)
	}
}
