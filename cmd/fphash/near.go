package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"simhashkit/bench/calibrate"
	"simhashkit/dedup"
	"simhashkit/dedup/settings"
	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
)

// nearFlags are what dedup and dedup-corpus have in common.
type nearFlags struct {
	input           dedupInput
	k               int
	by, format, out string
	keep            string
	recall          fraction
	explain         bool
	indexK          *int // of an index that is compared with
	settings        string
	chosen          *settings.Setting // by --settings auto
	evidence
	changed func(flag string) bool
}

func (f *nearFlags) register(flags *pflag.FlagSet) {
	flags.IntVarP(&f.k, "k", "k", 0, "bits in which near-duplicates differ, at most (default 3 of 64, 10 by minhash, in proportion)")
	choice(flags, &f.settings, "settings", "", "auto: try some on a sample of the texts, as fphash choose does, and use the best", []string{settingsAuto})
	choice(flags, &f.by, "by", dedup.Components, "what a group is: %s", dedup.Ways())
	flags.StringVar(&f.keep, "keep", keepFirst, "which document of a group is kept: first, longest, shortest, max:`FIELD` or min:FIELD")
	flags.Var(&f.recall, "recall", "find this `share` of the pairs that differ in k bits, such as 0.95, and more of nearer ones, if to find all costs more (default all)")
	flags.BoolVar(&f.explain, "explain", false, "say on standard error how the pairs are found, and at what cost")
	f.evidence.register(flags)
	f.changed = flags.Changed
}

// check refuses values that no input makes sense of.
func (f *nearFlags) check() error {
	if f.input.workers < 0 {
		return fmt.Errorf("--workers %d: expected 0 or more", f.input.workers)
	}
	if f.changed("audit-pairs") && f.audit == "" {
		return fmt.Errorf("--audit-pairs %d: expected --audit FILE with it, which is the sheet that has them", f.pairs)
	}
	if err := f.evidence.check(); err != nil {
		return err
	}
	if f.measure.Kind != "" {
		if f.changed("by") && f.by != dedup.First {
			return fmt.Errorf("--by %s: expected --by %s with --verify: what is dropped is compared with what is kept, and not by a chain", f.by, dedup.First)
		}
		f.by = dedup.First
	}
	if f.changed("recall") && !(f.recall > 0 && f.recall < 1) {
		return fmt.Errorf("--recall %v: expected more than 0 and less than 1, as in 0.95", float64(f.recall))
	}
	if f.k < 0 {
		return fmt.Errorf("--k %d: expected 0 or more", f.k)
	}
	if err := f.checkSettings(); err != nil {
		return err
	}
	_, err := parseKeep(f.keep)
	return err
}

// threshold returns k for fingerprints of that definition and of that many bits.
func (f *nearFlags) threshold(definition string, bits int) (int, error) {
	switch {
	case f.chosen != nil:
		return f.chosen.K, nil
	case !f.changed("k") && f.indexK != nil:
		return *f.indexK, nil
	case !f.changed("k"):
		return dedup.DefaultK(f.input.definition.sketchOf(definition), bits), nil
	case f.k >= bits:
		return 0, fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
	}
	return f.k, nil
}

// explainTo writes how the pairs are found.
func explainTo(p *progress, stderr io.Writer) func(join.Plan) {
	return func(plan join.Plan) {
		p.clear()
		fmt.Fprintln(stderr, plan)
	}
}

// tooShort says, of texts that are mostly too short for k, what k finds of them after a change of
// one feature; nothing of others, and of one alone. It names no greater k: what that lets pass of
// other texts depends on the texts, and choose measures it on them.
func (f *nearFlags) tooShort(r *dedup.Result) string {
	median := f.input.sizes.Median()
	if median == 0 || r.Records.Len() < 2 {
		return ""
	}
	// One of n features of the same weight is another then: of n squares, one is missing in the
	// scalar product, and the length stays. Of sets, n-1 of n+1 are in both.
	bits, n := r.Records.Set.Bits, float64(median)
	model := calibrate.Model(bits, 1-1/n)
	if f.isMinHash(r) {
		model = calibrate.ModelJaccard(bits, (n-1)/(n+1))
	}
	finds := model[r.K]
	if finds >= 0.5 {
		return ""
	}
	found := english.Hundred(finds) + "%"
	if finds < 0.001 {
		found = "hardly any"
	}
	return fmt.Sprintf("Most texts here are short: half have at most %d %s, and with one of %d changed k = %d finds %s of the copies. What other settings find in yours, and what they let pass: fphash choose FILE, with the same --text and --features.",
		median, english.Plural(median, "feature", "features"), median, r.K, found)
}

// notes says why k is what it is, and what it finds by theory.
func (f *nearFlags) notes(r *dedup.Result) dedup.Notes {
	bits := r.Records.Set.Bits
	notes := dedup.Notes{WhyK: "the default for this width", Chance: calibrate.Model(bits, 0)[r.K], Without: whyWithout(f.isMinHash(r))}
	if f.indexK != nil {
		notes.WhyK = "that of the index"
	}
	if f.changed("k") {
		notes.WhyK = "as given"
	}
	if f.chosen != nil {
		notes.WhyK = "by --settings auto, which is " + f.chosen.Flags()
	}
	if !f.input.texts.given() {
		notes.Finder = "What each k finds in your vectors: fphash calibrate DATA."
	}
	if f.input.sizes.Median() > 0 && f.input.definition.Convention == "" && (f.measure.Kind == "" || f.measure.Kind == dedup.Cosine) {
		notes.Features = f.input.texts.ignored(r.Against == nil)
	}
	notes.Short = f.tooShort(r)
	similarities, model := []float64{0.99, 0.98, 0.95}, calibrate.Model
	if notes.Of = "cosine"; f.isMinHash(r) {
		similarities, model, notes.Of = []float64{0.95, 0.9, 0.8}, calibrate.ModelJaccard, "Jaccard similarity"
	}
	for _, s := range similarities {
		notes.Finds = append(notes.Finds, dedup.Finds{Similarity: s, Part: model(bits, s)[r.K]})
	}
	return notes
}

// isMinHash reports whether MinHash has made the fingerprints.
func (f *nearFlags) isMinHash(r *dedup.Result) bool {
	return f.input.definition.sketchOf(r.Records.Set.Definition) == fphash.MinHash
}

// madeByMinHash reports whether a definition says so.
func madeByMinHash(definition string) bool {
	d, err := fphash.ParseDefinition(definition)
	return err == nil && d.Sketch == fphash.MinHash
}

// whyWithout says why there is no fingerprint of a record.
func whyWithout(minHash bool) string {
	if minHash {
		return "empty"
	}
	return "empty, or all sums zero"
}
