// Package textsketch computes fingerprints of texts: of one text, or of all documents of a file on
// several cores. It combines features (datasets/text), weights (datasets/text/weights) and hashing
// (fphash).
//
// [New] makes a [Sketcher], and each goroutine calls [Sketcher.Local] for one that computes.
// [Sketcher.Definition] says all that the fingerprints depend on: compare only fingerprints of
// equal definitions.
package textsketch
