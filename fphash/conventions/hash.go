package conventions

import (
	"encoding/binary"
	"errors"
	"reflect"

	"github.com/zeebo/blake3"
	"simhashkit/asm/accumulate"
	"simhashkit/asm/hashing"
	"simhashkit/fphash"
)

// The hashes that package fphash has not.
const (
	sipHash128   = "siphash-128"
	blake3Hash   = "blake3"
	digest       = "digest"
	pythonString = "python-string"
	stream       = "splitmix64-stream"
	transposed   = "splitmix64-transposed"
)

// ownFamily returns a hash that package fphash has not. A digest and a generator have as many bits
// as are wanted.
func ownFamily(name string, bits int) (fphash.Family, bool) {
	switch name {
	case sipHash128:
		return fphash.Family{Name: name, Bits: 128, KeyBytes: sipHashKeyBytes, New: func(k fphash.Key) (fphash.Hash, error) {
			return newSipHash(k.Bytes, true)
		}}, true
	case blake3Hash:
		return fphash.FromFunc(name, 256, func(dst []uint64, data []byte) {
			sum := blake3.Sum256(data)
			putDigest(dst, sum[:])
		}), true
	case digest:
		return fphash.FromFunc(name, bits, putDigest), true
	case pythonString:
		return fphash.FromFunc(name, 64, func(dst []uint64, data []byte) { dst[0] = hashPythonString(data) }), true
	case stream, transposed: // appendGenerated makes its codes
		return fphash.Family{Name: name, Bits: bits, Integer: true}, true
	}
	return fphash.Family{}, false
}

// putDigest stores as much of a digest as there is room for as a code: its bytes read
// little-endian. What is missing is zeros.
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

// γ of SplitMix64: what its state grows by from one output to the next.
const splitMix64Step = 0x9E3779B97F4A7C15

// appendGenerated appends the fingerprint of features that are seeds of generators: word t of it is
// voted on by output t of each.
func appendGenerated[F fphash.Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, fphash.Status, error) {
	seeds, ok := any(features).([]uint64)
	if !ok && isBytes[F]() {
		return dst, fphash.NoInformation, s.wrap(errors.New("expected 64-bit hashes of the caller's, not byte strings"))
	}
	b := s.borrow()
	if !ok {
		b.seeds = b.seeds[:0]
		for _, feature := range features {
			b.seeds = append(b.seeds, reflect.ValueOf(feature).Uint())
		}
		seeds = b.seeds
	}
	if s.voted == 1 && len(seeds) <= countedChunk { // as below, in less time
		codes := b.codesFor(len(seeds))
		hashing.SplitMix64(codes, seeds, 0)
		v := votes{sketcher: s, dst: dst, status: fphash.NoInformation}
		v.append(0, accumulate.SketchUnit(codes))
		s.buffers.Put(b)
		dst, status := v.arranged(len(dst))
		return dst, status, nil
	}
	dst, status := s.appendCounted(b, dst, len(seeds), func(_ *buffers, codes []uint64, from, to int) { outputs(codes, seeds[from:to]) })
	s.buffers.Put(b)
	return dst, status, nil
}

// outputs stores the outputs of the generators with these seeds: output t of all of them behind
// output t-1.
func outputs(dst, seeds []uint64) {
	n := len(seeds)
	for t := 0; len(dst) > 0; t++ {
		if word := dst[:n]; t == 0 {
			hashing.SplitMix64(word, seeds, 0)
		} else {
			for i, seed := range seeds {
				word[i] = seed + uint64(t)*splitMix64Step
			}
			hashing.SplitMix64(word, word, 0)
		}
		if dst = dst[n:]; n == 0 {
			return
		}
	}
}
