// Package hashing hashes batches of 64-bit keys: each op fills dst with the hashes of the keys.
//
// A key enters a byte-oriented hash as its 8 little-endian bytes. Hashes of one word fill dst[i]
// with the hash of keys[i]; there dst and keys may be the same slice, but may not overlap
// otherwise. Wider hashes fill dst word by word, dst[t*len(keys)+i] with word t of the hash of
// keys[i]; there dst and keys may not overlap at all. A dst of another length than that is a
// programmer's error and panics.
//
// All kernels of an op give the same words at every length, and none allocates.
package hashing

import (
	"fmt"
	"slices"

	"simhashkit/asm/cpu"
)

// Kernel is one implementation of a hash.
type Kernel[Hash any] struct {
	cpu.Kernel
	Hash Hash
}

// The kernels of hashes, by what they take beside the keys.
type (
	UnseededKernel = Kernel[func(dst, keys []uint64)]
	SeededKernel   = Kernel[func(dst, keys []uint64, seed uint64)]
	// CounterKernel is for a hash of the 8 bytes of a key followed by a counter as a ninth.
	CounterKernel = Kernel[func(dst, keys []uint64, counter byte)]
	// KeyedKernel is for a hash under a key of 32 bytes, four little-endian words.
	KeyedKernel = Kernel[func(dst, keys []uint64, key *[4]uint64)]
)

// tables has the kernels of each hash.
var tables = map[string][]cpu.Kernel{}

// table enters the kernels of a hash, fastest first; the generic one is added.
func table(hash string, kernels ...cpu.Kernel) []cpu.Kernel {
	tables[hash] = append(kernels, cpu.KernelAt(cpu.Generic, 0))
	return tables[hash]
}

// Kernels returns the kernels of a hash by the name that it has in package fphash, fastest first,
// generic last. There are none if this package does not have the hash.
func Kernels(hash string) []cpu.Kernel { return slices.Clone(tables[hash]) }

// unseededKernels returns the kernels of an op from its table and its dispatch.
func unseededKernels(table []cpu.Kernel, at func(tier cpu.Tier, dst, keys []uint64)) (list []UnseededKernel) {
	for _, k := range table {
		list = append(list, UnseededKernel{k, func(dst, keys []uint64) { at(k.Usable(), dst, keys) }})
	}
	return list
}

// kernelsWith does the same for an op with a parameter: a seed, a counter, a key.
func kernelsWith[P any](table []cpu.Kernel, at func(tier cpu.Tier, dst, keys []uint64, p P)) (list []Kernel[func(dst, keys []uint64, p P)]) {
	for _, k := range table {
		list = append(list, Kernel[func(dst, keys []uint64, p P)]{k, func(dst, keys []uint64, p P) { at(k.Usable(), dst, keys, p) }})
	}
	return list
}

func sameLength(dst, keys int) {
	if dst != keys {
		panic(fmt.Sprintf("hashing: room for %d codes but %d keys", dst, keys))
	}
}

// roomFor checks for that many words a key. The number of keys is at most 2^28 on 32-bit machines,
// so that the product is exact.
func roomFor(words, dst, keys int) {
	if dst != words*keys {
		panic(fmt.Sprintf("hashing: room for %d words but %d keys of %d words each", dst, keys, words))
	}
}
