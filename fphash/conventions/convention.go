// Package conventions computes the same fingerprints as other systems, with the kernels of package
// fphash. It is for existing archives of fingerprints, and for checks against other systems.
//
// A [Convention] defines how a system makes fingerprints from features: hash, width, votes, ties,
// order of the bits. [Lookup] returns the convention of another system by name, and [New] makes a
// [Sketcher] for a convention:
//
//	c, err := conventions.Lookup("mfonda")
//	s, err := conventions.New(c)
//	fingerprint, status, err := conventions.AppendUnit(s, nil, []string{"to", "be"})
//
// A fingerprint is one number, as everywhere in this module. Its hexadecimal digits are the same as
// those of the other system. README.md describes the systems, explains how to migrate an archive,
// and lists systems that are left out on purpose.
package conventions

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dchest/siphash"
	"github.com/zeebo/blake3"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // for siphash
)

// Convention defines all properties in which simhash systems differ: with equal Conventions, equal
// features give equal bits. Lookup and All return the presets, which are the conventions of other
// systems. You can also combine the parts into a Convention of your own.
type Convention struct {
	// Name identifies the convention in files of fingerprints: letters, digits and '-'.
	Name string
	// System is the system with this convention. Aliases are other systems that give the same bits.
	// Neither affects the fingerprint.
	System  string
	Aliases []string

	// Hash computes the code of a feature. It is the name of a registered hash of package fphash
	// (identity is for features that are already hashes), or one of these:
	//
	//	siphash-128              SipHash-2-4 of 128 bits; the first output is the low half
	//	blake3                   256 bits
	//	digest                   the feature is its code, byte by byte
	//	python-string            the string hash of the blog tradition's Python code
	//	splitmix64-stream        the feature, a 64-bit hash, seeds a generator; bit 64·j+h
	//	                         of the code is bit h of output j
	//	splitmix64-transposed    the same, but bit 64·b+8·j+g is bit 8·g+j of output b
	Hash string
	// Key is the secret key of a keyed hash; nil means zero bytes.
	Key []byte
	// Encoding defines how an index is converted to bytes. Other systems accept only byte strings.
	Encoding fphash.Encoding
	// Framing defines the bytes that are added to a feature before hashing: "" means none, or
	//
	//	rust-string    a byte ff at the end, as Rust hashes a str
	//	rust-bytes     the length in front, as 8 little-endian bytes, as Rust hashes a
	//	               vector of bytes
	Framing string
	// Bits is the number of bits that features vote on. The fingerprint has Bits bits, rounded up
	// to whole bytes if BitOrder is not "".
	Bits int
	// Weights defines which weights are accepted and how they vote. Except for python, a weight is
	// added if the bit of the code is 1 and subtracted if it is 0, and a positive sum gives a 1:
	//
	//	""          accepts no weights: each occurrence of a feature counts once
	//	integers    accepts whole numbers, whose sums wrap around like int64
	//	rounded up  rounds fractions up to whole numbers
	//	float64     accepts all numbers, as float64
	//	python      accepts whole numbers and float64. A weight is added if the bit of the
	//	            code is 1. A sum of more than half of the total of all weights gives a 1.
	//	            Integers below 1 count only towards the total. There are no ties
	Weights string
	// Order is the order in which floating-point weights are summed.
	Order fphash.Order
	// Tie is the value of a bit of the fingerprint whose sum is zero.
	Tie fphash.Tie
	// BitOrder defines which bits of the hash become which bits of the fingerprint:
	//
	//	""             the low bits of the hash, which is a number
	//	last bytes     the last bytes of the hash, which is a digest, as a big-endian number
	//	first bytes    the first bytes of the digest, as a big-endian number
	BitOrder string
	// Inverted means that positive sums give 0 and negative sums give 1. Ties are not inverted, so
	// an inverted fingerprint is the complement of a plain one with the other tie rule.
	Inverted bool
	// Empty defines the fingerprint of a vector without features: "" means that all bits are ties,
	// "zeros" means zero bits regardless of the tie rule, and "refused" means the error ErrEmpty.
	Empty string
}

