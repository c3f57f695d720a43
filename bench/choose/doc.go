// Package choose says in seconds which hash, which width and which threshold k suit the user's
// vectors.
//
// The hash is chosen by the rules of package advice, from rows of the suite choose of package
// bench: the quality of every hash on the user's vectors, and what whole sketches of them cost.
// Width and threshold are those that package calibrate suggests for that hash. What is measured
// here is therefore what the commands bench and calibrate measure, only less of it: one encoding,
// and the vectors at hand.
//
// Without vectors the hashes are judged on patterns of indices, and thresholds are those of the
// model: an ideal hash and vectors of many features. What part of the pairs found are real depends
// on the collection, so nothing is said of that.
package choose
