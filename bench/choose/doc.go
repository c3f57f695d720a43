// Package choose says in seconds which hash, which width and which threshold k suit the user's
// vectors.
//
// The hash is chosen by the rules of package advice, from rows of the suite choose of package
// bench: the quality of every hash on the user's vectors, and what whole sketches of them cost.
// What is measured is therefore what the command bench measures, only less of it: one encoding, and
// the vectors at hand.
//
// # Width and threshold
//
// All pairs of a random sample of the vectors are compared: the exact cosine of each, and the
// distance of the two fingerprints. A pair is a near-duplicate if its cosine is at least
// [Options].Cosine. Few files have many, so edited copies of vectors (see quality.Edit) of such a
// cosine join them. At a threshold k
//
//	recall    = near-duplicates at a distance of at most k / near-duplicates, copies among them
//	precision = near-duplicates at a distance of at most k / pairs at a distance of at most k
//
// of which precision is about the vectors alone, and known only where they have 30 near-duplicates.
// It depends on how many other pairs there are and how near they lie: in a random sample every pair
// is as likely as any other, so it is that of the collection. Exact copies, pairs at an angle below
// 10^-6, have equal fingerprints whatever the hash, and count for nothing.
//
// Both are means over four keyings of the hash, where it has a seed or a key. The 95% interval of
// recall is Wilson's (1927), with no more pairs than half of the vectors concerned: pairs share
// vectors.
//
// The width is the smallest whose least k of the wanted recall has the wanted precision or, where
// precision is not known, finds at most one in ten thousand of the other pairs. Where none does, it
// is the most precise one, and each pair has to be checked by its cosine.
//
// Without vectors the hashes are judged on patterns of indices, and thresholds are those of the
// model: an ideal hash and vectors of many features.
package choose
