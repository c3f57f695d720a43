// Package quality measures how well a hash serves simhash: how many ideal bits its bits are worth,
// on which indices, and what is wrong where they are worth less.
//
// Hash test suites count collisions and flipped bits. A sketch needs something else: that the angle
// between two vectors, estimated from the distance d of their fingerprints of f bits as π·d/f, is
// as near to the true angle as f independent fair bits allow. So the judge is an ideal source,
// ChaCha8 keyed by keying and index, on the same vectors with the same weights and the same tie
// rule. METHODOLOGY.md has the definitions, the formulas and the sources.
//
// # How to use it
//
//	w, err := quality.Generate(quality.WorkloadOptions{Pattern: quality.Consecutive, Weights: quality.Signed})
//	h, err := quality.OfFamily(family, fphash.Dec, 64, fphash.WidenNone)
//	r, err := w.Measure(h, 0)
//	fmt.Println(r.Verdict, r.All.Effective.Value) // weak 7.2
//
// A [Workload] is what one cell of a table has besides the hash: vectors, their pairs, the exact
// angles and what the ideal source makes of them, which is computed once for each width and serves
// all hashes. [Generate] makes one with a pattern of indices and a kind of weights; [FromVectors]
// makes one of real vectors. A [Hash] is a family of package fphash under an encoding ([OfFamily])
// or a function of the user's own ([OfFunc]). [Workload.Measure] gives a [Result].
//
// # What a result has
//
//   - Estimator quality, over all angles and at cosine 0.9 and above, where deduplication lives:
//     [Band], with effective bits and their interval, and bias, variance and RMSE apart.
//   - Bit quality: [BitQuality], with constant, copied and complementary bits, bias, correlation,
//     avalanche, and the distances of vectors taken at random.
//   - A [Judgement]: good, weak or undecided. Package advice says why.
//
// # What is fixed
//
// Everything is determined by the options: the same on every machine to 8 digits and more,
// byte-equal between kernels and whatever the number of workers. Nothing is NaN or infinite; a
// figure that does not exist says so by a flag of its own.
package quality
