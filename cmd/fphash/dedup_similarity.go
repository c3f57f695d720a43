package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/similarity"
	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/binomial"
)

// specFlags are the flags that dedup and dedup-corpus share: which records are near-duplicates, and
// which of them to keep.
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
	choice(flags, &f.measure, "measure", string(dedup.Words), "similarity: words in order, or jaccard of word sets", dedup.TextMeasures())
	flags.StringVar(&f.keep, "keep", keepFirst, "keep first, longest, shortest, max:FIELD or min:FIELD")
	flags.BoolVar(&f.punctuation, "punctuation", false, "count each symbol as a word (default for folders of source code)")
	suggestions(flags, &f.keepDifferent, "keep-different", nil, "keep texts that differ in `X`: %s", keptDifferences)
	flags.Var(&f.show, "show", "show `N` dropped texts and how the kept texts differ, or only differences")
	f.recall = dedup.DefaultRecall
	flags.Var(&f.recall, "recall", "minimum `SHARE` of the near-duplicates to find")
	flags.BoolVar(&f.explain, "explain", false, "describe the search on standard error")
	f.changed = flags.Changed
}

// registerClassic adds the flags for comparing only fingerprints.
func (f *specFlags) registerClassic(flags *pflag.FlagSet) {
	flags.IntVarP(&f.k, "k", "k", 0, "compare fingerprints only: near-duplicates differ in at most `K` bits")
	choice(flags, &f.by, "by", dedup.Components, "with --k, how records form groups: %s", dedup.Ways())
}

// classic reports whether only fingerprints are compared, which --k requests.
func (f *specFlags) classic() bool { return f.changed("k") }

const maxRecall = 0.9999 // beyond it, almost all pairs would be candidates

// check refuses values that are invalid for all inputs, and flags that contradict each other.
func (f *specFlags) check(input *dedupInput) error {
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
	_, err := parseKeep(f.keep)
	return err
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
	if e.differences {
		return r.Differing(e.n)
	}
	return r.Examples(e.n)
}

// countsSymbols reports whether each symbol of the texts of FILE is a word: by --punctuation, or in
// folders of source code.
func (f *specFlags) countsSymbols(args []string) bool {
	if f.changed("punctuation") || f.classic() || len(args) == 0 {
		return f.punctuation
	}
	for _, arg := range args {
		if len(foldersOf(arg)) == 0 {
			return false
		}
	}
	files, err := documents.Expand(args) // reading the files reports an error
	return err == nil && documents.MostlySource(files)
}

// spec returns the Spec for texts or vectors of FILE.
func (f *specFlags) spec(kind inputKind, args []string) dedup.Spec {
	if f.classic() {
		return dedup.Spec{K: f.k, By: f.by}
	}
	s := dedup.Spec{Measure: dedup.Measure(f.measure), Similarity: dedup.DefaultTextSimilarity, Recall: float64(f.recall)}
	if kind == vectorInput {
		s.Measure, s.Similarity = dedup.Cosine, dedup.DefaultVectorSimilarity
	} else {
		s.Symbols = f.countsSymbols(args)
	}
	for _, name := range f.keepDifferent {
		if name == keepNumbers {
			s.KeepDifferent |= similarity.InNumbers
		} else {
			s.KeepDifferent |= similarity.InNegations
		}
	}
	if f.changed("similarity") {
		s.Similarity = float64(f.similarity)
	}
	return s
}

// specFeatures returns the features of texts compared by similarity: their words, numbered unless
// texts are compared as sets of words.
func specFeatures(spec dedup.Spec) string {
	features := similarity.Features(spec.Symbols)
	features.Numbered = spec.Measure != dedup.Jaccard
	return features.String()
}

// areSpecFeatures reports whether features are those of specFeatures.
func areSpecFeatures(features string) bool {
	for _, measure := range dedup.TextMeasures() {
		for _, symbols := range []bool{false, true} {
			if features == specFeatures(dedup.Spec{Measure: measure, Symbols: symbols}) {
				return true
			}
		}
	}
	return false
}

// apply sets the definition of the fingerprints for a Spec.
func (d *dedupInput) apply(spec dedup.Spec) {
	if spec.Similarity == 0 {
		return
	}
	c := spec.Candidates()
	d.definition.Sketch, d.definition.Bits = c.Sketch, c.Bits
	if c.Sketch == fphash.SimHash {
		d.definition.Widen = fphash.WidenMix
	}
	d.texts.weighing.features = specFeatures(spec)
}

// threshold returns k for fingerprints of this width when only fingerprints are compared.
func (f *specFlags) threshold(sketch fphash.Sketch, bits int) (int, error) {
	switch {
	case !f.classic():
		return dedup.DefaultK(sketch, bits), nil
	case f.k >= bits:
		return 0, fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
	}
	return f.k, nil
}

// explainTo returns a function that prints the plan of the search.
func explainTo(p *progress, stderr interface{ Write([]byte) (int, error) }) func(join.Plan) {
	return func(plan join.Plan) {
		p.clear()
		fmt.Fprintln(stderr, plan)
	}
}

// notes returns the parts of the summary that the result does not contain.
func (f *specFlags) notes(r *dedup.Result, sketch fphash.Sketch) dedup.Notes {
	bits := r.Records.Set.Bits
	notes := dedup.Notes{WhyK: "the default for this width", Chance: binomial.OfCosine(bits, 0)[r.K], Without: whyWithout(sketch == fphash.MinHash)}
	if f.classic() {
		notes.WhyK = "as given"
	}
	if r.Similarity > 0 {
		return notes
	}
	similarities, model := []float64{0.99, 0.98, 0.95}, binomial.OfCosine
	if notes.Of = "cosine"; sketch == fphash.MinHash {
		similarities, model, notes.Of = []float64{0.95, 0.9, 0.8}, binomial.OfJaccard, "Jaccard similarity"
	}
	for _, s := range similarities {
		notes.Finds = append(notes.Finds, dedup.Finds{Similarity: s, Part: model(bits, s)[r.K]})
	}
	return notes
}

// madeByMinHash reports whether a definition specifies MinHash.
func madeByMinHash(definition string) bool {
	d, err := fphash.ParseDefinition(definition)
	return err == nil && d.Sketch == fphash.MinHash
}

// whyWithout returns the possible reasons why a record has no fingerprint.
func whyWithout(minHash bool) string {
	if minHash {
		return "empty"
	}
	return "empty, or all sums zero"
}
