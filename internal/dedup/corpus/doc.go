// Package corpus deduplicates the documents of many files, in a run that can be killed at any time
// and resumed. The command fphash dedup --run uses it.
//
// A run has a folder, which holds the fingerprints of each input file. Each file of fingerprints is
// written as a whole or not at all, so a resumed run computes only the missing ones. A run with
// more files or another k also reuses them. They record what they depend on, and a run with another
// definition is an error. When all inputs have fingerprints, the run joins them and writes a file
// of attributes for each input. The attributes say which records are near-duplicates and which of
// them to keep.
//
//	attributes/fphash-run/a.jsonl.fingerprints.zst  fingerprints of the input a.jsonl
//	attributes/fphash-run/decision.zst   the dropped records, if the outputs are complete
//	attributes/fphash-run/written.log    the files that runs have written elsewhere
//	attributes/fphash-run/lock           locked by the active run
//	attributes/a.jsonl                   id, fingerprint, cluster_id, is_canonical of records
//
// Fingerprints are reused for an input with the same size, times and inode. Each record is kept,
// dropped or left out exactly once. An input that changes during the run is an error, and so is a
// file of fingerprints that has lost records.
//
// The output depends only on inputs and options, not on interruptions or on the number of
// processes.
package corpus
