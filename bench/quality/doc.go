// Package quality measures how good a hash is for simhash: how many ideal bits its bits are worth,
// on which indices, and what is wrong if they are worth less.
//
//	o := quality.WorkloadOptions{Pattern: quality.Consecutive, Weights: quality.Signed}
//	w, err := quality.Generate(o)
//	h, err := quality.OfFamily(family, fphash.Dec, 64, fphash.WidenNone)
//	r, err := w.Measure(h, 0)
//	fmt.Println(r.Verdict, r.All.Effective.Value) // weak 7.2
//
// A [Workload] holds everything except the hash: vectors, pairs, their exact angles, and the
// results of the ideal source, which are computed once for each width and serve all hashes.
// [Generate] makes one with a pattern of indices and a kind of weights; [FromVectors] makes one of
// real vectors. A [Hash] is a family of package fphash with an encoding ([OfFamily]) or your own
// function ([OfFunc]). [Workload.Measure] returns a [Result].
//
// # What it measures
//
// Hash test suites count collisions and flipped bits. A sketch needs something else: the angle
// between two vectors, estimated from the distance d of their fingerprints of f bits as π·d/f,
// should be as near to the true angle as f independent fair bits allow. So hashes are compared with
// an ideal source, ChaCha8 keyed by keying and index, on the same vectors with the same weights and
// tie rule. METHODOLOGY.md has the definitions, formulas and sources.
//
// # Results
//
//   - Estimator quality, over all angles and at cosine 0.9 and above, the range of near-duplicates:
//     [Band], with effective bits and their interval, and bias, variance and RMSE.
//   - Bit quality: [BitQuality], with constant, copied and complementary bits, bias, correlation,
//     avalanche, and the distances of random vectors.
//   - A [Judgement]: good, weak or undecided. Package advice says why.
//
// # Reproducibility
//
// The options determine all results: they are the same on every machine to at least 8 digits, and
// byte-equal between kernels and numbers of workers. No figure is NaN or infinite; a flag says if a
// figure does not exist.
package quality
