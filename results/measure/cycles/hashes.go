package main

import (
	"regexp"

	"simhashkit/results/measure/evidence"
)

// kernels are the functions that are followed. Hashes that are left to a library do what it does
// for each key, and clear and copy memory.
var kernels = regexp.MustCompile(`^(simhashkit/asm/(accumulate|hamming|hashing|minhash)\.|crypto/|runtime\.(memmove|memclrNoHeapPointers|duffzero|duffcopy)$)`)

// ofLibrary are those that are called by others than kernels, too, before them and behind them.
var ofLibrary = regexp.MustCompile(`^(crypto/|runtime\.)`)

// ofHashes are the hashes of asm/hashing: those that have kernels for arm64, and those that are
// left to the compiler there. What takes long is called with few keys.
func ofHashes() (list []one) {
	for _, h := range []struct {
		op   string
		keys int
		neon bool
	}{
		{"lookup3", 32, true}, {"siphash", 16, false}, {"md5", 16, true}, {"sha1", 8, true}, {"sha256", 8, false}, {"highway64", 4, true}, {"highway256", 4, true},
		{"fmix64", 16, false}, {"splitmix64", 16, false}, {"xxh3", 16, false}, {"xxh64", 16, false}, {"wyhash", 16, false}, {"rapidhash", 16, false},
		{"murmur3-128", 16, false}, {"fnv1a64", 16, false}, {"crc32c", 16, false},
	} {
		c := one{op: h.op, kernel: "generic", short: h.keys, long: 2 * h.keys, unit: evidence.CyclesPerKey}
		list = append(list, c)
		if c.kernel = "neon"; h.neon {
			list = append(list, c)
		}
	}
	return list
}
