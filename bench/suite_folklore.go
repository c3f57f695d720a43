package bench

import (
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// The hashes that tutorials rank: a short one, and digests.
var folkloreHashes = []string{"crc32c", "md5", "sha1", "sha256", "xxh64"}

// folkloreTimes are what those cost, by the library as tutorials use them, and in a whole sketch.
func folkloreTimes() []part {
	return []part{
		{kind: terms.Hash, hashes: folkloreHashes, encodings: []fphash.Encoding{fphash.LE64}, sizes: []int{1024}, kernels: ends},
		{kind: terms.Sketch, hashes: folkloreHashes, encodings: []fphash.Encoding{fphash.LE64}, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{100}, kernels: fastest, fit: true},
	}
}

// folkloreCells are what the claims are about.
func folkloreCells() []cellPart {
	consecutive, unit, le64 := []quality.Pattern{quality.Consecutive}, []string{datasets.Unit}, []fphash.Encoding{fphash.LE64}
	return []cellPart{
		// Do digests make better bits? At equal widths, and at their own.
		{hashes: folkloreHashes, encodings: le64, patterns: consecutive, weights: unit, bits: []int{32, 64}, curves: true},
		{hashes: []string{"md5", "sha1", "sha256"}, encodings: le64, patterns: consecutive, weights: unit, bits: []int{128, 160, 256}, curves: true},
		// Any good hash will do?
		{hashes: []string{"fnv1a64", "highway64", "md5", "murmur3-128", "siphash", "splitmix64", "xxh3", "xxh64"}, encodings: allEncodings, patterns: consecutive, weights: []string{"signed"}},
		// What theory says of hashes by multiplication and by tables, on indices that have a structure.
		{hashes: []string{"mixed-tabulation", "multiply-shift"}, encodings: le64, patterns: []quality.Pattern{quality.Consecutive, quality.Dense1e3}, weights: unit},
		// k = 3?
		{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: unit, bits: []int{64}, cosines: []string{"0.99", "0.98", "0.95", "0.90"}},
	}
}