// The values of the fields Weights, Framing, BitOrder and Empty of a Convention.
const (
	unweighted    = ""
	wholeNumbers  = "integers"
	roundedUp     = "rounded up"
	floatNumbers  = "float64"
	pythonNumbers = "python"

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
// is not "".
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

// ErrEmpty is the error for a vector without features if the Convention refuses such vectors.
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
		{"weights", c.Weights, []string{unweighted, wholeNumbers, roundedUp, floatNumbers, pythonNumbers}},
		{"framing", c.Framing, []string{plainFraming, rustString, rustBytes}},
		{"bit order", c.BitOrder, []string{numberOrder, lastBytes, firstBytes}},
		{"rule for no features", c.Empty, []string{emptyByTie, emptyZero, emptyRefused}},
	} {
		if !slices.Contains(field.known, field.value) {
			return fail("%s %q, expected one of %q", field.name, field.value, field.known)
		}
	}
	switch {
	case c.Name == "" || strings.ContainsFunc(c.Name, badInName):
		return fmt.Errorf("conventions: name %q: expected letters, digits, '-', '_' and '.'", c.Name)
	case c.Bits < 1 || c.Bits > f.Bits:
		return fail("%d bits, expected 1 to %d, the bits of %s", c.Bits, f.Bits, c.Hash)
	case c.BitOrder != numberOrder && c.Bits%8 != 0 && !isStream(c.Hash):
		return fail("%d bits, expected a multiple of 8, since %s consists of bytes", c.Bits, c.Hash)
	case c.BitOrder == lastBytes && f.Bits%64 != 0:
		return fail("the last bytes of a hash of %d bits, expected a multiple of 64", f.Bits)
	case c.Weights == pythonNumbers && (c.Tie != fphash.TieZero || c.Inverted || c.BitOrder != lastBytes || f.Integer):
		return fail("Python's numbers require the last bytes of a digest, and ties that give 0")
	case c.Inverted && c.Tie == fphash.TieAlternate:
		return fail("inverted cannot be combined with ties that alternate")
	case c.Framing != plainFraming && c.Hash != sipHash64 && c.Hash != sipHash128:
		return fail("framing %v: expected only with %s and %s", c.Framing, sipHash64, sipHash128)
	}
	return nil
}

func badInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

func isStream(hash string) bool { return hash == stream || hash == transposed }

