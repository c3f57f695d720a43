// Package hashing hashes batches of 64-bit keys: each op fills dst with the hashes of the keys.
//
// Byte-oriented hashes hash the 8 little-endian bytes of a key. Hashes of one word fill dst[i] with
// the hash of keys[i]; dst and keys may be the same slice, but must not overlap otherwise. Wider
// hashes fill dst word by word: dst[t*len(keys)+i] is word t of the hash of keys[i]; dst and keys
// must not overlap at all. Functions panic if dst has another length, which is a programming error.
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

// The kernels of hashes, by their parameters in addition to the keys.
type (
	UnseededKernel = Kernel[func(dst, keys []uint64)]
	SeededKernel   = Kernel[func(dst, keys []uint64, seed uint64)]
	// CounterKernel is for a hash of the 8 bytes of a key followed by a counter as the ninth byte.
	CounterKernel = Kernel[func(dst, keys []uint64, counter byte)]
	// KeyedKernel is for a hash with a key of 32 bytes, given as four little-endian words.
	KeyedKernel = Kernel[func(dst, keys []uint64, key *[4]uint64)]
)

// tables has the kernels of each hash, by name.
var tables = map[string][]cpu.Kernel{}

// table registers the kernels of a hash, fastest first, and adds the generic one.
func table(hash string, kernels ...cpu.Kernel) []cpu.Kernel {
	tables[hash] = append(kernels, cpu.KernelAt(cpu.Generic, 0))
	return tables[hash]
}

// Kernels returns the kernels of a hash, by its name in package fphash, fastest first, generic
// last. If this package does not have the hash, there are none.
func Kernels(hash string) []cpu.Kernel { return slices.Clone(tables[hash]) }

// unseededKernels returns the kernels of an op, made from its table and its dispatch.
func unseededKernels(table []cpu.Kernel, at func(tier cpu.Tier, dst, keys []uint64)) (list []UnseededKernel) {
	for _, k := range table {
		list = append(list, UnseededKernel{k, func(dst, keys []uint64) { at(k.Usable(), dst, keys) }})
	}
	return list
}

// kernelsWith returns the kernels of an op with a parameter: a seed, a counter or a key.
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

// roomFor checks that dst has that many words per key. The number of keys is at most 2^28 on 32-bit
// machines, so the product does not overflow.
func roomFor(words, dst, keys int) {
	if dst != words*keys {
		panic(fmt.Sprintf("hashing: room for %d words but %d keys of %d words each", dst, keys, words))
	}
}
