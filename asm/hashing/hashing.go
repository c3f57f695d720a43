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

// tables has the kernels of each hash, by name.
var tables = map[string][]cpu.Tier{}

// table registers the kernels of a hash, fastest first, and adds the generic one.
func table(hash string, kernels ...cpu.Tier) []cpu.Tier {
	tables[hash] = append(kernels, cpu.Generic)
	return tables[hash]
}

// Kernels returns the kernels of a hash, by its name in package fphash, fastest first, generic
// last. It returns nil if this package does not have the hash.
func Kernels(hash string) []cpu.Tier { return slices.Clone(tables[hash]) }

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
