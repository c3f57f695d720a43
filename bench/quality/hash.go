package quality

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"simhashkit/fphash"
)

// Codes computes the codes of many keys: with n keys and codes of b bits, dst has n·ceil(b/64)
// words, and word t of the code of key i goes to dst[t·n+i]. Bits above the width must be zero. The
// function must not change keys and must not retain the slices.
type Codes func(dst, keys []uint64) error

// Hash is a hash under test.
type Hash struct {
	Name     string // as in "fnv1a64"
	Encoding string // le64, be64 or dec; "" for a function of the index
	Bits     int    // width of codes and fingerprints, 1 to fphash.MaxBits
	Seeded   bool   // whether New makes different functions from different seeds

	// New returns a function for one goroutine. The seed is 0 unless Seeded.
	New func(seed uint64) (Codes, error)

	// Entries is set for stored hyperplanes, whose entries are real numbers. It returns the entries
	// for n keys: those of key i are the bits numbers from i·bits on. Their codes are the signs of
	// the entries, and serve to test bits.
	Entries func(seed uint64, n, bits int) []float32
}

// OfFamily returns a family of package fphash as a hash of encoded indices. bits is the width of
// codes, at least 64 for MinHash. It fails if fphash.New fails.
func OfFamily(family fphash.Family, encoding fphash.Encoding, bits int, widen fphash.Widen) (Hash, error) {
	// New validates all arguments.
	if _, err := fphash.New(fphash.Definition{Encoding: encoding, Bits: bits, Widen: widen}, fphash.WithFamily(family)); err != nil {
		return Hash{}, fmt.Errorf("quality: %w", err)
	}
	return ofFamily(family, bits, widen, encoding.String(), func(hash fphash.Hash) (func(dst, keys []uint64), error) { return Encoded(hash, encoding) })
}

// OfListedKeys returns a hash whose key i is the byte string list[i]. For the pattern "words", list
// is KeysOf("words"), and so on. For your own list, the pattern is "keys" with ListedKeys:
// len(list). It fails if OfFamily would fail, or if the family hashes only integers. Codes of keys
// beyond the list are errors.
func OfListedKeys(family fphash.Family, bits int, widen fphash.Widen, list []string) (Hash, error) {
	h, err := ofFamily(family, bits, widen, "", func(hash fphash.Hash) (func(dst, keys []uint64), error) {
		return overBytes(hash, func(dst []byte, key uint64) []byte { return append(dst, list[key]...) })
	})
	newCodes := h.New
	h.New = func(seed uint64) (Codes, error) {
		codes, err := newCodes(seed)
		return func(dst, keys []uint64) error {
			if len(keys) > 0 && slices.Max(keys) >= uint64(len(list)) {
				return fmt.Errorf("quality: key %d of a list of %d strings", slices.Max(keys), len(list))
			}
			return codes(dst, keys)
		}, err
	}
	return h, err
}

// ofFamily returns a family of package fphash as a hash. encoded turns its functions into functions
// of keys.
func ofFamily(family fphash.Family, bits int, widen fphash.Widen, encoding string, encoded func(fphash.Hash) (func(dst, keys []uint64), error)) (Hash, error) {
	wide, err := family.Widen(widen, bits)
	if err != nil {
		return Hash{}, fmt.Errorf("quality: %w", err)
	}
	return Hash{
		Name: wide.Name, Encoding: encoding, Bits: bits, Seeded: wide.Seeded || wide.KeyBytes > 0,
		New: func(seed uint64) (Codes, error) {
			key := fphash.Key{Seed: seed}
			if wide.KeyBytes > 0 { // the key begins with the seed
				key = fphash.Key{Bytes: make([]byte, max(wide.KeyBytes, 8))}
				binary.LittleEndian.PutUint64(key.Bytes, seed)
				key.Bytes = key.Bytes[:wide.KeyBytes]
			}
			function, err := wide.New(key)
			if err != nil {
				return nil, fmt.Errorf("quality: %w", err)
			}
			codes, err := encoded(function)
			if err != nil {
				return nil, err
			}
			return narrowed(codes, wide.Bits, bits), nil
		},
	}, nil
}

// OfFunc returns a Hash for your own function of the index. It is never called concurrently. If it
// returns an error, the measurement fails.
func OfFunc(name string, bits int, codes Codes) Hash {
	var one sync.Mutex
	serial := func(dst, keys []uint64) error {
		one.Lock()
		defer one.Unlock()
		return codes(dst, keys)
	}
	return Hash{Name: name, Bits: bits, New: func(uint64) (Codes, error) { return serial, nil }}
}

// Encoded returns a function that encodes indices and hashes them. It keeps buffers, so it is not
// safe for concurrent use.
func Encoded(hash fphash.Hash, encoding fphash.Encoding) (func(dst, keys []uint64), error) {
	switch encoding {
	case fphash.LE64:
		return hash.HashUint64s, nil
	case fphash.BE64:
		var swapped []uint64
		return func(dst, keys []uint64) {
			swapped = swapped[:0]
			for _, k := range keys {
				swapped = append(swapped, bits.ReverseBytes64(k))
			}
			hash.HashUint64s(dst, swapped)
		}, nil
	}
	return overBytes(hash, encoding.AppendIndex)
}

// overBytes returns a function that hashes the byte strings that appendKey makes of keys.
func overBytes(hash fphash.Hash, appendKey func(dst []byte, key uint64) []byte) (func(dst, keys []uint64), error) {
	byteHash, ok := hash.(fphash.ByteHash)
	if !ok {
		return nil, errors.New("quality: the hash takes only integers, not byte strings")
	}
	var data []byte
	var ends []int
	return func(dst, keys []uint64) {
		data, ends = data[:0], ends[:0]
		for _, k := range keys {
			data = appendKey(data, k)
			ends = append(ends, len(data))
		}
		byteHash.HashBytes(dst, data, ends)
	}, nil
}

func narrowed(codes func(dst, keys []uint64), from, to int) Codes {
	words, wanted := wordsOf(from), wordsOf(to)
	if from == to {
		return func(dst, keys []uint64) error { codes(dst, keys); return nil }
	}
	var wide []uint64
	return func(dst, keys []uint64) error {
		n := len(keys)
		if len(wide) < words*n {
			wide = make([]uint64, words*n)
		}
		codes(wide[:words*n], keys)
		copy(dst, wide[:wanted*n])
		last := dst[(wanted-1)*n : wanted*n]
		for i := range last {
			last[i] &= ^uint64(0) >> (-uint(to) % 64)
		}
		return nil
	}
}

func (h *Hash) check() error {
	switch {
	case h.New == nil:
		return errors.New("quality: hash has no New")
	case h.Bits < 1 || h.Bits > fphash.MaxBits:
		return fmt.Errorf("quality: hash %s: width of %d bits, expected 1 to %d", h.Name, h.Bits, fphash.MaxBits)
	}
	return nil
}

func wordsOf(bits int) int { return (bits + 63) / 64 }
