// Package blocks gives near-duplicates common keys, for programs that sort or group by key: the
// command sort, Spark, Hadoop, a database.
//
// Two fingerprints within k bits have the same key in at least one of a few tables. The engine
// brings together what has the same key of a table, and each such block is searched for pairs. A
// pair is reported by the first table in which both have the same key and by no other: so it comes
// once, however blocks are spread over machines. (Manku, Jain, Das Sarma: Detecting Near-Duplicates
// for Web Crawling, WWW 2007.)
//
// Package join finds the same pairs in the memory or on the disk of one machine.
package blocks
