package fphash

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"simhashkit/asm/hashing"
)

// Widen is the way to compute further bits if a fingerprint is wider than the hash. With a hash of
// w bits, block b is the bits b·w to b·w+w-1, without gaps; block 0 is always the plain hash.
type Widen uint8

// The widenings.
const (
	// WidenNone makes a larger width an error; it is the default.
	WidenNone Widen = iota
	// WidenReseed computes block b by the hash with seed + b. For a keyed
	// hash, b is added to the first 8 bytes of the key, read as a
	// little-endian number. Both sums wrap. It is for seeded and keyed
	// hashes, and costs one more hash for each block.
	WidenReseed
	// WidenCounter computes block b ≥ 1 as the hash of the feature's bytes
	// followed by the byte b, so there are at most 256 blocks. It is for
	// hashes in which the last byte changes all bits of the code, so not
	// for FNV and CRC. It costs one more hash for each block; only md5,
	// sha1 and sha256 have kernels for it.
	WidenCounter
	// WidenMix computes word t from w/64 on as mix(word t mod w/64 + t·γ),
	// with the finaliser and increment of SplitMix64. It is for hashes
	// whose width is a multiple of 64, even weak ones. It costs little for
	// indices, and more for byte strings. It adds no entropy: indices with
	// equal plain codes also have equal wide codes.
	WidenMix
)

var widenNames = [...]string{WidenNone: "none", WidenReseed: "reseed", WidenCounter: "counter", WidenMix: "mix"}

// counterBlocks is the number of blocks that one byte can count.
const counterBlocks = 256

// String returns the widening's name: none, reseed, counter or mix.
func (w Widen) String() string { return nameOf(w, widenNames[:], "Widen") }

// Widen returns a family with codes of the given width, made from f with the widening w. It takes
// f's seeds and keys. Its name is composed of both names, as in "xxh64-mix". If f is wide enough,
// Widen returns f.
//
// It returns an error if bits is not in the range 1 to MaxBits or if f does not support w. Whether
// f takes byte strings is checked only when a function of the new family is built. The constants of
// type Widen document the cost of each widening. A width that is not a multiple of 64 costs a few
// more operations per word.
func (f Family) Widen(w Widen, bits int) (Family, error) {
	if err := cmp.Or(f.check(), checkBits(bits), known(w, widenNames[:], "widening")); err != nil {
		return Family{}, err
	}
	if why := f.unsuited(w); why != "" {
		return Family{}, fmt.Errorf("fphash: widening %v does not suit %s: %s; use %s", w, f.Name, why, f.instead())
	}
	blocks := (bits + f.Bits - 1) / f.Bits
	switch {
	case blocks == 1:
		return f, nil
	case w == WidenNone:
		return Family{}, fmt.Errorf("fphash: code is %d bits wide, %d wanted; %s", f.Bits, bits, widthAdvice(f, bits))
	case w == WidenCounter && blocks > counterBlocks:
		return Family{}, fmt.Errorf("fphash: widening counter: %d bits are %d blocks of %s, but one byte counts %d", bits, blocks, f.Name, counterBlocks)
	}
	wide := Family{Name: f.Name + "-" + w.String(), Bits: bits, Seeded: f.Seeded, KeyBytes: f.KeyBytes, Integer: f.Integer}
	wide.New = func(k Key) (Hash, error) { return newWidened(f, w, k, bits) }
	return wide, nil
}

// Widenings returns the widenings that f supports, in the order of their constants, without
// WidenNone. For your own hash, it does not check that the hash takes byte strings; that is checked
// when the hash is used.
func (f Family) Widenings() []Widen {
	var ways []Widen
	for w := WidenReseed; int(w) < len(widenNames); w++ {
		if f.unsuited(w) == "" {
			ways = append(ways, w)
		}
	}
	return ways
}

// unsuited returns the reason why f does not support w, or "" if it does.
func (f Family) unsuited(w Widen) string {
	switch {
	case w == WidenReseed && !f.Seeded && f.KeyBytes == 0:
		return "the hash takes neither a seed nor a key"
	case w == WidenCounter && f.Integer:
		return "the hash takes integers, to which no byte can be appended"
	case slices.Contains(f.Refused, w):
		return "with this hash, bits of different blocks repeat, complement each other or correlate"
	case w == WidenMix && f.Bits%64 != 0:
		return fmt.Sprintf("it works on whole words, and a code has %d bits", f.Bits)
	}
	return ""
}

// instead returns what to use instead of an unsupported widening.
func (f Family) instead() string {
	if names := f.wideningNames(); len(names) > 0 {
		return strings.Join(names, " or ")
	}
	return "a wider hash"
}

// wideningNames returns the names of the widenings that f supports.
func (f Family) wideningNames() (names []string) {
	for _, w := range f.Widenings() {
		names = append(names, w.String())
	}
	return names
}

// widened is a hash made from a narrower one. It computes codes block by block.
type widened struct {
	widen     Widen
	bits      int // of the code
	words     int // of the code
	blockBits int
	perBlock  int // words of a block

	plain  Hash   // of block 0
	others []Hash // hashes of the blocks from 1 on; none with WidenMix

	scratch sync.Pool // of *blockScratch
}

// countedHash is a hash with kernels for integers followed by a counter byte.
type countedHash interface {
	// hashCounted hashes the little-endian bytes of each key followed by the counter.
	hashCounted(dst, keys []uint64, counter byte)
}

// blockScratch is memory for one block and for keys with a counter.
type blockScratch struct {
	codes []uint64
	data  []byte
	ends  []int
}

// widenedBytes is a widened hash that takes byte strings.
type widenedBytes struct{ *widened }

