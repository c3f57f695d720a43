// Package datasets reads, writes and generates sparse vectors: files in four formats, byte windows
// of real files, and a deterministic generator with planted near-duplicates. [CSR] holds vectors in
// memory.
//
// A sparse vector is a list of features. A feature is one nonzero dimension: an index and a weight.
// Indices are uint64, so there may be 2^64 dimensions. Memory depends on the number of features,
// not of dimensions.
//
// # Where vectors come from
//
//   - Files of vectors: [OpenVectors] detects the [Format], and [Vectors] streams rows. [Open]
//     decompresses gzip, zstd and bzip2. It looks at the first bytes, not at the name.
//   - [Load] takes a data set by name, as --data of the command line does: a file of vectors; the
//     files of a folder or a tar archive, with 8-byte windows as features; or the files of this
//     machine's Go installation, a real data set that every Go user has.
//   - [Generate] makes Zipf-distributed vectors with pairs at given cosines.
//
// # Rules for all formats
//
// Explicit zeros are dropped. Weighted rows have their indices in ascending order, and repeated
// indices are summed, so fingerprints of float weights do not depend on the order in a file. In
// rows without weights (unit), repeated features stay, and each counts once. NaN and infinite
// weights are refused.
//
// Malformed text is a [SyntaxError] with file, line and column. Other errors start with
// "datasets:".
package datasets
