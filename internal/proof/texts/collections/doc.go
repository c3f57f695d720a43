// Package collections has real texts of which it is known which are near-duplicates: pairs that
// somebody has labelled, or that are alike letter for letter but for some edits.
//
// A [Collection] is at most 1,400 texts of one language and one length, so that all pairs of
// them can be judged, not those alone that some method finds. [All] reads them from the folder of
// the reference data; whatever is drawn is drawn by a seed.
package collections
