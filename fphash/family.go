package fphash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"simhashkit/asm/hashing"
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

// hashEach implements ByteHash.HashBytes for a hash of one word that hashes one key at a time.
func hashEach[H interface{ sum(key []byte) uint64 }](h H, dst []uint64, data []byte, ends []int) {
	start := 0
	for i, end := range ends {
		dst[i] = h.sum(data[start:end])
		start = end
	}
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

// Verify checks, with the active kernel, that the family matches its description.
//
// A batch must give the same codes as its keys one by one, and an integer the same code as its
// little-endian bytes. Bits above the width must be zero, and all words must be written. If
// Family.Verification is not 0, the verification code must equal it. Cost: under 10 ms for the
// built-in families.
func (f Family) Verify() error {
	code, err := f.VerificationCode()
	if err != nil {
		return err
	}
	if f.Verification != 0 && code != f.Verification {
		return fmt.Errorf("fphash: hash %s: verification code %#016x, expected %#016x", f.Name, code, f.Verification)
	}
	return nil
}

// VerificationCode hashes a fixed set of keys and condenses the codes to one number. The keys are
// small, spread and extreme integers, in batches of many sizes, and byte strings of 0 to 260 bytes,
// with the zero key and some other seeds or keys if the family takes them. It returns the errors of
// Verify, except that for a wrong verification code.
func (f Family) VerificationCode() (uint64, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	v := verifier{family: f}
	for _, k := range f.verificationKeys() {
		h, err := f.build(k)
		if err == nil {
			err = v.integers(h)
		}
		if b, ok := h.(ByteHash); ok && err == nil {
			err = v.strings(b)
		}
		if err != nil {
			return 0, err
		}
	}
	return v.code, nil
}

func (f Family) verificationKeys() []Key {
	keys := []Key{{}}
	switch {
	case f.Seeded:
		keys = append(keys, Key{Seed: 1}, Key{Seed: 1 << 63}, Key{Seed: 0x0123456789abcdef})
	case f.KeyBytes > 0:
		rising := make([]byte, f.KeyBytes)
		for i := range rising {
			rising[i] = byte(i)
		}
		keys = append(keys, Key{Seed: 1}, Key{Bytes: rising}, Key{Bytes: rising, Seed: ^uint64(0)})
	}
	return keys
}

// verifier hashes the fixed keys with one family.
type verifier struct {
	family Family
	code   uint64
}

// integers hashes batches of 1 to 513 integers.
func (v *verifier) integers(h Hash) error {
	next := uint64(0)
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 513} {
		keys := make([]uint64, n)
		for i := range keys {
			switch next++; next % 3 {
			case 0:
				keys[i] = hashing.Mix64(next)
			case 1:
				keys[i] = next
			default:
				keys[i] = -next
			}
		}
		if err := v.batch(h, keys); err != nil {
			return err
		}
	}
	return nil
}

// batch hashes integers in one call, one by one, and as bytes.
func (v *verifier) batch(h Hash, keys []uint64) error {
	passed := slices.Clone(keys)
	dst, other := v.room(len(keys)), make([]uint64, len(keys)*v.family.Words())
	h.HashUint64s(dst, passed)
	if !slices.Equal(passed, keys) {
		return v.errorf("it has modified its keys")
	}
	if h.HashUint64s(other, passed); !slices.Equal(dst, other) {
		return v.errorf("it does not write all words of dst")
	}
	if err := v.condense(dst, len(keys)); err != nil {
		return err
	}
	var data []byte
	var ends []int
	for i, key := range keys {
		code := v.room(1)
		h.HashUint64s(code, keys[i:i+1])
		if err := v.same(code, dst, i, len(keys)); err != nil {
			return v.errorf("key %#x alone and in a batch of %d: %w", key, len(keys), err)
		}
		data = binary.LittleEndian.AppendUint64(data, key)
		ends = append(ends, len(data))
	}
	if b, ok := h.(ByteHash); ok {
		codes := v.room(len(keys))
		clear(codes[len(codes)/2:]) // old contents must not matter
		if b.HashBytes(codes, data, ends); !slices.Equal(codes, dst) {
			return v.errorf("%d integers and their little-endian bytes have different codes", len(keys))
		}
	}
	return nil
}

// strings hashes byte strings of 0 to 260 bytes, in one call and one by one.
func (v *verifier) strings(h ByteHash) error {
	const longest = 260
	var data []byte
	var ends []int
	for n := range longest + 1 {
		for i := range n {
			data = append(data, byte(hashing.Mix64(uint64(n*1000+i))))
		}
		ends = append(ends, len(data))
	}
	dst, other := v.room(len(ends)), make([]uint64, len(ends)*v.family.Words())
	h.HashBytes(dst, data, ends)
	if h.HashBytes(other, data, ends); !slices.Equal(dst, other) {
		return v.errorf("it does not write all words of dst")
	}
	for n, end := range ends {
		code := v.room(1)
		h.HashBytes(code, data[end-n:end], []int{n})
		if err := v.same(code, dst, n, len(ends)); err != nil {
			return v.errorf("key of %d bytes alone and in a batch of %d: %w", n, len(ends), err)
		}
	}
	return v.condense(dst, len(ends))
}

// room returns memory for the codes of n keys, filled with ones to detect words that a hash does
// not write.
func (v *verifier) room(n int) []uint64 {
	return slices.Repeat([]uint64{^uint64(0)}, n*v.family.Words())
}

// same compares the code of one key with code i of n.
func (v *verifier) same(one, all []uint64, i, n int) error {
	for t, word := range one {
		if all[t*n+i] != word {
			return fmt.Errorf("word %d of the code is %#016x and %#016x", t, word, all[t*n+i])
		}
	}
	return nil
}

// condense adds the codes of n keys to the verification code.
func (v *verifier) condense(codes []uint64, n int) error {
	for _, word := range codes[len(codes)-n:] {
		if word&^lastWordMask(v.family.Bits) != 0 {
			return v.errorf("a code has bits above the width of %d bits", v.family.Bits)
		}
	}
	for _, word := range codes {
		v.code = hashing.Mix64(v.code+word) + 1
	}
	return nil
}

func (v *verifier) errorf(format string, args ...any) error {
	return fmt.Errorf("fphash: hash "+v.family.Name+": "+format, args...)
}
