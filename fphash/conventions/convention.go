package conventions

import (
	"fmt"
	"slices"

	"simhashkit/fphash"
)

// Convention is everything in which systems differ that compute simhashes: with the same
// Convention, the same features give the same bits. The presets, which Lookup and All return, are
// those of other systems; a Convention of one's own may be put together of the same parts.
type Convention struct {
	// Name is what files of fingerprints keep of it: letters, digits and '-'.
	Name string
	// System is who has it, and Aliases are other names of the same: systems that give the same
	// bits. They say nothing about the fingerprint.
	System  string
	Aliases []string

	// Hash makes a code of a feature. It is a registered hash of package fphash, by its name
	// (identity is for features that are hashes already), or one of these:
	//
	//	siphash-128              SipHash-2-4 of 128 bits; the first output is the low half
	//	blake3                   256 bits
	//	digest                   the feature is its code, byte by byte
	//	python-string            the string hash of the blog tradition's Python code
	//	splitmix64-stream        the feature, a 64-bit hash, seeds a generator: as many
	//	                         outputs as the width takes, bit 64·j+h from bit h of output j
	//	splitmix64-transposed    the same, but bit 64·b+8·j+g from bit 8·g+j of output b
	Hash string
	// Key is the secret of a hash that takes one; nil stands for zero bytes.
	Key []byte
	// Encoding is how an index is written as bytes; other systems take byte strings only.
	Encoding fphash.Encoding
	// Framing is what is added to the bytes of a feature before they are hashed: nothing, or
	//
	//	rust-string    one byte ff behind, as Rust does where a str is hashed
	//	rust-bytes     the length in front, as 8 little-endian bytes, as Rust does where a
	//	               vector of bytes is hashed
	Framing string
	// Bits is the width of what is voted on. The fingerprint is as wide, or, where the bits stand
	// in bytes, as wide as those.
	Bits int
	// Weights says which weights are taken, as what, and how they vote.
	Weights Weights
	// Order is in which order floating-point weights are summed.
	Order fphash.Order
	// Tie is the bit that a sum of zero gives, in the fingerprint.
	Tie fphash.Tie
	// BitOrder is where in the fingerprint the bits of the hash stand. A fingerprint is one number,
	// which hexadecimal digits show, most significant first: as the system shows its own. It is
	//
	//	""             the low bits of a hash that is a number stay where they are
	//	last bytes     the last bytes of a hash that is a digest, read as a big-endian number
	//	first bytes    the first ones, read so: the digits are those of the digest
	BitOrder string
	// Inverted says that 1 stands for the sums that else give a 0, and 0 for the others. Ties are
	// not inverted, so such a fingerprint is the complement of one with the other tie rule.
	Inverted bool
	// Empty is what no features give: "" is what sums of zero give, zeros is that whatever the tie
	// rule, and refused is ErrEmpty.
	Empty string
}

// Weights says which weights are taken, as what, and how they vote. A weight is added where the
// code has a 1, and subtracted where it has a 0; a positive sum is a 1. It is not so for Python.
type Weights uint8

// The weights.
const (
	// Unweighted takes none: each occurrence of a feature counts once.
	Unweighted Weights = iota
	// Integers takes whole numbers, whose sums wrap as Go's int64 does.
	Integers
	// RoundedUp rounds fractions up to whole numbers.
	RoundedUp
	// Float64 takes all numbers as float64.
	Float64
	// Python takes whole numbers and float64. The weight is added where the code has a 1; a sum of
	// more than half of the total of all weights is a 1. Integers below 1 count for the total only.
	// There are no ties.
	Python
)

// The framings, bit orders and rules for no features, as fields of a Convention have them.
const (
	plainFraming = ""
	rustString   = "rust-string"
	rustBytes    = "rust-bytes"

	numberOrder = ""
	lastBytes   = "last bytes"
	firstBytes  = "first bytes"

	emptyByTie   = ""
	emptyZero    = "zeros"
	emptyRefused = "refused"
)

var weightsNames = [...]string{"none", "integers", "rounded up", "float64", "Python's numbers"}

// String says which weights are taken.
func (w Weights) String() string {
	if int(w) < len(weightsNames) {
		return weightsNames[w]
	}
	return fmt.Sprintf("Weights(%d)", uint8(w))
}

// FingerprintBits returns the width of the fingerprint: Bits, or, where they stand in bytes, 8 for
// each byte that they begin.
func (c Convention) FingerprintBits() int {
	if c.BitOrder == numberOrder {
		return c.Bits
	}
	return (c.Bits + 7) / 8 * 8
}

// Definition returns what is to be stored beside the fingerprints; its Convention is the name.
func (c Convention) Definition() fphash.Definition {
	return fphash.Definition{
		Hash: c.Hash, Encoding: c.Encoding, Bits: c.FingerprintBits(), Tie: c.Tie, Order: c.Order, Key: slices.Clone(c.Key), Convention: c.Name,
	}
}
