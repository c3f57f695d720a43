// Package collections reads real texts with known near-duplicates: pairs that people have labelled,
// and copies with some edits.
//
// A [Collection] is at most 1,400 texts of one language and one length, so that all pairs of
// them can be judged, not those alone that some method finds. [All] reads them from the folder of
// the reference data; whatever is drawn is drawn by a seed.
package collections
