// Package join finds all pairs of near-duplicates among fingerprints, exactly or with a given
// recall, and the groups that they form.
//
//	j := join.Join{Set: set, K: 3}
//	for pair, err := range j.Pairs(ctx) {
//		// pair.A and pair.B differ in pair.Distance bits
//	}
//
// # How it works
//
// If two fingerprints differ in at most k bits and are cut into k+1 blocks, they agree in at least
// one whole block. So the join groups fingerprints by each block in turn, and compares those that
// share it. Large groups are divided again, by blocks of the remaining bits. (Manku, Jain, Das
// Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
//
// For large k such blocks would be short, and many unrelated pairs would share one. The join then
// uses fewer and longer blocks in which pairs may differ in one or a few bits. (Norouzi, Punjani,
// Fleet: Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012.)
//
// # Recall
//
// You usually want pairs of a given similarity, not pairs within k bits. In such a pair, each of
// the f bits differs with a probability p: arccos(c)/π for simhashes of cosine c, (1-J)/2 for 1-bit
// MinHashes of Jaccard similarity J. The distance is then binomial, and Threshold returns the k
// that includes a given share of these pairs. Most of them are much nearer: for f = 128 and p =
// 0.123, k is 25 for 99%, and the mean distance is 16.
//
// A table of b bits brings a pair at distance d together with a probability of about (1-d/f)^b, and
// L tables with 1-(1-(1-d/f)^b)^L. The expected recall is the sum of that over all d up to k, each
// times the probability that pairs are at distance d. A join with a Recall uses the cheapest tables
// that reach it, or the exact join if that costs less. Plan.Recall returns the expected recall, and
// MeasureRecall compares a sample with all fingerprints.
package join
