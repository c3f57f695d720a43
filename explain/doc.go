// Package explain says why two documents are near-duplicates, or are not: what their fingerprints
// and their vectors have in common, which words weigh most and which differ, and whether the texts
// are long enough for the threshold.
package explain
