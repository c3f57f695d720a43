package bench

import (
	"slices"

	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

var allEncodings = []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}

// qualityTimes are the costs of hashes under every encoding, in the suite quality: hashing alone by
// the library and by the best kernel, and whole sketches by the best.
func qualityTimes() []part {
	all := familyNames()
	return []part{
		{kind: terms.Hash, hashes: all, encodings: allEncodings, sizes: []int{1024}, kernels: ends},
		{kind: terms.Sketch, hashes: all, encodings: allEncodings, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{100}, kernels: fastest, fit: true},
	}
}

// cellParts returns the parts of the cells of the suite.
func (o Options) cellParts() []cellPart {
	switch {
	case o.Suite == SuiteChoose:
		return o.chooseCells()
	case o.Suite == SuiteQuality && o.Full:
		return fullCells(o.dataCells())
	case o.Suite == SuiteQuality, (o.Suite == "" || o.Suite == SuiteDefault) && o.Full:
		return qualityCells(o.dataCells())
	case o.Suite == "" || o.Suite == SuiteDefault:
		return o.defaultCells()
	}
	return nil
}

// defaultCells are every family under every encoding in two cases: runs of consecutive indices with
// unit weights, which single out each hash that is weak anywhere in the suite quality, and a
// vocabulary's dense indices with weights of both signs; or a user's data in place of the latter.
// All hashes have the same cases: the worst of a few would not compare with the worst of many.
func (o Options) defaultCells() []cellPart {
	all := familyNames()
	second := []cellPart{{hashes: all, encodings: allEncodings, patterns: []quality.Pattern{quality.Dense1e3}, weights: []string{"signed"}}}
	if data := o.dataCells(); len(data) > 0 {
		second = data
	}
	return append(second, cellPart{hashes: all, encodings: allEncodings, patterns: []quality.Pattern{quality.Consecutive}, weights: []string{datasets.Unit}})
}

// dataCells are every hash on the user's data. The data set of the machine has none: it changes
// with the Go version, and these figures are to be exact.
func (o Options) dataCells() []cellPart {
	if o.Data == "" || o.Data == DefaultData {
		return nil
	}
	return []cellPart{{hashes: familyNames(), encodings: allEncodings, patterns: []quality.Pattern{quality.Data}, weights: []string{datasets.Float32}}}
}

// qualityCells are every hash under every encoding on every pattern, and with every kind of weights
// on one of them.
func qualityCells(data []cellPart) []cellPart {
	all := familyNames()
	return append(slices.Clone(data),
		cellPart{hashes: all, encodings: allEncodings, patterns: quality.Patterns(), weights: []string{datasets.Unit}},
		cellPart{hashes: all, encodings: allEncodings, patterns: []quality.Pattern{quality.Consecutive}, weights: QualityWeights()},
	)
}

// fullCells are all combinations of hash, encoding, pattern and weights.
func fullCells(data []cellPart) []cellPart {
	return append(qualityCells(data), cellPart{hashes: familyNames(), encodings: allEncodings, patterns: quality.Patterns(), weights: QualityWeights()})
}
