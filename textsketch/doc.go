// Package textsketch computes fingerprints of texts: from features (package datasets/text) by way
// of their weights (package datasets/text/weights) to bits (package fphash), for one text or for
// all documents of a file on several cores.
//
// A Sketcher's Definition says all that the fingerprints depend on, so that those of another
// definition are never compared with them.
package textsketch
