// Package calibrate measures, on the user's own vectors, at which distance of fingerprints
// near-duplicates lie: what a threshold k finds and what it misses, and how wide fingerprints must
// be.
//
// # What is measured
//
// All pairs of a random sample of the vectors: the exact cosine of each, and the distance of the
// two fingerprints as the user would compute them. A pair is a near-duplicate if its cosine is at
// least [Options].Cosine. By MinHash, of sets, the Jaccard similarity takes the place of the
// cosine. At a threshold k
//
//	recall    = near-duplicates at a distance of at most k / near-duplicates
//	precision = near-duplicates at a distance of at most k / pairs at a distance of at most k
//
// Both are means over four keyings of the hash, where it has a seed or a key: with few
// near-duplicates the figures of a single keying are left to chance. Precision depends on the
// collection: on how many other pairs there are and how near they lie. In a random sample every
// pair of the collection is as likely as any other, so precision is that of the collection,
// whatever its size; the near-duplicates of a large collection may be rare in it, though, and then
// a larger sample is needed. Copies, pairs at an angle below 10^-6, have equal fingerprints
// whatever the hash; they count for nothing and are listed apart.
//
// # Intervals
//
// Pairs share vectors, so they are no independent sample. The variance of a ratio is that of a
// jackknife that leaves out one of 32 groups of vectors, with all pairs that the group has a part
// in (Arvesen 1969; Efron and Tibshirani 1993, chapter 11), less what it counts twice. It becomes
// an effective number of pairs, no more than half of the vectors concerned, and that a 95 %
// interval by Wilson's method (Wilson 1927), which holds near 0 and 1 as well. In a test with
// clusters of near-duplicates the intervals contain the figures of the whole collection in 346 of
// 360 cases, those that take pairs for independent in 293. The interval is about which vectors were
// drawn, not about another seed of the hash.
//
// # The model
//
// With an ideal hash and many features, each of the f bits of two fingerprints differs with
// probability θ/π (Charikar 2002), and nearly independently, so the distance has a binomial
// distribution. The model averages it over the angles of the pairs at hand. Where vectors have few
// features or one that outweighs the others the distribution is wider, and the measured figures are
// those to go by.
package calibrate
