// Package bench measures hash functions × kernels: hashing, accumulating, whole sketches and
// Hamming scans, on fixed sizes and on real vectors. It measures how good the hashes
// are, too.
//
// A [Case] is data: a name, a unit and what has to be prepared. [NewPlan] lists the cases that
// options ask for, [Plan.Run] checks and times them, and package resultfile keeps every sample in
// Go benchmark format. The same cases run as go test -bench . -cpu 1 ./bench (without -cpu 1 the go
// command adds the number of cores to the names).
//
// A benchmark is also a test. Before anything is timed, hash families must give their verification
// codes and every case the answers of a plain oracle on the case's own data; a case that does not
// gets a row with an error in place of figures.
//
// What the kernels are called:
//
//   - generic, neon, avx2, avx512, avx512gfni: the tier that caps everything while the case runs.
//     What a hash does there counts: without a vector kernel HighwayHash is its library, where that
//     has assembly. A case at a tier is left out if the op has no kernel of its own there, since it
//     would measure the tier below once more.
//   - library: the hash library's own call, one key at a time; or, for a hash of the user's own,
//     whatever that does.
//   - naive: the loops that everyone copies, see package naive.
//
// A [Cell] is computed rather than timed: the quality of a hash under an encoding on vectors with
// one pattern of indices and one kind of weights, by package quality. Its figures are exact: the
// same in every run on every machine, whatever the kernel: effective bits with their interval,
// bias, RMSE and variance ratio, over all angles and (-cos90) at cosine 0.9 and above; faults of
// single bits; distances of unrelated vectors; verdict 1 good, 0 undecided, -1 weak. [NewPlan]
// lists cases and cells together, and [Plan.Run] runs one kind after the other, since cells use all
// cores.
//
// There are no cells on the data set of a run that names none: the sources of Go change with its
// version, and those figures are to be exact.
//
// A suite is a grid that answers one question; see [Suites].
//
// Integer weights are within ±100,000 (int32) or ±10^12 (int64), with range=small within ±127;
// floating-point ones are from 1 to 32. order=sequential sums one feature after the other in place
// of groups of four. weights=set is MinHash, whose minima stand in the place of sums; no
// hand-written loop is timed beside it.
//
// All cases run on one core but those with cpus= in their name: sketches of a batch in one call by
// that many workers. The batch has as many vectors as vectors= says, and
// 160,000 where it says nothing: 20 ms of work for one core and more. Features lie in L1 in Hash
// and Accumulate; there are enough different ones that no branch predictor learns them. Collections
// of scans of 2 MB and more lie in huge pages where the system gives them on request, as yours may.
package bench
