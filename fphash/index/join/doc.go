// Package join finds all pairs of near-duplicates among fingerprints, exactly, and the groups that
// they form.
//
// Two fingerprints within k bits that are cut into k+1 blocks agree in at least one of the blocks,
// whole. So they are brought together by each block in turn, and compared with those that have the
// same; where many do, they are brought together again, by blocks of what is left. (Manku, Jain,
// Das Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
package join
