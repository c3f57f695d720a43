// Package families adds hashes to fphash that need additional libraries. Importing it makes them
// available to fphash.New and Lookup.
//
//	import _ "simhashkit/fphash/families"
//
//	name         bits  seed or key  encodings        widenings
//	xxh3           64  seed         le64, be64, dec  reseed, counter, mix
//	xxh3-128      128  seed         le64, be64, dec  reseed, counter, mix
//	murmur3-128   128  seed         le64, be64, dec  counter, mix
//	siphash        64  16-byte key  le64, be64, dec  reseed, counter, mix
//
// Kernels of package asm/hashing hash many indices at a time. Byte strings are hashed by
// github.com/zeebo/xxh3 and github.com/dchest/siphash; murmur3-128 has its own implementation.
//
// XXH3 is by Yann Collet, MurmurHash3 by Austin Appleby, SipHash by Aumasson and Bernstein. siphash
// is SipHash-2-4. murmur3-128 is MurmurHash3_x64_128 with the words h1 and h2. The original has a
// 32-bit seed.
//
// murmur3-128 cannot be widened by reseed: bits of blocks with consecutive seeds have a correlation
// of 0.5.
package families

import "simhashkit/fphash"

func init() {
	for _, f := range []fphash.Family{murmur3Family, siphashFamily, xxh3Family, xxh3x128Family} {
		if err := fphash.Register(f); err != nil {
			// The name is taken: a mistake in the program that imports both packages.
			panic(err)
		}
	}
}
