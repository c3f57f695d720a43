// Package corpus deduplicates the documents of many files, in a run that can be killed at any time
// and resumed.
//
// A run has a folder. Fingerprints of each input file are kept there, written whole or not at all,
// so that what has been computed once is not computed again: after a kill, when other files join,
// or with another k. A manifest holds what the fingerprints depend on, and a run with any of it
// changed is refused. Then all fingerprints are joined, and each input gets a file of attributes:
// which records are near-duplicates of which, and which of them to keep.
//
//	attributes/fphash-run/manifest.json      the definition of the fingerprints
//	attributes/fphash-run/settings.json      what chose it, and k, if a program did
//	attributes/fphash-run/decision.json      whose outputs are there, and whether all are
//	attributes/fphash-run/dropped.zst        the records of each input that are dropped
//	attributes/fphash-run/lock               is locked by the run that works there
//	attributes/fphash-run/a.jsonl.jsonl.zst  fingerprints of the input a.jsonl
//	attributes/fphash-run/written.log        notes of the files that runs have written elsewhere
//	attributes/a.jsonl                       id, fingerprint, cluster_id, is_canonical of records
//
// Fingerprints are used again for an input of the same size, times and inode, and for one of the
// same content (xxHash64) whatever these are. Records are kept, dropped or left out, each once: an
// input that changes in the meantime is an error, and so is a file of fingerprints that has lost
// lines.
//
// What comes out depends on the inputs and options alone: not on how often the run was interrupted,
// nor on how many processes shared the work.
package corpus
