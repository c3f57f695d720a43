package fphash

import (
	"math"
	"math/bits"
	"slices"
)

// leastSure marks the t lanes of smallest magnitude, t being 1 at least. The mask is 0 before.
func (b *buffers) leastSure(mask []uint64, t int, sums lanes) {
	all := slices.Grow(b.magnitudes[:0], 64*b.words)[:64*b.words]
	b.magnitudes = all
	for word := range mask {
		sums.magnitudes((*[64]uint64)(all[64*word:]), word)
	}
	limit, equal := smallest(all[:b.bits], t)
	for word := range mask {
		var own [64]uint64
		sums.magnitudes(&own, word)
		below, at := compared(own[:min(64, b.bits-64*word)], limit)
		for ; at != 0 && equal > 0; equal-- {
			below |= at & -at
			at &= at - 1
		}
		mask[word] = below
	}
}

// smallest returns the t-th smallest number, and how many of the t smallest are equal to it. It
// reorders the numbers.
//
// It parts them by their highest bit that differs, keeps the part that has the t-th, and goes on
// there: numbers of any kind in any order take few steps, and never more than 64.
func smallest(numbers []uint64, t int) (limit uint64, equal int) {
	for {
		differ := uint64(0)
		for _, x := range numbers {
			differ |= x ^ numbers[0]
		}
		if differ == 0 {
			return numbers[0], t
		}
		bit := bits.Len64(differ) - 1
		zeros := 0 // numbers whose bit is 0, which come first
		for i, x := range numbers {
			numbers[i], numbers[zeros] = numbers[zeros], x
			zeros += int(^x >> bit & 1)
		}
		if t <= zeros {
			numbers = numbers[:zeros]
		} else {
			numbers, t = numbers[zeros:], t-zeros
		}
	}
}

// compared returns which numbers are below the limit, and which are equal to it. It goes by
// borrows, since a branch would be mispredicted half of the time.
func compared(numbers []uint64, limit uint64) (below, equal uint64) {
	for j, x := range numbers {
		_, less := bits.Sub64(x, limit, 0)
		_, more := bits.Sub64(limit, x, 0)
		below |= less << j
		equal |= (1 - less - more) << j
	}
	return below, equal
}

// magnitudes stores |V| of a word's lanes as numbers in the same order. The lanes are finite.
func (l lanes) magnitudes(dst *[64]uint64, word int) {
	switch {
	case l.f32 != nil:
		for j, v := range &l.f32[word] {
			dst[j] = uint64(math.Float32bits(v) &^ (1 << 31))
		}
	case l.f64 != nil:
		for j, v := range &l.f64[word] {
			dst[j] = math.Float64bits(v) &^ (1 << 63)
		}
	default:
		for j, v := range &l.i64[word] {
			dst[j] = uint64(max(v, -v)) // also of the least integer, which is its own negative
		}
	}
}
