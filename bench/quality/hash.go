package quality

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"simhashkit/fphash"
)

// Codes computes the codes of many keys: with n keys and codes of b bits, dst has n·ceil(b/64)
// words, and word t of the code of key i goes to dst[t·n+i]. Bits above the width must be zero. The
// function must not change keys, and must keep neither slice.
type Codes func(dst, keys []uint64) error

// Hash is a hash under test.
type Hash struct {
	Name     string // as in "fnv1a64"
	Encoding string // le64, be64, dec; "" for a function of the index
	Bits     int    // width of a code and of the fingerprints, 1 to fphash.MaxBits
	Seeded   bool   // New makes different functions from different seeds

	New func(seed uint64) (Codes, error) // seed 0 if there is none; a function is for one goroutine
}

// OwnEncoding is the encoding of a hash that is a function of the index itself.
const OwnEncoding = ""

// OfFamily returns a hash of package fphash that hashes encoded indices to codes of that width. It
// fails if fphash.New does.
func OfFamily(family fphash.Family, encoding fphash.Encoding, bits int, widen fphash.Widen) (Hash, error) {
	// Making a Sketcher checks all choices.
	if _, err := fphash.New(fphash.WithFamily(family), fphash.WithEncoding(encoding), fphash.WithBits(bits), fphash.WithWiden(widen)); err != nil {
		return Hash{}, fmt.Errorf("quality: %w", err)
	}
	return ofFamily(family, bits, widen, encoding.String(), func(hash fphash.Hash) (func(dst, keys []uint64), error) { return Encoded(hash, encoding) })
}

// OfListedKeys returns a hash whose key i is the byte string list[i], for the pattern ListedKeys.
// It fails if OfFamily would fail, or if the family hashes only integers.
func OfListedKeys(family fphash.Family, bits int, widen fphash.Widen, list []string) (Hash, error) {
	return ofFamily(family, bits, widen, OwnEncoding, func(hash fphash.Hash) (func(dst, keys []uint64), error) {
		return overBytes(hash, func(dst []byte, key uint64) []byte { return append(dst, list[key]...) })
	})
}

// ofFamily returns a hash of package fphash; encoded turns it into a function of keys.
func ofFamily(family fphash.Family, bits int, widen fphash.Widen, encoding string, encoded func(fphash.Hash) (func(dst, keys []uint64), error)) (Hash, error) {
	wide, err := family.Widen(widen, bits)
	if err != nil {
		return Hash{}, fmt.Errorf("quality: %w", err)
	}
	return Hash{
		Name: wide.Name, Encoding: encoding, Bits: bits, Seeded: wide.Seeded || wide.KeyBytes > 0,
		New: func(seed uint64) (Codes, error) {
			key := fphash.Key{Seed: seed}
			if wide.KeyBytes > 0 { // a seed modifies the key
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

// OfFunc returns a Hash for your own function. Calls are never concurrent. An error ends the
// measurement.
func OfFunc(name string, bits int, codes Codes) Hash {
	var one sync.Mutex
	serial := func(dst, keys []uint64) error {
		one.Lock()
		defer one.Unlock()
		return codes(dst, keys)
	}
	return Hash{Name: name, Encoding: OwnEncoding, Bits: bits, New: func(uint64) (Codes, error) { return serial, nil }}
}

// Encoded returns the hash of encoded indices. The returned function keeps buffers, so it is not
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

// overBytes returns the hash of keys in the form that appendKey writes.
func overBytes(hash fphash.Hash, appendKey func(dst []byte, key uint64) []byte) (func(dst, keys []uint64), error) {
	byteHash, ok := hash.(fphash.ByteHash)
	if !ok {
		return nil, errors.New("quality: hash takes integers only, no byte strings")
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
