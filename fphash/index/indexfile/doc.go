// Package indexfile keeps an index of fingerprints in a file: opened at once, searched where it
// lies, and safe from crashes. One process at a time writes it, any number read it.
//
// The file begins with everything that was there when it was last written whole: fingerprints in
// ascending order of their ids, and the tables that find them. It is mapped to memory and looked at
// where a query leads; each block of 64 KiB is checked before its first use. Behind that is a log
// of what was inserted and deleted since. [Writer.Insert] and [Writer.Delete] return when their
// entry in the log is on disk, and those that wait at the same time share one fsync.
// [Writer.Compact] writes everything whole again.
//
// A [Writer] and a [Reader] hold what is in the log in memory, some 170 and 260 bytes an entry with
// an id of 10 bytes and 64 bits; [Create] needs some 150 bytes an entry, those of its arguments
// included.
//
// What was acknowledged is never lost by a crash, and nothing is found that was not inserted. What
// a crash has left half written at the end of the log is taken away by the next writer, and
// reported. Anything else that is not as it was written is an error, [*Damage], which says where;
// [Verify] looks at everything, and [Salvage] writes what is left to a new file. FORMAT.md has the
// file byte by byte.
//
// Files can be created, written, compacted and read on Unix (but not on AIX) and on Windows, where
// a file that is open cannot be replaced: see [Writer.Compact]. Tests run on Linux; for Windows,
// macOS and FreeBSD the package is only compiled and vetted. On other systems that it compiles for,
// files can be read and not written. On Windows, the names of new files are not forced to disk: a
// power cut may undo a Create or a Compact as a whole.
package indexfile
