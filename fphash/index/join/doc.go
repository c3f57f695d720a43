// Package join finds all pairs of near-duplicates among fingerprints, exactly or with a stated
// recall, and the groups that they form.
//
// Two fingerprints within k bits that are cut into k+1 blocks agree in at least one of the blocks,
// whole. So they are brought together by each block in turn, and compared with those that have the
// same; where many do, they are brought together again, by blocks of what is left. (Manku, Jain,
// Das Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
//
// Where k is large, such blocks would be short, and many strangers would agree in one. Fewer and
// longer blocks in which pairs differ in one or a few bits have fewer strangers. (Norouzi, Punjani,
// Fleet: Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012.)
//
// # Recall
//
// Users ask for pairs of a similarity, not for pairs within k bits. Of f bits of such a pair each
// differs with a probability p: arccos(c)/π for simhashes of cosine c, (1-J)/2 for 1-bit MinHashes
// of Jaccard similarity J. The distance is then binomial, and Threshold returns the k within which
// a share of these pairs is. Most of them are much nearer: for f = 128 and p = 0.123, k is 25 for
// 99%, and the mean distance is 16.
//
// A table of b bits brings a pair at distance d together with a probability of about (1-d/f)^b, and
// L tables with 1-(1-(1-d/f)^b)^L. The expected recall is the sum of that over all d up to k, each
// times the probability that pairs are at distance d. A join with a Recall takes the cheapest
// tables whose expected recall is as large, or the exact join if that costs less. Plan.Recall
// returns the expected recall, and MeasureRecall compares a sample with all.
package join