// Differences lists the differences between the Convention and the defaults of package fphash with
// the same hash. By default, weights have signed votes, ties and vectors without features give 0,
// and bit i of the fingerprint comes from bit i of the hash.
func (c Convention) Differences() (list []string) {
	if c.Framing != plainFraming {
		list = append(list, "bytes framed as "+c.Framing)
	}
	list = append(list, map[string]string{
		unweighted: "no weights", wholeNumbers: "whole weights", roundedUp: "weights rounded up", floatNumbers: "float64 in order",
		pythonNumbers: "half of the total of Python's numbers",
	}[c.Weights])
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

// presets lists the presets in the order of README.md, which describes them.
var presets = []Convention{
	{
		Name: "mfonda", System: "github.com/mfonda/simhash", Aliases: []string{"go-dedup", "gitchander"},
		Hash: "fnv1-64", Bits: 64, Weights: wholeNumbers, Tie: fphash.TieOne,
	},
	{
		Name: "gitchander-hashes", System: "github.com/gitchander/simhash, hashes of the caller's",
		Hash: "identity", Bits: 64, Weights: wholeNumbers, Tie: fphash.TieOne,
	},
	{
		Name: "go-simstore", System: "github.com/dgryski/go-simstore", Aliases: []string{"simstore"},
		Hash: "siphash", Bits: 64, Inverted: true,
	},
	{
		Name: "yanyiwu", System: "github.com/yanyiwu/simhash (cppjieba)",
		Hash: "lookup3", Bits: 64, Weights: floatNumbers, Order: fphash.Sequential,
	},
	{
		Name: "seomoz", System: "github.com/seomoz/simhash-cpp, hashes of the caller's",
		Hash: "identity", Bits: 64,
	},
	{
		Name: "1e0ng-64", System: "github.com/1e0ng/simhash (PyPI simhash)", Aliases: []string{"1e0ng"},
		Hash: "md5", Bits: 64, Weights: pythonNumbers, Order: fphash.Sequential, BitOrder: lastBytes,
	},
	{
		Name: "1e0ng-128", System: "github.com/1e0ng/simhash (PyPI simhash), f=128",
		Hash: "md5", Bits: 128, Weights: pythonNumbers, Order: fphash.Sequential, BitOrder: lastBytes,
	},
	{
		Name: "gaoya-64", System: "github.com/serega/gaoya, strings",
		Hash: "siphash", Framing: rustString, Bits: 64, Inverted: true,
	},
	{
		Name: "gaoya-128", System: "github.com/serega/gaoya, strings",
		Hash: "siphash-128", Framing: rustString, Bits: 128, Inverted: true,
	},
	{
		Name: "gaoya-bytes-64", System: "github.com/serega/gaoya, vectors of bytes",
		Hash: "siphash", Framing: rustBytes, Bits: 64, Inverted: true,
	},
	{
		Name: "gaoya-bytes-128", System: "github.com/serega/gaoya, vectors of bytes",
		Hash: "siphash-128", Framing: rustBytes, Bits: 128, Inverted: true,
	},
	{
		Name: "hash4j-simhash-v1", System: "com.dynatrace.hash4j SimHash, version 1",
		Hash: "splitmix64-stream", Bits: 64, Tie: fphash.TieAlternate, BitOrder: firstBytes, Empty: emptyRefused,
	},
	{
		Name: "hash4j-fastsimhash-v1", System: "com.dynatrace.hash4j FastSimHash, version 1",
		Hash: "splitmix64-transposed", Bits: 64, Tie: fphash.TieAlternate, BitOrder: firstBytes, Empty: emptyRefused,
	},
	{
		Name: "iscc", System: "ISO 24138 (ISCC) similarity hash, of byte strings",
		Hash: "blake3", Bits: 256, Tie: fphash.TieOne, BitOrder: firstBytes, Empty: emptyZero,
	},
	{
		Name: "iscc-digests", System: "ISO 24138 (ISCC) similarity hash, of digests",
		Hash: "digest", Bits: 256, Tie: fphash.TieOne, BitOrder: firstBytes, Empty: emptyZero,
	},
	{
		Name: "blog-go", System: "the Go code of the blog tradition, as intended",
		Hash: "fnv1a64", Bits: 64, Weights: floatNumbers, Order: fphash.Sequential,
	},
	{
		Name: "blog-python", System: "the Python code of the blog tradition",
		Hash: "python-string", Bits: 64, Weights: roundedUp,
	},
}

// All returns the presets.
func All() []Convention { return slices.Clone(presets) }

// Lookup returns the preset with the name or alias. The error for an unknown name lists all names.
func Lookup(name string) (Convention, error) {
	var names []string
	for _, c := range presets {
		if c.Name == name || slices.Contains(c.Aliases, name) {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Convention{}, fmt.Errorf("conventions: unknown convention %q; expected %s", name, strings.Join(names, ", "))
}

// Hashes that package fphash does not have, and the name of SipHash-2-4 in package families.
const (
	sipHash64    = "siphash"
	sipHash128   = "siphash-128"
	blake3Hash   = "blake3"
	digest       = "digest"
	pythonString = "python-string"
	stream       = "splitmix64-stream"
	transposed   = "splitmix64-transposed"
)

// ownFamily returns the hash if package fphash does not have it, including SipHash of framed
// features. Digests and generators have as many bits as the convention needs.
func (c Convention) ownFamily() (fphash.Family, bool) {
	switch {
	case c.Hash == sipHash128 || c.Hash == sipHash64 && c.Framing != plainFraming:
		f := fphash.Family{Name: c.Hash, Bits: 64, KeyBytes: sipHashKeyBytes}
		if c.Hash == sipHash128 {
			f.Bits = 128
		}
		if c.Framing != plainFraming {
			f.Name += "-" + c.Framing // fphash refuses another hash with the name of a registered one
		}
		f.New = func(k fphash.Key) (fphash.Hash, error) { return newSipHash(k.Bytes, f.Bits, c.Framing) }
		return f, true
	case c.Hash == blake3Hash:
		return fphash.FromFunc(c.Hash, 256, func(dst []uint64, data []byte) {
			sum := blake3.Sum256(data)
			putDigest(dst, sum[:])
		}), true
	case c.Hash == digest:
		return fphash.FromFunc(c.Hash, c.Bits, putDigest), true
	case c.Hash == pythonString:
		return fphash.FromFunc(c.Hash, 64, func(dst []uint64, data []byte) { dst[0] = hashPythonString(data) }), true
	case isStream(c.Hash):
		g := generators{bits: c.Bits, transposed: c.Hash == transposed}
		return fphash.Family{Name: c.Hash, Bits: c.Bits, Integer: true, New: func(fphash.Key) (fphash.Hash, error) { return g, nil }}, true
	}
	return fphash.Family{}, false
}

// putDigest stores a digest in dst as little-endian words. It truncates the digest, or pads it with
// zeros.
func putDigest(dst []uint64, data []byte) {
	for t := range dst {
		if len(data) < 8 {
			var last [8]byte
			copy(last[:], data)
			dst[t] = binary.LittleEndian.Uint64(last[:])
			return
		}
		dst[t], data = binary.LittleEndian.Uint64(data), data[8:]
	}
}

// generators hashes features with SplitMix64 generators. Each feature seeds a generator, and word t
// of its code is output t of the generator.
type generators struct {
	bits       int
	transposed bool // the bits of each output are transposed
}

// splitMix64Step is γ of SplitMix64, which is added to the state for each output.
const splitMix64Step = 0x9E3779B97F4A7C15

func (g generators) HashUint64s(dst, seeds []uint64) {
	n, words := len(seeds), (g.bits+63)/64
	for t := range words {
		outputs := dst[t*n : (t+1)*n]
		for i, seed := range seeds {
			outputs[i] = seed + uint64(t)*splitMix64Step
		}
		hashing.SplitMix64(outputs, outputs, 0)
		if g.transposed {
			for i, output := range outputs {
				outputs[i] = transpose(output)
			}
		}
		if unused := 64*(t+1) - g.bits; unused > 0 {
			for i := range outputs {
				outputs[i] &= ^uint64(0) >> unused
			}
		}
	}
}

// transpose moves bit 8·g+j to bit 8·j+g: it transposes a matrix of 8 by 8 bits.
func transpose(x uint64) uint64 {
	y := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= y ^ y<<7
	y = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= y ^ y<<14
	y = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ y ^ y<<28
}

const sipHashKeyBytes = 16

// sipHash is SipHash-2-4 of 64 or 128 bits under the key whose halves are k0 and k1.
type sipHash struct {
	k0, k1  uint64
	bits    int
	framing string
}

// newSipHash returns the hash function for a key.
func newSipHash(key []byte, bits int, framing string) (h sipHash, err error) {
	if key == nil {
		key = make([]byte, sipHashKeyBytes)
	}
	if len(key) != sipHashKeyBytes {
		return h, fmt.Errorf("key of %d bytes, expected %d", len(key), sipHashKeyBytes)
	}
	return sipHash{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]), bits, framing}, nil
}

func (h sipHash) HashBytes(dst []uint64, data []byte, ends []int) {
	n, start := len(ends), 0
	framed := make([]byte, 0, 128)
	for i, end := range ends {
		text := data[start:end]
		switch start = end; h.framing {
		case rustBytes:
			framed = append(binary.LittleEndian.AppendUint64(framed[:0], uint64(len(text))), text...)
			text = framed
		case rustString:
			framed = append(append(framed[:0], text...), 0xff)
			text = framed
		}
		if h.bits == 64 {
			dst[i] = siphash.Hash(h.k0, h.k1, text)
		} else {
			dst[i], dst[n+i] = siphash.Hash128(h.k0, h.k1, text)
		}
	}
}

func (h sipHash) HashUint64s(dst, integers []uint64) {
	data, ends := make([]byte, 0, 8*len(integers)), make([]int, len(integers))
	for i, k := range integers {
		data = binary.LittleEndian.AppendUint64(data, k)
		ends[i] = len(data)
	}
	h.HashBytes(dst, data, ends)
}

// hashPythonString returns the low 64 bits of the 128-bit code that the Python code of the blog
// tradition computes for a word. The upper bits do not affect the lower ones. Each byte that is not
// valid UTF-8 counts as one character U+FFFD; Python has no such strings.
func hashPythonString(word []byte) (x uint64) {
	if len(word) == 0 {
		return 0
	}
	const multiplier = 1000003
	first, _ := utf8.DecodeRune(word)
	x = uint64(first) << 7
	length := uint64(0)
	for len(word) > 0 {
		c, size := utf8.DecodeRune(word)
		x = x*multiplier ^ uint64(c)
		word = word[size:]
		length++
	}
	return x ^ length
}
