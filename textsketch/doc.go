// Package textsketch computes fingerprints of texts, of one or of all documents of a file on
// several cores. It joins features (datasets/text), weights (datasets/text/weights) and hashing
// (fphash).
//
// A Sketcher's Definition says all that the fingerprints depend on, so that those of another
// definition are never compared with them.
package textsketch
