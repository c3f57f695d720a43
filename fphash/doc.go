// Package fphash computes simhash fingerprints of sparse high-dimensional vectors, by hashing the number of each nonzero dimension.
//
// A simhash is a short fingerprint, of 64 bits say, of a long vector: the smaller the angle between two vectors, the fewer bits of their fingerprints
// differ, on average angle/π of them (Charikar 2002). This package uses the form that needs no table of random vectors and no memory that grows with
// the number of dimensions (Manku, Jain, Das Sarma 2007). Every nonzero dimension i of the vector x is a feature with the index i and the weight x_i:
//
//	V = 0                                   one sum, or lane, for each bit of the fingerprint
//	for each feature (i, x_i):
//	    H = hash(i)                         the code of i
//	    for each j: V[j] += x_i where bit j of H is 1, V[j] -= x_i where it is 0
//	bit j of the fingerprint is 1 if V[j] > 0, else 0
//
// Indices are uint32 or uint64, so there may be 2^64 dimensions. Weights are int32, int64, float32 or float64, or all 1.
//
// # How to use it
//
//   - One vector, defaults: [Sketch64], [Unit64].
//   - Many vectors, or other choices of hash, width and so on: [New] makes a [Sketcher]; [Append] and [AppendUnit] take one vector, [AppendBatch] and
//     [AppendBatchUnit] many, on several cores.
//   - Features that come one by one, or vectors to be merged: [NewAccumulator].
//   - Fingerprints: [Distance], [Distance64], [Cosine], [AppendHex], [ParseHex]. Words can be kept and compared as they are.
//   - A hash of your own: [FromFunc], or a [Family] with a batch function of its own; [Register] gives it a name.
//
// Functions append to slices, like append, and allocate nothing else. A vector without information (empty, or cancelled out) and one whose sum is not
// finite get a fingerprint, which keeps positions right, and an error that says so: see [ErrNoInformation] and [ErrNotFinite].
//
// # What is fixed
//
// Two fingerprints can be compared if all of these are the same for both. Given them, every kernel on every machine gives the same bits.
//
//	hash               WithHash, WithSeed, WithKey   xxh64 with seed 0
//	bytes of an index  WithEncoding                  8 bytes, least significant first (le64)
//	width f            WithBits                      64; the low f bits of the code, f from 1 to 4096
//	ties, V[j] = 0     WithTie                       bit 0
//	order of sums      WithOrder                     grouped: features in input order, in groups of four counted from the start of the vector (or from the
//	                                                 accumulator's Reset); (±w0 ±w1) + (±w2 ±w3) is added to V[j], which starts at +0; the last group is padded
//	                                                 with weight 0. Matters to floating-point weights only
//	lanes              type of the weights           integers and weight 1: int64, exact, wrapping; float32: float32; float64: float64; no fused multiply-add
//	bit order          always                        bit j is bit j%64, least significant first, of word j/64
//	hex                always                        one number, most significant digit first, ceil(f/4) digits
//
// Codes have at most the bits that the hash gives: a wider fingerprint than that is an error, not zeros or copies.
//
// # Speed
//
// Hashing and summing run in kernels for AVX2 and AVX-512 where the processor has them, and in pure Go elsewhere or with the build tag purego. The
// choice is made at run time; the environment variable FPHASH_KERNEL or [SetKernel] caps it. See [Kernels].
package fphash
