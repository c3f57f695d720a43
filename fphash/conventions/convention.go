// Package conventions computes fingerprints as other systems do, with the kernels of package
// fphash. It is for archives that exist already, and for checks against systems that others trust.
//
// A [Convention] says how a system makes fingerprints from features: hash, width, votes, ties,
// order of the bits. [Lookup] returns the convention of another system by name, and [New] makes a
// [Sketcher] from a convention:
//
//	s, err := conventions.NewNamed("mfonda")
//	fingerprint, status, err := conventions.AppendUnit(s, nil, []string{"to", "be"})
//
// A fingerprint is one number, as everywhere in this module: its hexadecimal digits are those that
// the system itself shows. README.md describes what the systems do, how to migrate an archive, and
// which systems are left out on purpose.
package conventions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // for siphash
)

// Convention has every property in which systems that compute simhashes differ: with the same
// Convention, the same features give the same bits. Lookup and All return the conventions of other
// systems, the presets. You can combine the same parts into a Convention of your own.
type Convention struct {
	// Name identifies the convention in files of fingerprints: letters, digits and '-'.
	Name string
	// System is the system with this convention. Aliases are other systems that give the same bits.
	// They do not affect the fingerprint.
	System  string
	Aliases []string

	// Hash makes the code of a feature. It is the name of a registered hash of package fphash
	// (identity is for features that are already hashes), or one of these:
	//
	//	siphash-128              SipHash-2-4 of 128 bits; the first output is the low half
	//	blake3                   256 bits
	//	digest                   the feature is its code, byte by byte
	//	python-string            the string hash of the blog tradition's Python code
	//	splitmix64-stream        the feature, a 64-bit hash, seeds a generator: as many
	//	                         outputs as the width takes, bit 64·j+h from bit h of output j
	//	splitmix64-transposed    the same, but bit 64·b+8·j+g from bit 8·g+j of output b
	Hash string
	// Key is the secret key of a keyed hash; nil stands for zero bytes.
	Key []byte
	// Encoding is how an index is written as bytes; other systems take only byte strings.
	Encoding fphash.Encoding
	// Framing says which bytes are added to a feature before it is hashed: none, or
	//
	//	rust-string    a byte ff at the end, as Rust hashes a str
	//	rust-bytes     the length in front, as 8 little-endian bytes, as Rust hashes a
	//	               vector of bytes
	Framing string
	// Bits is the number of bits that features vote on. The fingerprint has Bits bits, rounded up
	// to whole bytes if BitOrder is one of bytes.
	Bits int
	// Weights says which weights are accepted and how they vote.
	Weights Weights
	// Order is the order in which floating-point weights are summed.
	Order fphash.Order
	// Tie is the bit of the fingerprint that a sum of zero gives.
	Tie fphash.Tie
	// BitOrder says which bits of the hash become which bits of the fingerprint. A fingerprint is
	// one number; in hexadecimal, it looks as the system shows it. BitOrder is
	//
	//	""             the low bits of a hash that is a number stay where they are
	//	last bytes     the last bytes of a hash that is a digest, read as a big-endian number
	//	first bytes    the first ones, read so: the digits are those of the digest
	BitOrder string
	// Inverted says that positive sums give 0 and negative ones 1. Ties are not inverted, so an
	// inverted fingerprint is the complement of a plain one with the other tie rule.
	Inverted bool
	// Empty says which fingerprint a vector without features has: "" means the one that sums of
	// zero give, zeros means zero bits whatever the tie rule, and refused means the error ErrEmpty.
	Empty string
}

// Weights says which weights are accepted and how they vote. Except for Python, a weight is added
// for a 1 in the code and subtracted for a 0, and a positive sum gives a 1.
type Weights uint8

// The weights.
const (
	// Unweighted accepts no weights: each occurrence of a feature counts once.
	Unweighted Weights = iota
	// Integers accepts whole numbers, whose sums wrap as Go's int64 does.
	Integers
	// RoundedUp rounds fractions up to whole numbers.
	RoundedUp
	// Float64 accepts all numbers, as float64.
	Float64
	// Python accepts whole numbers and float64. The weight is added for a 1 in the code; a sum of
	// more than half of the total of all weights gives a 1. Integers below 1 count only towards the
	// total. There are no ties.
	Python
)

// The values of the fields Framing, BitOrder and Empty of a Convention.
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

