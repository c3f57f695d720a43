// Package dedup finds the near-duplicates among records and says which of them to keep. The command
// fphash dedup runs it.
//
// Records have ids and fingerprints; package fingerprints reads them from files. A Spec says which
// records are near-duplicates: by the similarity of their texts or vectors, or only by the distance
// of their fingerprints. Find returns a Result, with a summary for people and lists for programs.
//
// With a similarity, fingerprints only choose the candidates, and a Verifier compares these. A
// record is dropped only if it is similar to a kept record. Find may miss a few similar pairs: see
// Spec.Candidates.
package dedup
