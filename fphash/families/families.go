// Package families adds hashes that need libraries of their own to fphash. Importing it makes them
// known to WithHash and Lookup.
//
//	import _ "simhashkit/fphash/families"
//
//	name         bits  seed or key  what               code for byte strings
//	xxh3         64    64-bit seed  XXH3               github.com/zeebo/xxh3
//	murmur3-128  128   64-bit seed  MurmurHash3        our own
//	siphash      64    16-byte key  SipHash-2-4        github.com/dchest/siphash
//
// Indices go through kernels of package asm/hashing, which give the same codes many at a time.
//
// XXH3 is by Yann Collet, MurmurHash3 by Austin Appleby, SipHash by Aumasson and Bernstein.
// murmur3-128 is MurmurHash3_x64_128; its words are h1 and h2, and the original's seed has 32 bits.
//
// All of them hash the bytes of an index in every encoding, and byte strings. All can be widened by
// every way of fphash.Widen, but for murmur3-128 by reseed: bits of blocks with neighbouring seeds
// have a correlation of 0.5.
package families

import "simhashkit/fphash"

func init() {
	for _, f := range []fphash.Family{murmur3Family, siphashFamily, xxh3Family} {
		if err := fphash.Register(f); err != nil {
			// another package has taken the name: a mistake in the program that imports both
			panic(err)
		}
	}
}
