package main

import (
	"iter"

	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
)

// source has the fingerprints one after the other, with their numbers as ids.
func (f *flags) source() func() iter.Seq2[join.Record, error] {
	return func() iter.Seq2[join.Record, error] {
		return func(yield func(join.Record, error) bool) {
			words := make([]uint64, (f.bits+63)/64)
			for i := range f.n {
				f.fingerprint(words, i)
				if !yield(join.Record{ID: uint64(i), Words: words}, nil) {
					return
				}
			}
		}
	}
}

// fingerprint sets words to number i of n: the last hundredth differ in k bits from those at the
// beginning; where k is 3, one in two in 2.
func (f *flags) fingerprint(words []uint64, i int) {
	of := f.n - 1 - i
	if of >= f.n/100 {
		of = i
	}
	for w := range words {
		words[w] = splitMix64(uint64(of + w<<40))
		if w == len(words)-1 && f.bits%64 > 0 {
			words[w] &= 1<<(f.bits%64) - 1
		}
	}
	if of == i {
		return
	}
	flips := f.k
	if f.k == 3 && splitMix64(uint64(of+f.n))>>30&1 == 0 {
		flips = 2
	}
	var flipped [fphash.MaxBits / 64]uint64
	for draw := uint64(0); flips > 0; draw++ {
		r := splitMix64(uint64(of+f.n)+draw<<40) % uint64(f.bits)
		if flipped[r/64]>>(r%64)&1 == 0 {
			flipped[r/64] |= 1 << (r % 64)
			words[r/64] ^= 1 << (r % 64)
			flips--
		}
	}
}

// splitMix64 is the finaliser of SplitMix64.
func splitMix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