func newWidened(f Family, w Widen, k Key, bits int) (Hash, error) {
	h := &widened{widen: w, bits: bits, words: wordsFor(bits), blockBits: f.Bits, perBlock: f.Words()}
	h.scratch.New = func() any { return new(blockScratch) }
	var err error
	if h.plain, err = f.build(k); err != nil {
		return nil, err
	}
	_, takesBytes := h.plain.(ByteHash)
	if w == WidenCounter && !takesBytes {
		return nil, fmt.Errorf("widening %v: it takes integers only (it is no ByteHash), to which no byte can be appended", w)
	}
	if w != WidenMix {
		for b := 1; b*f.Bits < bits; b++ {
			other := h.plain
			if w == WidenReseed {
				if other, err = f.build(Key{Seed: k.Seed + uint64(b), Bytes: k.Bytes}); err != nil {
					return nil, err
				}
			}
			h.others = append(h.others, other)
		}
	}
	if takesBytes {
		return widenedBytes{h}, nil
	}
	return h, nil
}

func (h *widened) HashUint64s(dst, keys []uint64) {
	n := len(keys)
	s := h.scratch.Get().(*blockScratch)
	h.plain.HashUint64s(dst[:h.perBlock*n], keys)
	switch h.widen {
	case WidenMix:
		h.mix(dst, n)
	case WidenReseed:
		h.eachBlock(dst, n, s, func(b int, codes []uint64) { h.others[b-1].HashUint64s(codes, keys) })
	case WidenCounter:
		if counted, ok := h.plain.(countedHash); ok {
			h.eachBlock(dst, n, s, func(b int, codes []uint64) { counted.hashCounted(codes, keys, byte(b)) })
			break
		}
		s.data, s.ends = s.data[:0], s.ends[:0]
		for _, k := range keys {
			s.data = append(binary.LittleEndian.AppendUint64(s.data, k), 0)
			s.ends = append(s.ends, len(s.data))
		}
		h.count(dst, s)
	}
	h.trim(dst, n)
	h.scratch.Put(s)
}

func (h widenedBytes) HashBytes(dst []uint64, data []byte, ends []int) {
	n := len(ends)
	s := h.scratch.Get().(*blockScratch)
	h.plain.(ByteHash).HashBytes(dst[:h.perBlock*n], data, ends)
	switch h.widen {
	case WidenMix:
		h.mix(dst, n)
	case WidenReseed:
		h.eachBlock(dst, n, s, func(b int, codes []uint64) { h.others[b-1].(ByteHash).HashBytes(codes, data, ends) })
	case WidenCounter:
		s.data, s.ends = s.data[:0], s.ends[:0]
		start := 0
		for _, end := range ends {
			s.data = append(append(s.data, data[start:end]...), 0)
			s.ends = append(s.ends, len(s.data))
			start = end
		}
		h.count(dst, s)
	}
	h.trim(dst, n)
	h.scratch.Put(s)
}

// count computes the blocks from 1 on as the hash of the keys in s followed by the counter byte.
func (h *widened) count(dst []uint64, s *blockScratch) {
	h.eachBlock(dst, len(s.ends), s, func(b int, codes []uint64) {
		for _, end := range s.ends {
			s.data[end-1] = byte(b)
		}
		h.plain.(ByteHash).HashBytes(codes, s.data, s.ends)
	})
}

// eachBlock calls hash for each block from 1 on of n codes, and packs the result.
func (h *widened) eachBlock(dst []uint64, n int, s *blockScratch, hash func(b int, codes []uint64)) {
	for b := 1; b <= len(h.others); b++ {
		codes := s.block(h, dst, n, b)
		hash(b, codes)
		h.pack(dst, n, b, codes)
	}
}

// mix computes the words from perBlock on.
func (h *widened) mix(dst []uint64, n int) {
	const gamma = 0x9E3779B97F4A7C15
	for t := h.perBlock; t < h.words; t++ {
		from, to := dst[t%h.perBlock*n:][:n], dst[t*n:][:n]
		step := uint64(t-1) * gamma // the kernel adds γ once
		for i, word := range from {
			to[i] = word + step
		}
		hashing.SplitMix64(to, to, 0)
	}
}

// inPlace reports whether block b is a whole number of words of the code.
func (h *widened) inPlace(b int) bool {
	return h.blockBits%64 == 0 && (b+1)*h.perBlock <= h.words
}

// block returns the memory for block b of n codes: a part of dst if the block needs no packing,
// otherwise a buffer.
func (s *blockScratch) block(h *widened, dst []uint64, n, b int) []uint64 {
	if h.inPlace(b) {
		return dst[b*h.perBlock*n:][:h.perBlock*n]
	}
	s.codes = slices.Grow(s.codes[:0], h.perBlock*n)[:h.perBlock*n]
	return s.codes
}

// pack packs block b of n codes after the blocks before it. The bits above these must be zero in
// their last word.
func (h *widened) pack(dst []uint64, n, b int, codes []uint64) {
	if h.inPlace(b) {
		return
	}
	shift := uint(b*h.blockBits) % 64
	at := b * h.blockBits / 64
	for t := 0; t < h.perBlock && at+t < h.words; t++ {
		word := codes[t*n:][:n]
		low := dst[(at+t)*n:][:n]
		if shift == 0 {
			copy(low, word)
			continue
		}
		for i, x := range word {
			low[i] |= x << shift
		}
		if at+t+1 == h.words {
			break
		}
		high := dst[(at+t+1)*n:][:n]
		for i, x := range word {
			high[i] = x >> (64 - shift)
		}
	}
}

// trim clears the bits above the width.
func (h *widened) trim(dst []uint64, n int) {
	if h.bits%64 == 0 {
		return
	}
	mask := lastWordMask(h.bits)
	last := dst[(h.words-1)*n:][:n]
	for i := range last {
		last[i] &= mask
	}
}
