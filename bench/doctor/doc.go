// Package doctor examines a hash of the user's own, written in any language: how many ideal bits
// its bits are worth for simhash, pattern by pattern of indices, and one verdict over all of them.
// It measures as package quality does.
//
// # The protocol
//
// A [Command] is a program that reads keys from its standard input until the end, writes their
// codes to its standard output, in the same order, and exits with status 0:
//
//   - A key is the index of a feature: 8 bytes, little-endian. With [Options.Keys] it is a line of
//     text that ends with a line feed.
//   - A code has ceil(bits/64) words of 8 bytes, little-endian, word 0 first; bit j of the code is
//     bit j%64, least significant first, of word j/64. Bits above the width are zero.
//   - For n keys it writes exactly n codes, for none nothing, and nothing else: messages belong on
//     standard error, which is shown when something is wrong.
//
// So it can be tried by hand: PROGRAM <keys >codes. Keys come in batches, a run of the program for
// each, so it may read all keys before it writes, write before it has read all, and buffer as it
// likes. The same key must have the same code, whatever was asked before it and in whichever run.
//
// [PythonExample] and [GoExample] are such programs.
//
// # Go functions
//
// A hash that is a Go function needs no pipe: [Examine] takes a quality.Hash, such as
// quality.OfFunc makes of a function, or quality.OfFamily of a hash of this module, to compare
// with.
//
// # Stored fingerprints
//
// A [Collector] examines fingerprints without their hash: it finds constant bits, copies and
// correlated bits, and estimates the effective bits from the distances of random records.
package doctor

import _ "embed"

// PythonExample is a program that answers keys with the first 8 bytes of BLAKE2b of them.
//
//go:embed testdata/examples/hash.py
var PythonExample string

// GoExample is a program that answers keys with FNV-1a of them; go run takes it as it is.
//
//go:embed testdata/examples/hash.go
var GoExample string
