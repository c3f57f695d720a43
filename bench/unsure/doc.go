// Package unsure measures what is gained by the least sure bits of a fingerprint: how many more
// near-duplicates a query finds that ignores them, and how much better sums estimate the cosine
// than the distance does.
//
// A [Case] is a kind of vectors. [Case.Measure] draws pairs of exactly each of the [Cosines],
// searches by each of the [Ways], and estimates; [Rows] turns what it found into benchmark results:
//
//	recall       part of the pairs of cosine= that a search finds: within k= of all bits, or of
//	             those outside the mask of the t= least sure bits of the query; with masks=2, t= of
//	             the query and t= of the stored one
//	strangers    chance that the search finds a vector that has nothing to do with the query
//	cosine-rmse  error of the estimate of the cosine, by=distance or by=sums, root of mean square
//	cosine-bias  mean of that error: greater than 0 where cosines are overestimated
//
// More ignored bits find more of everything, strangers too, so a search is to be compared with the
// plain one that lets as many strangers pass, not with the one of the same k: [Ways] has both.
//
// All figures are exact: weights are multiples of 1/1024, so that sums do not depend on the kernel.
package unsure
