// Package fphash computes simhash fingerprints of sparse high-dimensional vectors: short codes, of
// 64 bits for example, that differ in few bits if the vectors are similar.
//
//	a, _, err := fphash.Sketch64([]uint64{7, 1 << 40}, []float32{0.5, 2})
//	b, _, err := fphash.Sketch64([]uint64{7, 1 << 40}, []float32{0.5, 3})
//	distance := fphash.Distance64(a, b)
//
// On average, angle/π of the bits of two fingerprints differ (Charikar 2002). This package hashes
// the number of each nonzero dimension, so it needs no table of random vectors, and its memory does
// not grow with the number of dimensions (Manku, Jain, Das Sarma 2007). Every nonzero dimension i
// of the vector x is a feature with the index i and the weight x_i:
//
//	V = 0                    one sum, or lane, for each bit
//	for each feature (i, x_i):
//	    H = hash(i)          the code of i
//	    for each j:
//	        V[j] += x_i      where bit j of H is 1
//	        V[j] -= x_i      where it is 0
//	bit j of the fingerprint is 1 if V[j] > 0, else 0
//
// Indices are uint32 or uint64, so there may be 2^64 dimensions. A feature may also be a byte
// string, such as a word, whose code is the hash of its bytes. Weights are integers or
// floating-point numbers, or all 1. Named types, such as type TermID uint32, are accepted
// everywhere.
//
// # How to use it
//
//   - One vector, defaults: [Sketch64]; with weight 1 for every feature, [SketchUnit64].
//   - Many vectors, or another hash, width and so on: [New] makes a [Sketcher]; [Append] and
//     [AppendUnit] take one vector, [AppendBatch] and [AppendBatchUnit] many, on several cores.
//   - Features that arrive one by one, partial sums of several machines, or vectors that change:
//     [NewAccumulator], [Add], [AddVector].
//   - Sets instead of vectors: the [Kind] MinHash makes fingerprints whose distances estimate the
//     Jaccard similarity; see [Jaccard].
//   - Fingerprints: [Distance], [Distance64], [Cosine]; [Fingerprint] for text, JSON and databases.
//   - Near-duplicates among many fingerprints: see the section on search.
//   - What to store with fingerprints: the [Definition].
//   - A hash of your own: [FromFunc], or a [Family] with a [ByteHash]; [Register] gives it a name.
//
// Functions append to slices, like append, and allocate nothing else. With each fingerprint they
// return a [Status]. A vector that is empty, cancels out or has a sum that is not finite still gets
// a fingerprint, so that positions remain right, and its status says so. Errors are only for
// misuse.
//
// # Goroutines
//
// A Sketcher never changes: make one and share it among all goroutines. Each call then takes
// buffers from a pool; [Sketcher.Local], called once by each goroutine, avoids that. The result of
// Local, and an Accumulator, must not be used by several goroutines at once. The race detector
// reports such misuse. All functions of this package are safe for concurrent use.
//
// # What determines a fingerprint
//
// Two fingerprints can be compared if all of these are the same for both:
//
//	what             Definition     default, or always
//	hash             Hash           xxh64
//	its function     Seed, Key      seed 0, or a key of zero bytes
//	bytes of index   Encoding       le64: 8 bytes, least significant first
//	width f          Bits           64, the low f bits of the code; 1 to 4096
//	sketch           Kind           SimHash
//	further bits     Widen          none: f may not exceed the hash's width
//	ties, V[j] = 0   Tie            bit 0
//	order of sums    Order          grouped
//	lanes            Float32        float64: floating-point weights and
//	                                their sums; or float32; never fused.
//	                                Integers are summed in int64, wrapping
//	bit order        always         bit j is bit j%64, least significant
//	                                first, of word j/64
//	hexadecimal      always         one number, most significant digit
//	                                first, ceil(f/4) digits
//
// The grouped order matters only for floating-point weights. It takes features in input order, in
// groups of four, counted from the start of the vector or the accumulator's Reset. It adds (±w0
// ±w1) + (±w2 ±w3) to V[j], which starts at +0. The last group is padded with weight 0.
//
// # Compatibility
//
// Stored fingerprints stay valid. These rules hold for all versions with the major number 1:
//
//   - The same definition, features and weights of the same type give the same bits: in every
//     version, with every kernel, on every machine. Every later version reads what
//     [Definition.String] wrote, with the same meaning. The same holds for the marshaled forms of
//     Fingerprint, Stored and Accumulator; FORMAT.md describes them.
//   - Names of hashes, encodings, widenings, tie rules, orders and lanes keep their meaning.
//   - Defaults never change. [New] without options, [Sketch64] and [SketchUnit64] always compute
//     "xxh64,le64,64,tie=zero,order=grouped", and [Sketch64] of float32 weights the same with
//     "lanes=float32". A better choice would be a function or an option with another name.
//   - Code that compiles keeps compiling, if literals of Family, Key and Definition name their
//     fields.
//
// Later versions may add hashes, widenings, options, methods, kernels, fields, types in [Feature]
// and [Weight], and new parts of Definition.String. An older version returns an error for a part
// that it does not know. What is an error now may work later. Speed, the wording of errors and the
// memory kept between calls may change.
//
// # Search
//
// Package simhashkit/asm/hamming scans consecutive fingerprints, such as the output of Append, and
// returns those within k bits of a query, at memory speed: see [hamming.AppendWithin], and
// [hamming.AppendWithinBatch] for many queries. The package example NearDuplicates uses it.
//
// Package simhashkit/fphash/index finds near fingerprints without a full scan, and supports inserts
// and deletes. Package simhashkit/fphash/index/join finds all near pairs of a set, and the groups
// that they form.
//
// # Hashes
//
//	name              bits  seed or key    encodings        widenings
//	splitmix64          64  seed           le64             reseed, mix
//	xxh64               64  seed           le64, be64, dec  reseed, counter, mix
//	rapidhash           64  seed           le64, be64, dec  reseed, counter, mix
//	wyhash              64  seed           le64, be64, dec  reseed, counter, mix
//	komihash            64  seed           le64, be64, dec  reseed, counter, mix
//	a5hash              64  seed           le64, be64, dec  reseed, counter, mix
//	polymur             64  seed           le64, be64, dec  reseed, counter, mix
//	highway64           64  32-byte key    le64, be64, dec  reseed, counter, mix
//	highway128         128  32-byte key    le64, be64, dec  reseed, counter, mix
//	highway256         256  32-byte key    le64, be64, dec  reseed, counter, mix
//	md5                128  none           le64, be64, dec  counter, mix
//	sha1               160  none           le64, be64, dec  counter
//	sha256             256  none           le64, be64, dec  counter, mix
//	lookup3             64  seed (pc, pb)  le64, be64, dec  mix
//	fmix64              64  seed           le64             reseed, mix
//	murmur3-32          32  seed           le64, be64, dec  reseed, counter
//	tornado-tabulation  64  seed           le64             reseed, mix
//	mixed-tabulation    64  seed           le64             reseed, mix
//	multiply-shift      64  seed           le64             mix
//	fnv1-64             64  none           le64, be64, dec  mix
//	fnv1a64             64  none           le64, be64, dec  mix
//	fnv1a128           128  none           le64, be64, dec  mix
//	crc32c              32  none           le64, be64, dec  none
//	identity            64  none           le64             mix
//
// The names mean:
//
//   - xxh64 is XXH64, the default.
//   - splitmix64 is mix((i XOR mix(seed)) + γ), the first output of the SplitMix64 generator with
//     the state i XOR mix(seed).
//   - rapidhash is De Carli's rapidhash, version 3, and wyhash is Wang Yi's wyhash, final version 4
//     of November 2022, both with their default secret. wyhash 4.1 differs for some lengths, and
//     4.2 has another secret, so they are different functions.
//   - komihash is Vaneev's komihash, version 5.
//   - a5hash is Vaneev's a5hash of version 5.21 and later; earlier versions are different
//     functions. polymur is Peters's PolymurHash, version 2.0, without a tweak; its probability of
//     equal codes is proved.
//   - murmur3-32 is MurmurHash3_x86_32, the hash of most feature hashers. Seeds above 32 bits are
//     folded.
//   - highway64, highway128 and highway256 are HighwayHash, three different functions.
//   - md5 is MD5 of RFC 1321; sha1 and sha256 are SHA-1 and SHA-256 of FIPS 180. If Go enforces
//     FIPS 140 (GODEBUG=fips140=only), New refuses md5 and sha1.
//   - lookup3 is Jenkins's hashlittle2; the code is (c<<32)|b.
//   - fmix64 is f(i XOR f(seed)), with f the finaliser of MurmurHash3. With seed 0 it is f(i).
//   - mixed-tabulation is the scheme of Dahlgaard, Knudsen, Rotenberg and Thorup, with 8 derived
//     characters. tornado-tabulation is the scheme of Bercea, Beretta, Klausen, Houen and Thorup,
//     with 4 derived characters. multiply-shift is Dietzfelbinger's strongly universal scheme, with
//     128-bit arithmetic; it is weak on structured indices. The seed determines their parameters.
//   - fnv1-64, fnv1a64 and fnv1a128 are FNV-1 and FNV-1a of RFC 9923, for compatibility.
//   - crc32c is a linear function and a bad hash, included for comparison.
//   - identity is the index itself, for features that are already hashes. Do not use it for
//     dimension numbers.
//
// Package fphash/families adds xxh3, xxh3-128, murmur3-128 and siphash. For a hash with a key, the
// seed is added to the first 8 bytes of the key. Hashes take byte strings unchanged, except
// splitmix64, fmix64, tornado-tabulation, mixed-tabulation, multiply-shift and identity, which take
// only integers.
//
// A fingerprint wider than its hash is an error unless the definition says how to compute more
// bits; see [Widen]. New also refuses a widening that the hash does not support, or with which bits
// of different blocks would repeat or correlate. METHODOLOGY.md has the figures.
//
// # Speed
//
// Hashing and summing use AVX2 or AVX-512 kernels if the processor supports them. On arm64, summing
// uses NEON kernels. Everything else is pure Go, and everything is with the build tag purego. The
// package chooses the kernels at program start.
//
// The environment variable FPHASH_KERNEL limits the choice, like cpu.SetTier of package asm/cpu:
// avx2 disables everything above AVX2, and with avx512 a processor that has only AVX2 still uses
// AVX2. New returns an error for names other than those of cpu.Tiers. After a change of the
// variable, the go command does not reuse cached results of tests that call New or Sketch64. Tests
// that only call packages of asm need go test -count=1. cpu.Active returns the kernel in use.
package fphash
