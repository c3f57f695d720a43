// Package fphash computes simhash fingerprints of sparse high-dimensional vectors, by hashing the
// number of each nonzero dimension.
//
// A simhash is a short fingerprint, of 64 bits say, of a long vector: the smaller the angle between
// two vectors, the fewer bits of their fingerprints differ, on average angle/π of them (Charikar
// 2002). This package uses the form that needs no table of random vectors and no memory that grows
// with the number of dimensions (Manku, Jain, Das Sarma 2007). Every nonzero dimension i of the
// vector x is a feature with the index i and the weight x_i:
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
// floating-point numbers, or all 1. Types with names of their own, such as type TermID uint32, are
// taken everywhere.
//
// # How to use it
//
//   - One vector, defaults: [Sketch64]; with weight 1 for every feature, [SketchUnit64].
//   - Many vectors, or other choices of hash, width and so on: [New] makes a [Sketcher]; [Append]
//     and [AppendUnit] take one vector, [AppendBatch] and [AppendBatchUnit] many, on several cores.
//   - Features that come one by one, parts that are counted on several machines, or vectors that
//     change: [NewAccumulator], [Add], [AddVector].
//   - Features in a map: [Sorted] puts them in order.
//   - Sets in place of vectors: [WithSketch] makes fingerprints by [MinHash], whose distances
//     estimate the Jaccard similarity; see [Jaccard].
//   - Fingerprints: [Distance], [Distance64], [Cosine]; [Fingerprint] for text, JSON and databases,
//     [Fingerprint64] for columns of integers.
//   - Near-duplicates among many fingerprints: see the section on search.
//   - What to store beside fingerprints: the [Definition]; a [Stored] has it with it.
//   - A hash of your own: [FromFunc], or a [Family] with a [ByteHash]; [Register] gives it a name.
//
// Functions append to slices, like append, and allocate nothing else. Beside each fingerprint they
// return a [Status]: a vector that is empty or cancels out, and one whose sum is not finite, get a
// fingerprint, which keeps positions right, and a status that says so. Errors are for misuse only.
//
// # Goroutines
//
// A Sketcher never changes: make one, and let all goroutines use it. That costs some 10 ns a call,
// which [Sketcher.Local] saves, called by each goroutine. What Local returns and Accumulators are
// for one goroutine at a time; the race detector sees it where two use one. All functions of this
// package are safe for concurrent use.
//
// # What decides a fingerprint
//
// Two fingerprints can be compared if all of these are the same for both:
//
//	what             chosen by      default, or always
//	hash             WithHash       xxh64
//	its function     WithSeed,      seed 0, or a key of zero bytes
//	                 WithKey
//	bytes of index   WithEncoding   le64: 8 bytes, least significant first
//	width f          WithBits       64, the low f bits of the code; 1 to 4096
//	sketch           WithSketch     SimHash
//	further bits     WithWiden      none: f may not exceed the hash's width
//	ties, V[j] = 0   WithTie        bit 0
//	order of sums    WithOrder      grouped
//	lanes            weights' type  integers and weight 1: int64, wrapping;
//	                                float32; float64; never fused
//	bit order        always         bit j is bit j%64, least significant
//	                                first, of word j/64
//	hexadecimal      always         one number, most significant digit
//	                                first, ceil(f/4) digits
//
// The grouped order, which matters to floating-point weights only, takes features in the order in
// which they are given, in groups of four counted from the start of the vector, or from the
// accumulator's Reset: (±w0 ±w1) + (±w2 ±w3) is added to V[j], which starts at +0. The last group
// is padded with weight 0.
//
// # What is promised
//
// Fingerprints are kept for years, so for all versions with the major number 1:
//
//   - The same definition, features and weights of the same type give the same bits: in every
//     version, with every kernel, on every machine. What [Definition.String] has written is read by
//     every later version and means the same. So are the forms in which a Fingerprint, a Stored
//     and an Accumulator marshal: FORMAT.md has them.
//   - Names of hashes, encodings, widenings, tie rules and orders mean what they mean now.
//   - Defaults never change. [New] without options, [Sketch64] and [SketchUnit64] compute
//     "xxh64,le64,64,tie=zero,order=grouped" for good. A better choice would be a function or an
//     option with another name.
//   - What compiles goes on compiling, if literals of Family, Key and Definition name their fields.
//
// What may grow: there may be more hashes, widenings, options, methods, kernels and fields, more
// types in [Feature] and [Weight], and more parts in what Definition.String writes, where
// something is chosen that cannot be chosen today. An older version reads no part that it does not
// know: that is an error. What is an error now may work then. Speed, the wording of errors, and
// what of the memory is kept between calls are not promised.
//
// # Search
//
// Package simhashkit/asm/hamming finds, among many fingerprints that lie one after the other as
// Append leaves them, those within k bits of a query, at the speed of memory: see
// [hamming.AppendWithin], [hamming.AppendWithinBatch] for many queries, and [hamming.Split] for the
// fastest scans of 64 bits. The package example NearDuplicates does it.
//
// Package simhashkit/fphash/index finds them without looking at all, and holds fingerprints that
// come and go; package simhashkit/fphash/index/join finds all pairs of a set, and the groups that
// they form.
//
// # Hashes
//
//	name              bits  seed or key    encodings        widenings
//	splitmix64          64  seed           le64             reseed, mix
//	xxh64               64  seed           le64, be64, dec  reseed, counter, mix
//	rapidhash           64  seed           le64, be64, dec  reseed, counter, mix
//	wyhash              64  seed           le64, be64, dec  reseed, counter, mix
//	komihash            64  seed           le64, be64, dec  reseed, counter, mix
//	highway64           64  32-byte key    le64, be64, dec  reseed, counter, mix
//	highway128         128  32-byte key    le64, be64, dec  reseed, counter, mix
//	highway256         256  32-byte key    le64, be64, dec  reseed, counter, mix
//	md5                128  none           le64, be64, dec  counter, mix
//	sha1               160  none           le64, be64, dec  counter
//	sha256             256  none           le64, be64, dec  counter, mix
//	lookup3             64  seed (pc, pb)  le64, be64, dec  mix
//	fmix64              64  seed           le64             reseed, mix
//	mixed-tabulation    64  seed           le64             reseed, mix
//	multiply-shift      64  seed           le64             mix
//	fnv1-64             64  none           le64, be64, dec  mix
//	fnv1a64             64  none           le64, be64, dec  mix
//	fnv1a128           128  none           le64, be64, dec  mix
//	crc32c              32  none           le64, be64, dec  none
//	identity            64  none           le64             mix
//
// By these names they are:
//
//   - xxh64 is XXH64, the default.
//   - splitmix64 is the generator's finaliser, of the integer itself.
//   - rapidhash is version 3 of De Carli's, wyhash final version 4 of Wang Yi's, of November 2022,
//     with their default secrets. Version 4.1 differs for some lengths, and 4.2 has another
//     secret: they are other functions.
//   - komihash is version 5 of Vaneev's.
//   - highway64, highway128 and highway256 are HighwayHash, functions of their own each.
//   - md5 is that of RFC 1321; sha1 and sha256 are those of FIPS 180. Where Go enforces FIPS 140
//     (GODEBUG=fips140=only), New refuses md5 and sha1.
//   - lookup3 is Jenkins's hashlittle2; the code is (c<<32)|b.
//   - fmix64 is MurmurHash3's finaliser, of the integer itself.
//   - mixed-tabulation is that of Dahlgaard, Knudsen, Rotenberg and Thorup, with 8 derived
//     characters, and multiply-shift Dietzfelbinger's strongly universal one, of 128 bits; their
//     tables and numbers come from the seed. The latter is a bad example, too.
//   - fnv1-64, fnv1a64 and fnv1a128 are FNV-1 and FNV-1a of RFC 9923, for compatibility.
//   - crc32c is a linear function: the bad example.
//   - identity is the index itself, for features that are hashes already. Numbers of dimensions are
//     none.
//
// Package fphash/families adds xxh3, murmur3-128 and siphash. A seed modifies a key: it is added to
// its first 8 bytes. Byte strings are hashed as they are, by all but splitmix64, fmix64,
// mixed-tabulation, multiply-shift and identity, which take integers only.
//
// A fingerprint that is wider than its hash is an error, not zeros or copies, unless WithWiden
// names a way to make more bits. [Widen] says what the ways do. Ways that a hash does not support
// are errors, and so are those by which bits of different blocks would repeat or correlate;
// METHODOLOGY.md has the figures.
//
// # Speed
//
// Hashing and summing run in kernels for AVX2 and AVX-512 where the processor has them, summing on
// arm64 in kernels for NEON, and everything else, or all with the build tag purego, in pure Go. The
// choice is made when the program starts.
//
// The environment variable FPHASH_KERNEL caps it, as SetKernel does: with avx2, nothing above AVX2
// is used, and with avx512 a processor that has AVX2 only still uses AVX2. A name that is none of
// generic, neon, avx2, avx512 and avx512gfni is an error of New. The go command tests anew when the
// variable has changed, if the tests have called New or Sketch64; tests that only call packages of
// asm need go test -count=1. See [Kernel].
package fphash
