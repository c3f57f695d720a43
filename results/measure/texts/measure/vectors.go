package measure

import (
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/results/measure/texts/collections"
)

// document is a text as a vector.
type document struct {
	features [][]byte // as they stand in the text, with repeats
	indices  []uint64 // the same of shingles that are numbers, nil of others
	vector   weights.Vector
}

// cut returns the features of all texts, in memory of their own.
func cut(c *collections.Collection, features string) ([]document, error) {
	options, err := text.ParseOptions(features)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	options = analyzer.Options()
	list := make([]document, len(c.Texts))
	for i, t := range c.Texts {
		var memory []byte
		var ends []int
		for _, feature := range analyzer.Append(nil, []byte(t)) {
			memory = append(memory, feature...)
			ends = append(ends, len(memory))
		}
		from := 0
		for _, end := range ends {
			list[i].features = append(list[i].features, memory[from:end:end])
			from = end
		}
		if options.Features == text.Bytes && options.N <= 8 {
			list[i].indices = analyzer.AppendIndices(nil, []byte(t))
		}
	}
	return list, nil
}

// weigh makes vectors of the features. Document frequencies are those of the texts themselves.
func weigh(list []document, scheme weights.Scheme) error {
	if scheme == Set {
		return nil
	}
	o := weights.Options{Scheme: scheme}
	if scheme.NeedsIDF() {
		b := weights.NewBuilder("", 0)
		for _, d := range list {
			b.Add(d.features)
		}
		o.IDF = b.Table()
	}
	weigher, err := weights.New(o)
	if err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	for i := range list {
		list[i].vector = weigher.Weigh(list[i].features).Clone()
	}
	return nil
}

// fingerprints are those of all texts.
type fingerprints struct {
	words  int
	prints []uint64
}

// sketch computes fingerprints as package textsketch does: counts as repeats of features, other
// weights as float64.
func sketch(list []document, scheme weights.Scheme, way Way) (f fingerprints, err error) {
	s, err := way.sketcher(scheme)
	if err != nil {
		return f, err
	}
	local := s.Local()
	f.words = s.Words()
	for _, d := range list {
		switch {
		case scheme == weights.Count && d.indices != nil:
			f.prints, _, err = fphash.AppendUnit(local, f.prints, d.indices)
		case scheme == weights.Count || scheme == Set:
			f.prints, _, err = fphash.AppendUnit(local, f.prints, d.features)
		default:
			f.prints, _, err = fphash.Append(local, f.prints, d.vector.Features, d.vector.Weights)
		}
		if err != nil {
			return f, fmt.Errorf("measure: %w", err)
		}
	}
	return f, nil
}
