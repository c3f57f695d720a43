package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"iter"
	"os"

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

// write writes the fingerprints to a file.
func (f *flags) write(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for r := range f.source()() {
		if err := binary.Write(w, binary.LittleEndian, r.Words); err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(w.Flush(), file.Close())
}

// fingerprint sets words to number i of n: the last hundredth differ from those at the beginning
// in as many bits as flags say.
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
	flips := f.near
	if flips == 0 {
		flips = f.k
	}
	if f.near == 0 && f.k == 3 && splitMix64(uint64(of+f.n))>>30&1 == 0 {
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
