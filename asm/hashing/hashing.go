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

	"simhashkit/asm/cpu"
)

// SeededKernel is one implementation of a hash that takes a seed.
type SeededKernel struct {
	cpu.Kernel
	Hash func(dst, keys []uint64, seed uint64)
}

// UnseededKernel is one implementation of a hash that takes none.
type UnseededKernel struct {
	cpu.Kernel
	Hash func(dst, keys []uint64)
}

// CounterKernel is one implementation of a hash of the 8 bytes of a key followed by a counter as a
// ninth.
type CounterKernel struct {
	cpu.Kernel
	Hash func(dst, keys []uint64, counter byte)
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