// FingerprintBits returns the width of the fingerprint: Bits, rounded up to whole bytes if BitOrder
// is one of bytes.
func (c Convention) FingerprintBits() int {
	if c.BitOrder == numberOrder {
		return c.Bits
	}
	return (c.Bits + 7) / 8 * 8
}

// Definition returns the definition to store with the fingerprints. Its field Convention is the
// name of c.
func (c Convention) Definition() fphash.Definition {
	return fphash.Definition{
		Hash: c.Hash, Encoding: c.Encoding, Bits: c.FingerprintBits(), Tie: c.Tie, Order: c.Order, Key: slices.Clone(c.Key), Convention: c.Name,
	}
}

// ErrEmpty is the error for a vector without features if the Convention refuses it.
var ErrEmpty = errors.New("conventions: no features, which this convention refuses")

// family checks the parts of the Convention and returns its hash.
func (c Convention) family() (fphash.Family, error) {
	f, ok := c.ownFamily()
	if !ok {
		var err error
		if f, err = fphash.Lookup(c.Hash); err != nil {
			return f, fmt.Errorf("conventions: %w", err)
		}
	}
	return f, c.check(f)
}

// check returns an error if the parts cannot be combined.
func (c Convention) check(f fphash.Family) error {
	fail := func(format string, arguments ...any) error {
		return fmt.Errorf("conventions: %s: %s", c.Name, fmt.Sprintf(format, arguments...))
	}
	for _, field := range []struct {
		name, value string
		known       []string
	}{
		{"framing", c.Framing, []string{plainFraming, rustString, rustBytes}},
		{"bit order", c.BitOrder, []string{numberOrder, lastBytes, firstBytes}},
		{"rule for no features", c.Empty, []string{emptyByTie, emptyZero, emptyRefused}},
	} {
		if !slices.Contains(field.known, field.value) {
			return fail("%s %q, expected one of %q", field.name, field.value, field.known)
		}
	}
	if c.Weights > Python {
		return fail("unknown weights %d", c.Weights)
	}
	switch {
	case c.Name == "" || strings.ContainsFunc(c.Name, badInName):
		return fmt.Errorf("conventions: name %q: expected letters, digits, '-', '_' and '.', since names stand in files", c.Name)
	case c.Bits < 1 || c.Bits > f.Bits:
		return fail("%d bits, expected 1 to %d, as many as %s has", c.Bits, f.Bits, c.Hash)
	case c.BitOrder != numberOrder && c.Bits%8 != 0 && !isStream(c.Hash):
		return fail("%d bits, expected a multiple of 8: %s is made of bytes", c.Bits, c.Hash)
	case c.BitOrder == lastBytes && f.Bits%64 != 0:
		return fail("the last bytes of a hash of %d bits, expected a multiple of 64", f.Bits)
	case c.Weights == Python && (c.Tie != fphash.TieZero || c.Inverted || c.BitOrder != lastBytes || f.Integer):
		return fail("Python's numbers are for the last bytes of digests, and ties that give 0")
	case c.Inverted && c.Tie == fphash.TieAlternate:
		return fail("inverted, with ties that alternate: no system does that")
	case c.Framing != plainFraming && c.Hash != sipHash64 && c.Hash != sipHash128:
		return fail("framing %v, which is for %s and %s", c.Framing, sipHash64, sipHash128)
	}
	return nil
}

func badInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

func isStream(hash string) bool { return hash == stream || hash == transposed }

// Differences lists, in a few words each, how the Convention differs from the defaults of package
// fphash with the same hash. The defaults are: votes by sign, zeros for ties and for no features,
// and bit i of the fingerprint from bit i of the hash.
func (c Convention) Differences() (list []string) {
	if c.Framing != plainFraming {
		list = append(list, "bytes framed as "+c.Framing)
	}
	switch c.Weights {
	case Unweighted:
		list = append(list, "no weights")
	case Integers:
		list = append(list, "whole weights")
	case RoundedUp:
		list = append(list, "weights rounded up")
	case Float64:
		list = append(list, "float64 in order")
	case Python:
		list = append(list, "half of the total of Python's numbers")
	}
	if c.Tie != fphash.TieZero {
		list = append(list, fmt.Sprintf("ties %v", c.Tie))
	}
	if c.Inverted {
		list = append(list, "inverted")
	}
	if c.BitOrder != numberOrder {
		list = append(list, c.BitOrder)
	}
	if c.Empty != emptyByTie {
		list = append(list, "empty "+c.Empty)
	}
	return list
}
