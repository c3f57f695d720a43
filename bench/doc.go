// Package bench measures hash functions × kernels: hashing, accumulating, whole sketches and Hamming scans, on fixed sizes and on real vectors.
//
// A [Case] is data: a name, a unit and what has to be prepared. [Grid] lists the cases that options ask for, [Run] checks and times them, and package resultfile
// keeps every sample in Go benchmark format. The same cases run as go test -bench . -cpu 1 ./bench (without -cpu 1 the go command adds the number of cores
// to the names).
//
// A benchmark is also a test. Before anything is timed, hash families must give their verification codes and every case the answers of a plain oracle on the
// case's own data; a case that does not gets a row with an error in place of figures.
//
// What the kernels are called:
//
//   - generic, avx2, avx512, avx512gfni: the tier that caps everything while the case runs. What a hash does there counts: at the generic
//     tier HighwayHash is its library, where that has assembly. A case at a tier is left out if the op has no kernel of its own
//     there, since it would measure the tier below once more.
//   - library: the hash library's own call, one key at a time; or, for a hash of the user's own, whatever that does.
//   - naive: the loops that everyone copies, see package naive.
//
// A suite is a grid that answers one question; see [Suites]. Package bars compares a run with figures that it must reach.
//
// Integer weights are within ±100,000 (int32) or ±10^12 (int64), with range=small within ±127; floating-point ones are from 1 to 32. order=sequential sums one feature
// after the other in place of groups of four.
//
// All cases run on one core but those with cpus= in their name, which sketch a batch of 10,000 vectors in one call by so many workers. Features lie in L1 in Hash and Accumulate; there are enough different ones that no branch predictor learns them.
package bench
