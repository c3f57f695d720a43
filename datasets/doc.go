// Package datasets reads, writes and generates sparse vectors: files in four formats, byte windows
// of real files, and a deterministic generator with planted near-duplicates. CSR holds them in
// memory.
//
// A sparse vector is a list of features; a feature is one nonzero dimension: an index (a uint64, so
// the space may have 2^64 dimensions) and a weight. Nothing in this package depends on the number
// of dimensions: memory follows the number of features that are really there.
//
// # Where vectors come from
//
//   - files of vectors: [OpenVectors] finds out the [Format], and [Vectors] streams rows. [Open]
//     takes gzip, zstd and bzip2 off by looking at the first bytes, whatever the file's name is.
//   - [Load] takes a data set by name, as the command line's --data does: a file of vectors; the
//     files of a folder or a tar archive, a feature being an 8-byte window; or those of this
//     machine's Go installation, a real data set that every Go user has.
//   - [Generate]: Zipf-distributed vectors with pairs at stated cosines.
//
// # Rules that hold everywhere
//
// Explicit zeros are dropped, since a zero is not a nonzero dimension. Weighted rows come out in
// ascending order of the index with repeated indices summed, so that fingerprints of float weights
// do not depend on the order of a file. Rows without weights (unit) list features that count once
// each; repeats stay, and each counts. NaN and infinite weights never enter.
//
// Malformed text is a [SyntaxError] with file, line and column; other errors start with
// "datasets:".
package datasets
