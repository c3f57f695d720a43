// Package datasets reads, writes and generates sparse vectors. It reads files in three formats, and
// generates vectors with planted near-duplicates.
// [CSR] holds vectors in memory.
//
// A sparse vector is a list of features. A feature is one nonzero dimension: an index and a weight.
// Indices are uint64, so there may be 2^64 dimensions. Memory depends on the number of features,
// not on the number of dimensions.
//
// # Sources of vectors
//
//   - [NewVectorReader] detects the format of a stream by its first bytes, and reads row by row.
//   - [Load] takes the name of a data set, like the flag --data of the command. The name stands for
//     a file of vectors, plain or compressed with gzip, zstd or bzip2; or for the files of the
//     local Go installation, a real data set that every Go user has.
//   - [Generate] makes Zipf-distributed vectors with pairs at given cosines.
//
// # Formats
//
// A line of svmlight or libsvm text looks like this:
//
//	label qid:5 index:value index:value ... # id
//
// The label is optional and ignored. It is a first token without a colon, such as -1, or 1,7 for
// several labels. A qid: after the label (the query number of ranking data) must be a whole number
// and is ignored, too. Indices are whole numbers from the base to 2^64-1, in any order. The text
// after # is the id. Blank lines and lines that start with # are skipped. CRLF line ends and a byte
// order mark at the start of a line are accepted.
//
// A line of Vowpal Wabbit text looks like this:
//
//	label importance base 'tag|namespace:scale name:value name ... |namespace ...
//
// The label is optional and ignored. Importance, base and the fields of other label types must be
// numbers. They are ignored too, since they control the training. The tag is the id. As in Vowpal
// Wabbit, a tag begins with an apostrophe or touches the first bar. The name of a namespace touches
// its bar; without a name, the features are in the unnamed namespace. A feature without a value has
// the value 1. The namespace's scale multiplies all of its values. There are no comments.
//
// A name that is a whole number is used as the index, whatever its namespace, since data sets with
// numbered features rely on this. The same number in two namespaces of a line is an error, since
// two different features would become one. Any other name is hashed: its index is XXH64, with seed
// 0, of the namespace, a ^ and the name, such as "user^name" or "^name". Vowpal Wabbit itself keeps
// fewer bits of the hash, 18 by default, so its features collide.
//
// An .npz file is the output of scipy.sparse.save_npz for a matrix in compressed sparse row form
// (CSR). Values may be bool, integers of any width, float32 or float64. Rows have no ids.
//
// # Rules for all formats
//
// Values are decimal numbers, or array elements. For float32 and float64 they are rounded to the
// nearest value. For int32 and int64 they must be whole ("3.0" and "3e2" are, "3.5" is not) and fit
// the type. Features with value 0 are dropped, including floats too small for the type. NaN and
// infinite values and sums are errors.
//
// Weighted rows have their indices in ascending order. Repeated indices are summed in source order,
// and sums that are 0 are dropped. In rows without weights (unit), repeated features are kept, and
// each counts once.
//
// Malformed text is reported as a [SyntaxError], with file, line and column. Other errors start
// with "datasets:".
package datasets
