// Command projections measures the ways to project a sparse vector onto f random hyperplanes,
// against each other and against the number of dimensions D: accuracy, time and memory.
//
//	go -C results run ./measure/projections -o projections.txt
//
// The bits of a simhash are signs of scalar products <r_j, x> with f random vectors r_1..r_f of D
// entries. What differs is where the entries come from:
//
//	gaussian        stored: f·D normal entries, 4·f·D bytes                                    Charikar 2002, section 3
//	rademacher      stored: f·D entries of +1 or -1 as bits, f·D/8 bytes                       Achlioptas 2003, theorem 1.1
//	hash-per-bit    computed: entry j of dimension i is a sign by hash function j of i, so f hash evaluations a feature
//	hash-per-index  computed: the f signs of dimension i are the bits of one hash of i         Manku, Jain, Das Sarma 2007, section 2; package fphash
//
// With normal entries a bit of x and y differs with probability angle/π exactly. With signs that
// holds in the limit of many features of which none dominates; what is off with few features shows
// as systematic error, whose sign depends on the pair.
//
// # The baselines
//
// Stored matrices are written as well as the computed ones, or the comparison would be of
// programmers: entries lie row by row, one row for each dimension, so that a feature reads one
// contiguous piece; normal entries are multiplied and added by the kernels of package projection,
// which keep 64 sums in registers, have later rows fetched in advance, and take the signs at once
// (BLAS's axpy, which loads and stores the sums once a feature, took three to six times as long on
// an AVX-512 machine); stored signs are codes, so they go through the very kernel that the hashes'
// codes go through.
//
// # What is measured
//
// [Grid] lists the cases, [Run] measures them, D by D, all methods on the same vectors, and returns
// a [Row] for each. A stored matrix beyond the memory limit has a row that says so. [Results] turns
// rows into benchmark results.
//
//   - Time of a vector, with interleaved samples by package measure. The vectors are a stream of
//     about a million features, so that rows are met in caches as seldom as in real work. Indices
//     are uniform, the worst that can happen to stored rows, or skewed (pattern=zipf), as words
//     are.
//   - Memory: the table alone, exact; and all that stays on the heap.
//   - Accuracy of the angle that fingerprints estimate, π·distance/f, over generated pairs of
//     angles spread from 0 to π/2, under many keyings: root mean square error, bias, and the part
//     of the error that no number of bits takes away, in radians, next to what independent bits of
//     probability angle/π would give. These are exact: weights and entries are multiples of a power
//     of two, so small that no sum of up to some thousand features rounds; the figures are the same
//     on every machine and with every kernel.
package main
