// Package corpus deduplicates the documents of many files, in a run that can be killed at any time
// and resumed. The command fphash dedup-corpus runs it.
//
// A run has a folder. It keeps the fingerprints of each input file there, written whole or not at
// all, so it never computes them twice: not after a kill, with additional files, or with another k.
// A manifest holds what the fingerprints depend on, and a run with other values is refused. When
// all inputs have fingerprints, the run joins them and writes a file of attributes for each input.
// The attributes say which records are near-duplicates and which of them to keep.
//
//	attributes/fphash-run/manifest.json      the definition of the fingerprints
//	attributes/fphash-run/decision.json      whose outputs are there, and whether all are
//	attributes/fphash-run/dropped.zst        the dropped records of each input
//	attributes/fphash-run/lock               locked by the run that works there
//	attributes/fphash-run/a.jsonl.jsonl.zst  fingerprints of the input a.jsonl
//	attributes/fphash-run/written.log        notes of the files that runs have written elsewhere
//	attributes/a.jsonl                       id, fingerprint, cluster_id, is_canonical of records
//
// Fingerprints are reused for an input with the same size, times and inode, or with the same
// content (xxHash64). Each record is kept, dropped or left out exactly once. An input that changes
// during the run is an error, and so is a file of fingerprints that has lost lines.
//
// The output depends only on inputs and options, not on interruptions or on the number of
// processes.
package corpus
