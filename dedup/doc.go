// Package dedup finds the near-duplicates among records, and says which of them to keep. It is what
// the command fphash dedup runs.
//
// Records have ids and fingerprints; package fingerprints reads them from files. Find joins them,
// exactly, and has its answer as a summary for people and as lists for programs.
package dedup
