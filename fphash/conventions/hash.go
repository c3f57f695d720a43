package conventions

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/dchest/siphash"
	"github.com/zeebo/blake3"

	"simhashkit/asm/hashing"
	"simhashkit/fphash"
)

// Hashes that package fphash does not have, and the name of SipHash-2-4 there.
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
