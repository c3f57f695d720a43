package main

import (
	"regexp"

	"simhashkit/bench/terms"
)

// kernels are the functions that are followed. Hashes that are left to a library do what it does for
// each key, and clear and copy memory.
var kernels = regexp.MustCompile(`^(simhashkit/asm/(accumulate|hamming|hashing)\.|crypto/|runtime\.(memmove|memclrNoHeapPointers|duffzero|duffcopy)$)`)

// ofLibrary are those that are called by others than kernels, too, before them and behind them.
var ofLibrary = regexp.MustCompile(`^(crypto/|runtime\.)`)

// ofHashes are the hashes of asm/hashing: those that have kernels for arm64, and those that are
// left to the compiler there.
func ofHashes() (list []one) {
	for _, h := range []struct {
		op   string
		neon bool
	}{
		{"lookup3", true}, {"siphash", false}, {"md5", true}, {"md5-counter", true}, {"sha1", true}, {"sha1-counter", true},
		{"sha256", false}, {"sha256-counter", false}, {"highway64", true}, {"highway128", true}, {"highway256", true},
		{"fmix64", false}, {"splitmix64", false}, {"xxh3", false}, {"xxh64", false}, {"wyhash", false}, {"rapidhash", false}, {"murmur3-128", false},
		{"fnv1-64", false}, {"fnv1a64", false}, {"crc32c", false},
	} {
		c := one{op: h.op, kernel: "generic", short: 16, long: 32, unit: terms.CyclesPerKey}
		list = append(list, c)
		if c.kernel = "neon"; h.neon {
			list = append(list, c)
		}
	}
	return list
}
