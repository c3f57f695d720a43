// Package index finds near-duplicates of a fingerprint, exactly: all stored ones that differ from a
// query in at most k bits. All pairs of a set, and the groups that they form, are found by package
// join.
package index
