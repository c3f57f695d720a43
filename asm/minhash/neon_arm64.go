//go:build !purego

package minhash

// addNEON works like addGeneric.
//
//go:noescape
func addNEON(minima *[64]uint32, functions *[2][64]uint32, keys []uint64)

// bitsNEON works like bitsGeneric.
//
//go:noescape
func bitsNEON(minima *[64]uint32) (bits uint64)
