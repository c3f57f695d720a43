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
//   - [NewVectorReader] detects the format of a stream by its first bytes, and reads row by row.
//   - [Load] takes a data set by name, as --data of the command line does: a file of vectors, plain
//     or compressed with gzip, zstd or bzip2; the files of a folder or a tar archive, with 8-byte
//     windows as features; or the files of this machine's Go installation, a real data set that
//     every Go user has.
//   - [Generate] makes Zipf-distributed vectors with pairs at given cosines.
//
// # Formats
//
// The text of svmlight and libsvm has lines such as
//
//	label qid:5 index:value index:value ... # id
//
// The label is optional and ignored: a first token without a colon, such as -1 or, with several
// labels, 1,7. A qid: (query number of ranking data) after it must be a whole number and is ignored,
// too. Indices are whole numbers from the base to 2^64-1, in any order. What follows # is the id.
// Blank lines and lines that start with # are skipped; CRLF and a byte order mark at the start of a
// line are fine.
//
// The text of Vowpal Wabbit has lines such as
//
//	label importance base 'tag|namespace:scale name:value name ... |namespace ...
//
// The label is optional and ignored. Importance, base and what other kinds of labels have there must
// be numbers and are ignored, since they say how much to learn from a line. The tag is the id: what
// begins with an apostrophe, or touches the first bar, as Vowpal Wabbit has it. A namespace touches
// its bar; without one the features are in that of no name. A name without a value has the value 1,
// and the namespace's scale is multiplied into all of its values. There are no comments.
//
// A name that is a whole number is the index, as it is written, whatever its namespace is: so it is
// in data sets that others have numbered. The same number in two namespaces of a line is an error,
// since features that differ would become one. Any other name is hashed: its index is XXH64, seed 0,
// of the namespace, a ^ and the name, such as "user^name" or "^name" (Vowpal Wabbit itself has fewer
// bits, 18 unless told otherwise, and features that collide).
//
// Matrix Market files have the coordinate format with real, integer or pattern entries (a pattern's
// are 1), general, symmetric or skew-symmetric. Rows and columns count from 1 there, and indices
// from 0. All rows of the matrix are vectors, those without entries too; they have no ids. The
// entries are held in memory, some 32 bytes each, since they may be in any order.
//
// An .npz file is what scipy.sparse.save_npz writes in compressed sparse row form (CSR). Values may
// be bool, integers of any width, float32 or float64. Rows have no ids.
//
// # Rules for all formats
//
// Values are decimal numbers, or those of arrays. As float32 and float64 they are rounded to the
// nearest; as int32 and int64 they must be whole ("3.0" and "3e2" are, "3.5" is not) and fit.
// Features with value 0, which includes floats too small for the type, are dropped. NaN and infinite
// values and sums are errors.
//
// Weighted rows have their indices in ascending order. Repeated indices are summed in the order of
// the source, and sums that are 0 are dropped. In rows without weights (unit), repeated features
// stay, and each counts once.
//
// Malformed text is an Error of package datasets/syntax, with file, line and column. Other errors
// start with "datasets:".
package datasets
