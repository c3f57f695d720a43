// Package kernels lets hashes of other packages name their kernel of asm/hashing, so that package
// fphash calls it directly. A call through an interface would move the caller's indices to the
// heap.
package kernels

// Kernel is a function of asm/hashing.
type Kernel uint8

// The kernels of the hashes that package fphash does not know itself.
const (
	Murmur3 Kernel = iota
	SipHash
	XXH3
)

// Hash is a hash of integers that is a kernel and nothing else.
type Hash interface {
	// Kernel returns what to call, and with what: with a seed, or with a key of two words, of which
	// the seed is the first.
	Kernel() (k Kernel, seed, second uint64)
}
