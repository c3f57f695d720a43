// Package families adds hashes that need libraries of their own to fphash. Importing it makes them
// known to WithHash and Lookup.
//
//	import _ "simhashkit/fphash/families"
//
//	name         bits  seed or key  encodings        widenings
//	xxh3           64  seed         le64, be64, dec  reseed, counter, mix
//	murmur3-128   128  seed         le64, be64, dec  counter, mix
//	siphash        64  16-byte key  le64, be64, dec  reseed, counter, mix
//
// Indices go through kernels of package asm/hashing, which give the same codes many at a time. Byte
// strings go through github.com/zeebo/xxh3 and github.com/dchest/siphash; murmur3-128 is our own.
//
// XXH3 is by Yann Collet, MurmurHash3 by Austin Appleby, SipHash by Aumasson and Bernstein: siphash
// is SipHash-2-4. murmur3-128 is MurmurHash3_x64_128; its words are h1 and h2, and the original's
// seed has 32 bits.
//
// murmur3-128 cannot be widened by reseed: bits of blocks with neighbouring seeds have a
// correlation of 0.5.
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
