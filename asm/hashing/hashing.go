// Package hashing hashes batches of 64-bit keys: each op fills dst[i] with the hash of keys[i].
//
// A key enters a byte-oriented hash as its 8 little-endian bytes. Slices of different length are a programmer's error and panic. dst and keys may be the
// same slice, but may not overlap otherwise.
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

func sameLength(dst, keys int) {
	if dst != keys {
		panic(fmt.Sprintf("hashing: room for %d codes but %d keys", dst, keys))
	}
}
