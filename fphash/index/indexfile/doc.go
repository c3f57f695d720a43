// Package indexfile keeps an index of fingerprints in a file: it opens at once, is searched without
// being loaded, and survives crashes. One process at a time can write it, and any number can read
// it.
//
// The file begins with a base: all fingerprints in ascending order of their ids when it was last
// written as a whole, and the tables that find them. It is mapped to memory, and a query reads only
// the parts it needs. Each block of 64 KiB is checked before its first use. Behind the base is a
// log of inserts and deletes. [Writer.Insert] and [Writer.Delete] return when their entry in the
// log is on disk; concurrent calls share one fsync. [Writer.Compact] writes the whole file anew
// while others go on inserting.
//
// A [Writer] and a [Reader] hold the log in memory, about 170 and 260 bytes an entry with an id of
// 10 bytes and 64 bits. [Create] needs about 150 bytes an entry, including its arguments.
//
// A crash never loses an acknowledged entry, and never adds one. The next writer removes, and
// reports, an entry that a crash left half written at the end of the log. Any other change to the
// file is an error, [*Damage], which says where it is. [Verify] checks the whole file, and
// [Salvage] writes what is left to a new file. FORMAT.md describes the file byte by byte.
//
// Files can be written and read on Unix (except AIX) and on Windows. On other systems that the
// package compiles for, they can only be read. Windows cannot replace an open file: see
// [Writer.Compact]. It also does not force the names of new files to disk, so a power cut may undo
// a Create or a Compact as a whole. Tests run on Linux; for Windows, macOS and FreeBSD the package
// is only compiled and vetted.
package indexfile
