// Package dedup finds the near-duplicates among records and says which of them to keep. The command
// fphash dedup runs it.
//
// Records have ids and fingerprints; package fingerprints reads them from files. A Spec says which
// records are near-duplicates: by the similarity of their texts or vectors, or by the distance of
// their fingerprints alone. Find returns a Result, with a summary for people and lists for
// programs.
//
// By similarity, fingerprints only choose the candidates. A Verifier compares these, and a record
// is dropped only if it is similar to one that is kept. Compared with a search of all pairs, Find
// misses few similar pairs: see Spec.Candidates. It never drops a record for one that is not
// similar.
package dedup
