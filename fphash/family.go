package fphash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// MaxBits is the maximum width of a code and of a fingerprint.
const MaxBits = 4096

// Hash converts integers to codes, many at a time.
//
// For n integers and codes of b bits, dst has n·ceil(b/64) words. Word t of the code of integer i
// goes to dst[t·n+i], so the first words of all codes come first. A Hash must write all words, with
// zeros above the width. It must not change its input, and must not retain its input or dst. It
// must be safe for concurrent use.
type Hash interface {
	// HashUint64s hashes the 8 little-endian bytes of each integer. The
	// hash of an Integer family hashes the integer itself.
	HashUint64s(dst, integers []uint64)
}

// ByteHash is a Hash that also takes byte strings. A string of 8 bytes has the same code as the
// integer with these little-endian bytes.
type ByteHash interface {
	Hash
	// HashBytes hashes len(ends) byte strings, which are concatenated in
	// data: string 0 is data[:ends[0]], and string i is
	// data[ends[i-1]:ends[i]].
	HashBytes(dst []uint64, data []byte, ends []int)
}

// Key selects one function of a seeded or keyed family. The zero Key is seed 0, or a key of zero
// bytes.
type Key struct {
	// Seed is the seed of a seeded family. For a keyed family, it is added
	// to the first 8 bytes of the key, read as a little-endian number.
	Seed  uint64
	Bytes []byte // the key of a keyed family; nil means zero bytes
}

// material returns the key of n bytes for k.
func (k Key) material(n int) ([]byte, error) {
	if k.Bytes != nil && len(k.Bytes) != n {
		return nil, fmt.Errorf("key of %d bytes, expected %d", len(k.Bytes), n)
	}
	b := make([]byte, n)
	copy(b, k.Bytes)
	if k.Seed != 0 {
		var first [8]byte
		copy(first[:], b)
		binary.LittleEndian.PutUint64(first[:], binary.LittleEndian.Uint64(first[:])+k.Seed)
		copy(b, first[:])
	}
	return b, nil
}

// Family describes a hash function, or a seeded or keyed family of them, by name.
type Family struct {
	Name   string // letters, digits, '-', '_' and '.', as in "xxh64"
	Bits   int    // width of a code, 1 to MaxBits
	Seeded bool   // takes a 64-bit seed
	// KeyBytes is the length of the key in bytes, or 0 if the family takes
	// no key. A keyed family is not Seeded: its seed modifies its key; see
	// Key.
	KeyBytes int
	// Integer says that the hash takes the integers themselves. It takes no
	// byte strings, and no encoding except LE64, which has no effect.
	Integer bool

	// New returns the function that a key selects.
	New func(Key) (Hash, error)

	// Verification is the result of VerificationCode for the correct
	// implementation, or 0 if it is unknown. Verify checks it, so that a
	// name always means the same function.
	Verification uint64
	// Refused lists the widenings that the hash supports but that make bits
	// of different blocks repeat, complement each other or correlate. New
	// returns an error for them.
	Refused []Widen

	registered bool // registered by Register, or built in
}

// Words returns the number of words of a code: ceil(Bits/64).
func (f Family) Words() int { return wordsFor(f.Bits) }

// check returns an error if the family cannot be used.
func (f Family) check() error {
	switch {
	case f.Name == "" || strings.ContainsFunc(f.Name, badInName):
		return fmt.Errorf("fphash: hash name %q: expected letters, digits, '-', '_' and '.', because names are used in flags and benchmark names", f.Name)
	case f.Bits < 1 || f.Bits > MaxBits:
		return fmt.Errorf("fphash: hash %s: width of %d bits, expected 1 to %d", f.Name, f.Bits, MaxBits)
	case f.KeyBytes < 0 || f.Seeded && f.KeyBytes > 0:
		return fmt.Errorf("fphash: hash %s: takes a seed or a key of a positive length, not both", f.Name)
	case f.New == nil:
		return fmt.Errorf("fphash: hash %s: has no New", f.Name)
	}
	return nil
}

func badInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

// build returns the function that k selects, after checking that the family takes such a key.
func (f Family) build(k Key) (Hash, error) {
	var err error
	switch {
	case f.KeyBytes == 0 && k.Bytes != nil:
		return nil, fmt.Errorf("fphash: hash %s takes no key", f.Name)
	case f.KeyBytes == 0 && !f.Seeded && k.Seed != 0:
		return nil, fmt.Errorf("fphash: hash %s takes no seed", f.Name)
	case f.KeyBytes > 0:
		k.Bytes, err = k.material(f.KeyBytes)
		k.Seed = 0
	}
	var h Hash
	if err == nil {
		h, err = f.New(k)
	}
	if err == nil && h == nil {
		err = errors.New("New returned nothing")
	}
	if err != nil {
		return nil, fmt.Errorf("fphash: hash %s: %w", f.Name, err)
	}
	return h, nil
}

// wordsFor returns the number of words for the given number of bits.
func wordsFor(bits int) int { return (bits + 63) / 64 }

// lastWordMask returns a mask of the bits of the last word that are within the width.
func lastWordMask(bits int) uint64 { return ^uint64(0) >> (-uint(bits) % 64) }

// FromFunc returns a family with a single function: your own hash of one byte string.
//
// sum stores the code of data in dst, which has ceil(bits/64) words, all zero. Bits above the width
// are dropped. sum must be safe for concurrent use and must not retain its arguments. It receives
// an index as 8 little-endian bytes, unless the definition says otherwise. Use the result with
// WithFamily, or by name after Register. For a function that hashes many features at a time,
// implement ByteHash (or Hash) and fill in a Family. Cost: one call of sum per feature, and no
// allocation.
func FromFunc(name string, bits int, sum func(dst []uint64, data []byte)) Family {
	return Family{Name: name, Bits: bits, New: func(Key) (Hash, error) {
		if sum == nil {
			return nil, errors.New("FromFunc was given no function")
		}
		words := wordsFor(bits)
		h := &oneByOne{sum: sum, mask: lastWordMask(bits)}
		h.scratch.New = func() any { return &oneKey{code: make([]uint64, words)} }
		return h, nil
	}}
}

// oneByOne is a ByteHash for a function that hashes one key.
type oneByOne struct {
	sum     func(dst []uint64, key []byte)
	mask    uint64
	scratch sync.Pool
}

// oneKey holds the arguments of sum. It comes from a pool, because the compiler must assume that
// sum retains them.
type oneKey struct {
	key  [8]byte
	code []uint64
}

func (h *oneByOne) HashUint64s(dst, keys []uint64) {
	one := h.scratch.Get().(*oneKey)
	for i, k := range keys {
		binary.LittleEndian.PutUint64(one.key[:], k)
		h.put(dst, len(keys), i, one.code, one.key[:])
	}
	h.scratch.Put(one)
}

func (h *oneByOne) HashBytes(dst []uint64, data []byte, ends []int) {
	one := h.scratch.Get().(*oneKey)
	start := 0
	for i, end := range ends {
		h.put(dst, len(ends), i, one.code, data[start:end:end])
		start = end
	}
	h.scratch.Put(one)
}

func (h *oneByOne) put(dst []uint64, n, i int, code []uint64, key []byte) {
	clear(code)
	h.sum(code, key)
	code[len(code)-1] &= h.mask
	for t, word := range code {
		dst[t*n+i] = word
	}
}
