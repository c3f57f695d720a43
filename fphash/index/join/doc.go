// Package join finds all pairs of near-duplicates among fingerprints, exactly or with a stated
// recall, and the groups that they form.
//
// Two fingerprints within k bits that are cut into k+1 blocks agree in at least one of the blocks,
// whole. So they are brought together by each block in turn, and compared with those that have the
// same; where many do, they are brought together again, by blocks of what is left. (Manku, Jain,
// Das Sarma: Detecting Near-Duplicates for Web Crawling, WWW 2007.)
//
// Where k is large, such blocks would be short, and many strangers would agree in one. Fewer and
// longer blocks in which pairs differ in one or a few bits have fewer strangers. (Norouzi, Punjani,
// Fleet: Fast Search in Hamming Space with Multi-Index Hashing, CVPR 2012.) Where that is too much
// as well, some bits that are drawn bring most pairs together, and a sample tells how many.
package join
