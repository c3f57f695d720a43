package fphash

import (
	"encoding/binary"
	"errors"
	"sync"
)

// FromFunc returns a family of one function, for a hash of the user's own that takes one byte
// string at a time.
//
// sum stores the code of data in dst, which has ceil(bits/64) words and is all zero; bits above the
// width are dropped. sum must be safe for concurrent use and must not keep its arguments. An index
// reaches it as bytes, 8 little-endian ones unless WithEncoding says otherwise. The result can be
// used by WithFamily at once, or by name after Register. For a function that hashes many features
// at a time, implement ByteHash (or Hash) and fill in a Family. Cost: one call of sum per feature,
// and no allocation.
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

// oneByOne makes a ByteHash of a function of one key.
type oneByOne struct {
	sum     func(dst []uint64, key []byte)
	mask    uint64
	scratch sync.Pool
}

// oneKey holds what goes to sum and comes from it. It comes from a pool because the compiler cannot
// know that sum does not keep it.
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
