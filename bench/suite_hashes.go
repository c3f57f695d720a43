package bench

import (
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// hashesParts are every hash by its library and at every tier: the few keys at which kernels go
// wrong, as many as there are in a chunk of a sketch and more, and the sketches, with what
// accumulation alone costs.
func hashesParts() []part {
	all, f64, le64 := timedNames(), []int{64}, []fphash.Encoding{fphash.LE64}
	return []part{
		{kind: terms.Hash, hashes: all, encodings: le64, sizes: []int{1, 2, 4, 8, 16, 1024}},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{100}},
		{kind: terms.Sketch, hashes: all, encodings: le64, weights: []string{datasets.Float32}, bits: f64, fit: true, sizes: []int{100}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: all, encodings: le64, weights: []string{datasets.Unit}, bits: f64, fit: true, sizes: []int{100}},
	}
}

// encodedHashes are all hashes of indices that enter them otherwise.
func encodedHashes() []part {
	all, others := timedNames(), []fphash.Encoding{fphash.BE64, fphash.Dec}
	return []part{
		{kind: terms.Hash, hashes: all, encodings: others, sizes: []int{16, 1024}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: all, encodings: others, weights: []string{datasets.Float32}, bits: []int{64}, fit: true, sizes: []int{100}},
	}
}
