// Package pipeline builds the Apache Beam pipeline from documents to attributes: which of them are
// near-duplicates of which, and which to keep.
//
//	inputs        one element for each file
//	fingerprints  a file is read and its documents are sketched where it is read: no text is shuffled
//	distinct      documents with the same fingerprint stand for each other from here on
//	blocks        each distinct fingerprint under its key in each table (package blocks)
//	pairs         the pairs within k of each block, each from one table; a hot block is cut up
//	groups        the components of all pairs, on one worker
//	attributes    a file for each input, as dedup/corpus writes them
//
// What is written depends on the inputs and options alone: not on the runner, the number of
// workers, the size of bundles, or on how often some of the work was done again.
package pipeline
