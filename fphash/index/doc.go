// Package index finds near-duplicates among fingerprints, exactly: all that differ from a query in
// at most k bits, or all pairs of a set that do.
//
// Fingerprints come as a [Set]. Everything here returns exactly what comparing every fingerprint
// with every other would return, each match and each pair once; structures differ in time and
// memory alone.
//
// All pairs of a set, and the groups that they form, are found by a [Join]: fingerprints within k
// bits that are cut into k+1 blocks agree in at least one of the blocks, whole. (Manku, Jain, Das
// Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
package index
