//go:build !purego

package minhash

// scanNEON works like scanGeneric.
//
//go:noescape
func scanNEON(minima, multipliers []uint32, keys []uint64)

// bitsNEON works like bitsGeneric.
//
//go:noescape
func bitsNEON(minima *[64]uint32) (bits uint64)
