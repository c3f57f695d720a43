// Package fphash computes simhash fingerprints of sparse high-dimensional vectors, by hashing the
// number of each nonzero dimension.
//
// A simhash is a short fingerprint, of 64 bits say, of a long vector: the smaller the angle between
// two vectors, the fewer bits of their fingerprints differ, on average angle/π of them (Charikar
// 2002). This package uses the form that needs no table of random vectors and no memory that grows
// with the number of dimensions (Manku, Jain, Das Sarma 2007). Every nonzero dimension i of the
// vector x is a feature with the index i and the weight x_i:
//
//	V = 0                                   one sum, or lane, for each bit of the fingerprint
//	for each feature (i, x_i):
//	    H = hash(i)                         the code of i
//	    for each j: V[j] += x_i where bit j of H is 1, V[j] -= x_i where it is 0
//	bit j of the fingerprint is 1 if V[j] > 0, else 0
//
// Indices are uint32 or uint64, so there may be 2^64 dimensions. A feature may also be a byte
// string, such as a word, whose code is the hash of its bytes. Weights are int32, int64, float32 or
// float64, or all 1.
//
// # How to use it
//
//   - One vector, defaults: [Sketch64], [Unit64].
//   - Many vectors, or other choices of hash, width and so on: [New] makes a [Sketcher]; [Append]
//     and [AppendUnit] take one vector, [AppendBatch] and [AppendBatchUnit] many, on several cores.
//   - Features that come one by one, or vectors to be merged: [NewAccumulator].
//   - Fingerprints: [Distance], [Distance64], [Cosine], [AppendHex], [ParseHex]. Words can be kept
//     and compared as they are.
//   - A hash of your own: [FromFunc], or a [Family] with a batch function of its own; [Register]
//     gives it a name.
//
// Functions append to slices, like append, and allocate nothing else. A vector without information
// (empty, or cancelled out) and one whose sum is not finite get a fingerprint, which keeps
// positions right, and an error that says so: see [ErrNoInformation] and [ErrNotFinite].
//
// # What is fixed
//
// Two fingerprints can be compared if all of these are the same for both. Given them, every kernel
// on every machine gives the same bits.
//
//	hash               WithHash, WithSeed, WithKey   xxh64 with seed 0
//	bytes of an index  WithEncoding                  8 bytes, least significant first (le64)
//	width f            WithBits                      64, the low f bits of the code; 1 to 4096
//	bits beyond hash   WithWiden                     none: such a width is an error
//	ties, V[j] = 0     WithTie                       bit 0
//	order of sums      WithOrder                     grouped
//	lanes              type of the weights           int64 for integers and weight 1, wrapping;
//	                                                 float32; float64; no fused multiply-add
//	bit order          always                        bit j is bit j%64, least significant
//	                                                 first, of word j/64
//	hex                always                        one number, most significant digit
//	                                                 first, ceil(f/4) digits
//
// The grouped order, which matters to floating-point weights only, takes features in the order in
// which they are given, in groups of four counted from the start of the vector, or from the
// accumulator's Reset: (±w0 ±w1) + (±w2 ±w3) is added to V[j], which starts at +0. The last group
// is padded with weight 0.
//
// # Hashes
//
//	name         bits   seed or key    encodings        widenings
//	splitmix64     64   seed           le64             reseed, mix
//	xxh64          64   seed           le64, be64, dec  reseed, counter, mix
//	highway64      64   32-byte key    le64, be64, dec  reseed, counter, mix
//	highway128    128   32-byte key    le64, be64, dec  reseed, counter, mix
//	highway256    256   32-byte key    le64, be64, dec  reseed, counter, mix
//	md5           128   none           le64, be64, dec  counter, mix
//	sha1          160   none           le64, be64, dec  counter
//	sha256        256   none           le64, be64, dec  counter, mix
//	lookup3        64   seed (pc, pb)  le64, be64, dec  mix
//	fnv1-64        64   none           le64, be64, dec  mix
//	fnv1a64        64   none           le64, be64, dec  mix
//	fnv1a128      128   none           le64, be64, dec  mix
//	crc32c         32   none           le64, be64, dec  none
//	identity       64   none           le64             mix
//
// By these names they are:
//
//   - xxh64 is XXH64, the default.
//   - splitmix64 is the generator's finaliser, of the integer itself.
//   - highway64, highway128 and highway256 are HighwayHash, functions of their own each.
//   - md5 is that of RFC 1321; sha1 and sha256 are those of FIPS 180.
//   - lookup3 is Jenkins's hashlittle2; the code is (c<<32)|b.
//   - fnv1-64, fnv1a64 and fnv1a128 are FNV-1 and FNV-1a of RFC 9923, for compatibility.
//   - crc32c is a linear function: the bad example.
//   - identity is the index itself, for features that are hashes already. Numbers of dimensions are
//     none.
//
// Package fphash/families adds xxh3, murmur3-128 and siphash. A seed modifies a key: it is added to
// its first 8 bytes. Byte strings enter every hash but splitmix64, as they are.
//
// A fingerprint that is wider than its hash is an error, not zeros or copies, unless WithWiden
// names a way to make more bits. [Widen] says what the ways do. What does not suit a hash is
// refused, and so is what suits but fails: on 100,000 consecutive indices, comparing each bit of
// blocks 1 and 2 with all bits of the blocks before it, where chance allows a correlation of 0.024,
//
//	crc32c counter          34 of 64 bits are copies or complements of another
//	fnv1-64 counter         65 of 128; 74 correlate
//	fnv1a64 counter         20 of 128; 74 correlate
//	fnv1a128 counter        91 of 256; 158 correlate
//	lookup3 counter         none of 128; 10 correlate, by up to 0.11; 0.21 with strided indices
//	lookup3 reseed          none of 128; 6 correlate, by up to 0.07; 0.28 with strided indices
//	murmur3-128 reseed      none of 256; 2 correlate, by 0.50
//
// and in all other pairs of a hash and a way no two bits of different blocks do, nor with strided,
// dense, big-endian or decimal indices, nor with sums of up to four powers of two.
//
// # Speed
//
// Hashing and summing run in kernels for AVX2 and AVX-512 where the processor has them, and in pure
// Go elsewhere or with the build tag purego. The choice is made at run time; the environment
// variable FPHASH_KERNEL or [SetKernel] caps it. See [Kernels].
package fphash
