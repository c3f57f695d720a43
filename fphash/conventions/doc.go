// Package conventions computes fingerprints as other systems do, with the kernels of package
// fphash. It is for archives that exist already, and for checks against systems that others trust.
//
// A [Convention] says how a system makes fingerprints of features: hash, width, votes, ties, order
// of the bits. [Lookup] has those of other systems by name, and [New] makes a [Sketcher] of one:
//
//	s, err := conventions.NewNamed("mfonda")
//	fingerprint, status, err := conventions.AppendUnit(s, nil, []string{"to", "be"})
//
// [ISCC] and [SimilarityHash] are the similarity hash of ISO 24138 in one call. A [Conversion]
// rewrites fingerprints of one convention as those of another where that is exact.
//
// A fingerprint is one number, as everywhere in this module: its hexadecimal digits are those that
// the system itself shows. What the systems do, how an archive moves, and which systems are left
// out on purpose stands in README.md.
package conventions
