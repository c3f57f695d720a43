package bench

import (
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// chooseTimes are the costs of whole sketches with every hash: of the vectors of the user, if there
// are some, and of 100 features.
func chooseTimes() []part {
	p := part{kind: terms.Sketch, hashes: familyNames(), encodings: []fphash.Encoding{fphash.LE64}, weights: []string{datasets.Float32}, bits: []int{64}, kernels: fastest, fit: true}
	onData, ofFixedSize := p, p
	onData.data, ofFixedSize.sizes = true, []int{100}
	return []part{onData, ofFixedSize}
}

// chooseCells are every hash on the user's vectors, and on the three patterns that indices mostly
// have: those of a vocabulary, numbers in a row, and hashes of words.
func (o Options) chooseCells() []cellPart {
	patterns := []quality.Pattern{quality.Dense1e3, quality.Consecutive, quality.Uniform64}
	cells := append(o.dataCells(), cellPart{hashes: familyNames(), patterns: patterns, weights: []string{datasets.Unit}})
	for i := range cells {
		cells[i].encodings = []fphash.Encoding{fphash.LE64}
	}
	return cells
}
