package fphash

import (
	"fmt"
	"math/bits"

	"simhashkit/asm/hashing"
)

// A chunk of features is hashed at a time: few enough that the codes are still in the L1 cache when the weights are added, and so many that a call's
// cost does not count. It is a multiple of 4, so that groups never straddle chunks.
const (
	chunkWords = 512 // of codes, if that is at least...
	chunkLeast = 32  // ...so many codes
)

// coder turns indices into codes. It holds scratch, so that nothing is allocated on the way and the caller's slices do not escape.
type coder struct {
	*definition
	chunk int      // how many indices can be hashed at a time
	codes []uint64 // room for their codes
	keys  []uint64 // room for them, widened or byte-swapped
	text  []byte   // room for them as text
	ends  []int    // where each ends in text
}

// newCoder returns a coder of chunks of at most limit indices.
func newCoder(d *definition, limit int) coder {
	c := coder{definition: d, chunk: min(max(chunkWords/d.codeWords&^7, chunkLeast), limit)}
	c.codes = make([]uint64, c.chunk*d.codeWords)
	c.keys = make([]uint64, c.chunk)
	if d.encoding == Dec {
		const longest = 20 // digits of 2^64-1
		c.text = make([]byte, 0, c.chunk*longest)
		c.ends = make([]int, c.chunk)
	}
	return c
}

// encode hashes at most c.chunk indices. Word t of the code of index i is at [t·n+i], n being the number of indices; it stays there until the next
// call.
func encode[I Index](c *coder, indices []I) []uint64 {
	dst := c.codes[:len(indices)*c.codeWords]
	keys, wide := any(indices).([]uint64)
	if wide && c.encoding == LE64 {
		c.hashIntegers(dst, keys)
		return dst
	}
	if c.encoding == Dec {
		text, ends := c.text[:0], c.ends[:len(indices)]
		for i, index := range indices {
			text = Dec.AppendKey(text, uint64(index))
			ends[i] = len(text)
		}
		c.bytes.HashKeys(dst, text, ends)
		return dst
	}
	keys = c.keys[:len(indices)]
	for i, index := range indices {
		keys[i] = uint64(index)
	}
	if c.encoding == BE64 { // the hash of the big-endian bytes is the hash of the little-endian bytes of the number read backwards
		for i, key := range keys {
			keys[i] = bits.ReverseBytes64(key)
		}
	}
	c.hashIntegers(dst, keys)
	return dst
}

// kernelCall says which kernel is the definition's hash.
type kernelCall uint8

const (
	callInterface kernelCall = iota // none: the hash's own method
	callXXH64
	callSplitMix64
	callFNV1a
	callFNV1
)

// kernelOf returns the kernel that is h, and the seed to call it with.
func kernelOf(h Hash) (call kernelCall, seed uint64) {
	switch h := h.(type) {
	case xxh64:
		return callXXH64, h.seed
	case splitMix64:
		return callSplitMix64, h.seed
	case fnv1a:
		return callFNV1a, 0
	case fnv1:
		return callFNV1, 0
	}
	return callInterface, 0
}

// hashIntegers calls kernels directly: through an interface, the compiler would have to assume that the caller's keys are kept, which would move them
// to the heap. So other hashes get a copy, which costs little beside them.
func (c *coder) hashIntegers(dst, keys []uint64) {
	switch c.call {
	case callXXH64:
		hashing.XXH64(dst, keys, c.callSeed)
	case callSplitMix64:
		hashing.SplitMix64(dst, keys, c.callSeed)
	case callFNV1a:
		hashing.FNV1a(dst, keys)
	case callFNV1:
		hashing.FNV1(dst, keys)
	default:
		copied := c.keys[:len(keys)]
		copy(copied, keys)
		c.hash.HashUint64s(dst, copied)
	}
}

func errNoBytes(name string) error {
	return fmt.Errorf("fphash: hash %s takes integers only (it is no ByteHash); encoding %v is for hashes of bytes", name, Dec)
}
