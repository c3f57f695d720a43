package bench

import (
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// kernelsParts are the sizes that real documents have, and those at which kernels go wrong: vectors
// of 1 to 8 features, which SIMD kernels tend to be slower at than plain code, and long ones, which
// go round the outer loops. Every op is there at every tier that it has a kernel for, without naive
// loops and libraries.
func kernelsParts() []part {
	weighted := sizesFrom(1, 8, 32, 100, 1000)
	f64, le64 := []int{64}, []fphash.Encoding{fphash.LE64}
	hashes := []string{"splitmix64", "xxh64"}
	return []part{
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit}, bits: f64, sizes: sizesFrom(1, 8, 16, 64, 100, 128, 1000, 8192)},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Float32, datasets.Int32, datasets.Int64, datasets.Float64, set}, bits: f64, sizes: weighted},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Int32}, bits: f64, sizes: weighted, small: true},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Float64}, bits: f64, sizes: weighted, order: sequential},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{128, 256, 512, 1024}, sizes: []int{100}},
		{kind: terms.Hash, kernels: tiersOnly, hashes: hashes, encodings: le64, sizes: []int{1024}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: hashes, encodings: le64, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{64, 128}, sizes: []int{100}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Float32}, bits: f64, sizes: []int{100}, cpus: []int{1, 2}, vectors: []int{smallBatch, mediumBatch, largeBatch}},
		{kind: terms.HammingScan, kernels: tiersOnly, layout: "plain", sizes: []int{10_000, 1_000_000}},
		{kind: terms.HammingScan, kernels: tiersOnly, layout: "split", sizes: []int{10_000, 1_000_000}},
		{kind: terms.HammingScan, kernels: tiersOnly, layout: "plain", sizes: []int{10_000, 1_000_000}, queries: 64},
		{kind: terms.MemoryRead, sizes: []int{10_000, 1_000_000}},
	}
}

// hugeScans go through memory that no cache holds: 1.6 GB for both layouts together.
func hugeScans() []part {
	n := []int{100_000_000}
	return []part{
		{kind: terms.HammingScan, kernels: tiersOnly, layout: "plain", sizes: n},
		{kind: terms.HammingScan, kernels: tiersOnly, layout: "split", sizes: n},
		{kind: terms.MemoryRead, sizes: n},
	}
}

// sizesFrom returns the sizes first to last, and some more.
func sizesFrom(first, last int, more ...int) []int {
	var sizes []int
	for n := first; n <= last; n++ {
		sizes = append(sizes, n)
	}
	return append(sizes, more...)
}

// lengthsParts are whole sketches of vectors from one feature to thousands, on both sides of each
// number at which the work is divided: the chunks of all widths, and what counters of kernels hold.
func lengthsParts(weights ...string) func() []part {
	sizes := []int{1, 8, 32, 64, 100, 128, 129, 256, 257, 400, 512, 513, 700, 1000, 1024, 1025, 1500, 2016, 2017, 3000, 4064, 4065, 8192}
	return func() []part {
		return []part{{kind: terms.Sketch, kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: []fphash.Encoding{fphash.LE64}, weights: weights, bits: []int{64}, sizes: sizes}}
	}
}
