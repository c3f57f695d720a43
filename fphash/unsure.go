package fphash

import (
	"math"
	"math/bits"
	"slices"
)

// leastSure marks the t lanes of smallest magnitude, t being 1 at least. The mask is 0 before.
func (b *buffers) leastSure(mask []uint64, t int, sums lanes) {
	b.planes = slices.Grow(b.planes[:0], b.words)[:b.words]
	var candidates [MaxBits / 64]uint64
	n := 0
	for word := range mask {
		n = sums.magnitudes(word, &b.planes[word])
		candidates[word] = ^uint64(0)
	}
	candidates[b.words-1] = b.lastMask
	for plane := n - 1; plane >= 0; plane-- {
		zeros := 0
		for word := range mask {
			zeros += bits.OnesCount64(candidates[word] &^ b.planes[word][plane])
		}
		if zeros > t { // the t smallest are among them
			for word := range mask {
				candidates[word] &^= b.planes[word][plane]
			}
			continue
		}
		t -= zeros // they are all among the t smallest
		for word := range mask {
			mask[word] |= candidates[word] &^ b.planes[word][plane]
			candidates[word] &= b.planes[word][plane]
		}
	}
	for word, equal := range candidates[:b.words] {
		for ; equal != 0 && t > 0; t-- {
			mask[word] |= equal & -equal
			equal &= equal - 1
		}
	}
}

// magnitudes stores the magnitudes of a word's lanes, bit-sliced: bit j of plane k is bit k of
// |V[j]| or, of floating-point numbers, which are finite, of a number in the same order: their bits
// without the sign. It returns the number of planes, the same for all words.
func (l lanes) magnitudes(word int, planes *[64]uint64) (n int) {
	switch {
	case l.counters != nil:
		return l.counters[word].Magnitudes(planes)
	case l.f32 != nil:
		const magnitude = 1<<31 - 1
		v := &l.f32[word]
		for j := range 32 {
			low, high := math.Float32bits(v[j])&magnitude, math.Float32bits(v[32+j])&magnitude
			planes[j] = uint64(low) | uint64(high)<<32
		}
		transpose(planes[:32])
		return 31
	case l.f64 != nil:
		for j, v := range &l.f64[word] {
			planes[j] = math.Float64bits(v) &^ (1 << 63)
		}
		transpose(planes[:])
		return 63
	}
	for j, v := range &l.i64[word] {
		planes[j] = uint64(max(v, -v)) // also of the least integer, which is its own negative
	}
	transpose(planes[:])
	return 64
}

// transpose transposes a matrix of 64×64 bits, a row in each word, or two of 32×32 side by side, by
// swapping ever smaller blocks (Warren, Hacker's Delight, section 7-3).
func transpose(rows []uint64) {
	for size := len(rows) / 2; size > 0; size /= 2 {
		half := ^uint64(0) / (1<<size + 1) // the lower one of each 2·size bits
		for i := 0; i+size < len(rows); i = (i + size + 1) &^ size {
			swapped := (rows[i]>>size ^ rows[i+size]) & half
			rows[i] ^= swapped << size
			rows[i+size] ^= swapped
		}
	}
}
