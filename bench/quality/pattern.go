package quality

import (
	"fmt"
	"math/bits"
	"strings"

	"simhashkit/bench/terms"
)

// Pattern says what the indices of a workload look like. Every keying has an index map of its own
// that keeps the pattern: a new sample where indices are random, another offset where they are not.
// A map that scrambled them would hide what is measured.
type Pattern string

// The patterns. Offsets are uniform below 10^7, the range of vocabularies, columns and positions;
// those of Dense1e3 below 1,000.
const (
	// random below 2^64, as 64-bit hashes of words are: vectors are samples of 16,384; a new 16,384
	// for each keying
	Uniform64  Pattern = terms.Uniform64
	Uniform1e7 Pattern = terms.Uniform1e7 // random below 10^7: samples of 16,384 as well
	Dense1e3   Pattern = terms.Dense1e3   // 1,000 numbers in a row, of which vectors are samples
	// every vector is a run of numbers in a row, out of 16,384
	Consecutive Pattern = terms.Consecutive
	Strided     Pattern = terms.Strided // the same with a step of 1,024
	// the 64 powers of two and the 2,016 sums of two of them; the map permutes the bits of the
	// index
	Pow2   Pattern = terms.Pow2
	BitRev Pattern = terms.BitRev // as Consecutive, with the 64 bits of the index reversed
	Data   Pattern = terms.Data   // of vectors that were given; see FromVectors
	// positions in a list of keys, such as words: a new sample of at most 16,384 for each keying
	ListedKeys Pattern = terms.ListedKeys
)

const (
	wide        = 1 << 14    // keys of a keying, where the pattern does not limit them
	dense       = 1000       // of Dense1e3
	stride      = 1 << 10    // of Strided
	indexRange  = 10_000_000 // of Uniform1e7 and of the offsets
	pow2Indices = 64 + 64*63/2
)

// Patterns returns the patterns of indices that Generate knows without data.
func Patterns() []Pattern {
	return []Pattern{Uniform64, Uniform1e7, Dense1e3, Consecutive, Strided, Pow2, BitRev}
}

// ParsePattern returns the pattern of that name.
func ParsePattern(name string) (Pattern, error) { return parse("pattern", Pattern(name), Patterns()) }

func parse[T ~string](what string, value T, known []T) (T, error) {
	names := make([]string, len(known))
	for i, k := range known {
		if k == value {
			return k, nil
		}
		names[i] = string(k)
	}
	return "", fmt.Errorf("quality: unknown %s %q: expected one of %s", what, string(value), strings.Join(names, ", "))
}

// runs reports whether a vector's indices are neighbours, rather than a sample of all.
func (p Pattern) runs() bool { return p == Consecutive || p == Strided || p == BitRev }

// size is the number of different indices.
func (o *WorkloadOptions) size() int {
	switch o.Pattern {
	case ListedKeys:
		return min(wide, o.ListedKeys)
	case Dense1e3:
		return dense
	case Pow2:
		return pow2Indices
	}
	return wide
}

// fill stores the indices of all positions in a keying. They are different.
func (o *WorkloadOptions) fill(dst []uint64, r random) {
	switch o.Pattern {
	case Uniform64:
		r.fill(dst) // two alike among 16,384 have a chance of 10^-11
	case Uniform1e7:
		fillDistinct(dst, r, indexRange)
	case ListedKeys:
		fillDistinct(dst, r, o.ListedKeys)
	case Pow2:
		fillPow2(dst, r)
	case Dense1e3:
		fillSteps(dst, r.below(dense), 1)
	case Strided:
		fillSteps(dst, r.below(indexRange), stride)
	case Consecutive:
		fillSteps(dst, r.below(indexRange), 1)
	case BitRev:
		fillSteps(dst, r.below(indexRange), 1)
		for i, index := range dst {
			dst[i] = bits.Reverse64(index)
		}
	}
}

func fillSteps(dst []uint64, origin, step uint64) {
	for i := range dst {
		dst[i] = origin + uint64(i)*step
	}
}

// fillDistinct stores different random numbers below n.
func fillDistinct(dst []uint64, r random, n int) {
	taken := make([]uint64, n/64+1)
	for i := range dst {
		x := r.below(uint64(n))
		for taken[x/64]>>(x%64)&1 != 0 {
			x = r.below(uint64(n))
		}
		taken[x/64] |= 1 << (x % 64)
		dst[i] = x
	}
}

func fillPow2(dst []uint64, r random) {
	var bit [64]uint64
	for i := range bit {
		bit[i] = 1 << i
	}
	shuffle(r, bit[:])
	n := copy(dst, bit[:])
	for i := range bit {
		for j := range i {
			dst[n] = bit[i] + bit[j]
			n++
		}
	}
}
