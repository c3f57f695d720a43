// Command bars judges a result file of fphash bench by bars: figures that certain cases must reach,
// kept in a file.
//
//	go -C results run ./measure/bars -probe PROBE.txt bars/kernels.txt CPU/DATE/kernels.txt
//
// # Bars files
//
// Every line sets bars for one case or several. Words are separated by white space; a word that
// begins with # starts a comment, which goes on to the end of the line.
//
//	CASE <= SUM      for times: the figure must not be above the sum
//	CASE >= SUM      for rates: the figure must not be below the sum
//	CASE UNIT <= SUM    for what else the case has figures of, such as bytes/entry
//
// CASE is the name of a benchmark without the word Benchmark. Alternatives in braces stand for
// several names, {avx2,avx512} for these two, {1..8} for eight numbers.
//
// SUM is one term or several with + between them. A term is one of
//
//	NUMBER UNIT          a figure: that of the case, GB/s, ms/op, or ns/sketch, which is divided
//	                     by its nnz
//	NUMBER x REFERENCE   as many times another row's figure; the number may be a fraction, 1/1.9
//	REFERENCE            once that
//
// REFERENCE is the name of a case of the same run, or "probe:" and the name of a row of a probe,
// see [ReadProbe]. In a reference $nnz stands for the value that the key nnz has in CASE, and
// likewise every other key. A case that is referred to at a tier at which its op has no kernel of
// its own, and so no row, means the best tier below: what the op uses there.
//
// For example, that wide fingerprints cost what several narrow ones cost, give or take a tenth, and
// that a sketch adds 8 ns at most to its parts:
//
//	Accumulate/weights=f32/f=256/kernel={avx2,avx512}/nnz=100 <= 4.4 x Accumulate/weights=f32/f=64/kernel=$kernel/nnz=$nnz
//	Sketch/hash=xxh64/weights=f32/f=64/kernel=generic/nnz=100 <= Accumulate/weights=f32/f=64/kernel=generic/nnz=100 + Hash/hash=xxh64/encoding=le64/kernel=generic/n=1024 + 8 ns/sketch
//
// # Verdicts
//
// Medians are compared with medians, with no allowance: a figure beyond its bar has missed it, be
// it by little. If the bar lies within the 95% interval of the figure, the verdict is shown with a
// question mark, since another run may give another one; measure again, with more samples, on a
// quieter machine. A bar whose case gave no figure, or that refers to a row or a probe that is not
// there, is not measured.
package main
