// Package blocks computes keys that bring near-duplicates together in programs that sort or group
// by key: the command sort, Spark, Hadoop, a database.
//
// Two fingerprints within k bits have the same key in at least one of a few tables. The engine
// groups records by key, and each group, or block, is searched for pairs. Only the first table in
// which both fingerprints have the same key reports a pair. So each pair is reported once, even if
// blocks are spread over many machines. (Manku, Jain, Das Sarma: Detecting Near-Duplicates for Web
// Crawling, WWW 2007.)
//
// Package join finds the same pairs in memory or on disk on one machine.
package blocks
