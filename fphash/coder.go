package fphash

import (
	"fmt"
	"math/bits"
	"reflect"

	"simhashkit/asm/accumulate"
)

// A chunk of features is hashed at a time: few enough that the codes are still in the L1 cache when
// the weights are added (in L2 where codes are wider than 2048 bits), and enough that a call's
// cost does not count. It is a multiple of 4, so that groups never straddle chunks.
const (
	chunkWords = 512 // of codes, if that is at least...
	chunkLeast = 128 // ...this many codes: most documents are one chunk, also where codes are wide
)

// keptText is the greatest room for byte strings, in bytes, that is kept for the next call: words
// take a hundredth of it, and one huge key should not hold its memory for ever.
const keptText = 1 << 20

// coder turns features into codes. It holds scratch, so that nothing is allocated on the way and
// the caller's slices do not escape.
type coder struct {
	*definition
	chunk int      // how many features can be hashed at a time
	codes []uint64 // room for their codes
	// of each word, of vectors with unit weights that are longer than a chunk
	counters []accumulate.UnitCounter
	narrow   []int32  // room for weights
	wide     []int64  // room for weights that int32 does not hold
	keys     []uint64 // room for indices, as 64 bits or byte-swapped
	text     []byte   // room for indices as digits, and for byte strings
	ends     []int    // where each of them ends in text
}

// chunkOf returns how many features of vectors of any length are best hashed at a time.
func chunkOf(d *definition) int { return max(chunkWords/d.codeWords&^7, chunkLeast) }

// newCoder returns a coder of chunks of that many features.
func newCoder(d *definition, chunk int) coder {
	c := coder{definition: d, chunk: chunk}
	c.codes = make([]uint64, c.chunk*d.codeWords)
	c.keys = make([]uint64, c.chunk)
	c.counters = make([]accumulate.UnitCounter, d.words)
	c.narrow, c.wide = make([]int32, c.chunk), make([]int64, c.chunk)
	if d.bytes != nil {
		// byte strings that are longer on average make it grow
		c.text = make([]byte, 0, c.chunk*maxDigits+written)
		c.ends = make([]int, c.chunk)
	}
	return c
}

// encode hashes at most c.chunk features. Word t of the code of feature i is at [t·n+i], n being
// the number of features; it stays there until the next call.
func (c *coder) encode(features column) []uint64 {
	dst := c.codes[:features.len*c.codeWords]
	switch {
	case features.kind == reflect.Uint64 && c.encoding == LE64:
		c.hashIntegers(dst, elements[uint64](features))
	case features.kind == reflect.Uint64:
		encodeIndices(c, dst, elements[uint64](features))
	case features.kind == reflect.Uint32:
		encodeIndices(c, dst, elements[uint32](features))
	default:
		c.hashKeys(dst, features)
	}
	return dst
}

// encodeIndices hashes indices that do not enter the hash as they are.
func encodeIndices[I uint32 | uint64](c *coder, dst []uint64, indices []I) {
	if c.encoding == Dec {
		ends := c.ends[:len(indices)]
		c.text = appendDigits(c.text[:0], ends, indices)
		c.bytes.HashBytes(dst, c.text, ends)
		return
	}
	keys := c.keys[:len(indices)]
	for i, index := range indices {
		keys[i] = uint64(index)
	}
	// the hash of the big-endian bytes is the hash of the little-endian bytes of the number read
	// backwards
	if c.encoding == BE64 {
		for i, key := range keys {
			keys[i] = bits.ReverseBytes64(key)
		}
	}
	c.hashIntegers(dst, keys)
}

// hashKeys hashes byte strings.
func (c *coder) hashKeys(dst []uint64, keys column) {
	if h, ok := c.hash.(xxh64); ok {
		h.hashKeys(dst, keys)
	} else if keys.kind == reflect.String {
		encodeKeys(c, dst, elements[string](keys))
	} else {
		encodeKeys(c, dst, elements[[]byte](keys))
	}
}

// encodeKeys hashes byte strings of a hash that takes them in a batch. They are copied one behind
// the other, as a batch function takes them, which also keeps the caller's from escaping.
func encodeKeys[K string | []byte](c *coder, dst []uint64, keys []K) {
	text, ends := c.text[:0], c.ends[:len(keys)]
	for i, key := range keys {
		text = append(text, key...)
		ends[i] = len(text)
	}
	c.bytes.HashBytes(dst, text, ends)
	if c.text = text; cap(text) > keptText {
		c.text = nil
	}
}

// errNoBytes says that the hash does not do for what takes byte strings.
func (d *definition) errNoBytes(what string) error {
	return fmt.Errorf("fphash: hash %s takes integers only (it is no ByteHash); %s for hashes of bytes", d.family.Name, what)
}

// checkFeatures reports features that the hash does not take.
func (d *definition) checkFeatures(kind reflect.Kind) error {
	if d.bytes == nil && isBytes(kind) { // seldom, and asked first, since it costs less
		return d.errNoBytes("byte strings are")
	}
	return nil
}
