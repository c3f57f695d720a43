// Package kernels lets hashes of other packages name their kernel of asm/hashing, so that package
// fphash can call it directly. A call through an interface would move the caller's indices to the
// heap.
package kernels

// Kernel identifies a function of asm/hashing.
type Kernel uint8

// The kernels of the hashes that package fphash does not know itself.
const (
	Murmur3 Kernel = iota
	SipHash
	XXH3
)

// Hash is a hash of integers that consists of nothing but a kernel.
type Hash interface {
	// Kernel returns the kernel to call and its arguments: a seed, or a key of two words, the first
	// of which is seed.
	Kernel() (k Kernel, seed, second uint64)
}
