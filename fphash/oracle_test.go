package fphash

import (
	"math"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
)

// sketchOracle computes a fingerprint and its status by the definition. code returns the words of
// an index's code. This is an oracle: do not change it.
func sketchOracle[T int64 | float32 | float64](code func(index uint64) []uint64, bits int, tie Tie, order Order, indices []uint64, weights []T) ([]uint64, Status) {
	f := make([]uint64, (bits+63)/64)
	zero, finite := true, true
	codes := make([][]uint64, len(indices))
	for i, index := range indices {
		codes[i] = code(index)
	}
	for j := range bits {
		var v T
		signed := func(i int) T {
			switch {
			case i >= len(indices):
				return 0
			case codes[i][j/64]>>(j%64)&1 == 1:
				return weights[i]
			}
			return -weights[i]
		}
		if order == Sequential {
			for i := range indices {
				v += signed(i)
			}
		} else {
			for i := 0; i < len(indices); i += 4 {
				v += (signed(i) + signed(i+1)) + (signed(i+2) + signed(i+3))
			}
		}
		if v > 0 || v == 0 && (tie == TieOne || tie == TieAlternate && j%2 == 1) {
			f[j/64] |= 1 << (j % 64)
		}
		zero = zero && v == 0
		finite = finite && !math.IsInf(float64(v), 0) && v == v
	}
	switch {
	case !finite:
		return make([]uint64, len(f)), NotFinite
	case zero:
		return f, NoInformation
	}
	return f, Informative
}

// oracle is sketchOracle for the Sketcher's definition, hashing one key at a time.
func oracle[W anyWeight](s *Sketcher, indices []uint64, weights []W) ([]uint64, Status) {
	code := func(index uint64) []uint64 { return codeOf(s.definition, index) }
	switch w := any(weights).(type) {
	case []float32:
		return sketchOracle(code, s.bits, s.tie, s.order, indices, w)
	case []float64:
		return sketchOracle(code, s.bits, s.tie, s.order, indices, w)
	case []int64:
		return sketchOracle(code, s.bits, s.tie, s.order, indices, w)
	}
	wide := make([]int64, len(indices))
	for i := range wide {
		switch w := any(weights).(type) {
		case []int32:
			wide[i] = int64(w[i])
		default:
			wide[i] = 1
		}
	}
	return sketchOracle(code, s.bits, s.tie, s.order, indices, wide)
}

// codeOf hashes one index: its encoded bytes, or the integer if the hash takes no bytes.
func codeOf(d *definition, index uint64) []uint64 {
	code := make([]uint64, d.codeWords)
	if h, ok := d.hash.(ByteHash); ok {
		key := d.encoding.AppendIndex(nil, index)
		h.HashBytes(code, key, []int{len(key)})
	} else {
		d.hash.HashUint64s(code, []uint64{index})
	}
	return code
}

// atEachTier runs the test with every kernel that this machine supports.
func atEachTier(t *testing.T, test func(t *testing.T)) {
	for _, tier := range cpu.Supported() {
		t.Run(tier.String(), func(t *testing.T) {
			setTier(t, tier)
			test(t)
		})
	}
}

// setTier limits the kernel until the test ends.
func setTier(t *testing.T, tier cpu.Tier) {
	t.Helper()
	former, err := cpu.SetTier(tier)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cpu.SetTier(former) })
}

func mustNew(t testing.TB, d Definition, options ...Option) *Sketcher {
	t.Helper()
	s, err := New(d, options...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lanesFor returns a Sketcher with the definition of s and lanes for weights of type W.
func lanesFor[W Weight](s *Sketcher) *Sketcher {
	if kindOf[W]() != s.refused {
		return s
	}
	d := *s.definition
	d.float32 = !d.float32
	d.refused = floatKind(!d.float32)
	with := &Sketcher{definition: &d, workers: s.workers}
	if s.own != nil {
		return with.Local()
	}
	return with
}

// tableHash returns a hash with which the code of index i is table[i].
func tableHash(bits int, table ...uint64) Option {
	return WithFamily(FromFunc("table", bits, func(dst []uint64, key []byte) { dst[0] = table[key[0]] }))
}

// registered returns the registered hash with the given name.
func registered(name string) Family {
	f, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return f
}

// wideHash returns a hash of any width that depends on every byte of the key.
func wideHash(bits int) Family {
	return FromFunc("wide", bits, func(dst []uint64, key []byte) {
		state := uint64(len(key))
		for _, b := range key {
			state = (state ^ uint64(b)) * 0x9E3779B97F4A7C15
			state ^= state >> 29
		}
		for t := range dst {
			state = state*0xD1342543DE82EF95 + 1
			dst[t] = state ^ state>>32
		}
	})
}

// wantSketch compares a fingerprint and its error with the oracle's.
func wantSketch[W anyWeight](t *testing.T, s *Sketcher, indices []uint64, weights []W, got []uint64, err error) {
	t.Helper()
	want, status := oracle(s, indices, weights)
	if err != status.Err() || !slices.Equal(got, want) {
		t.Fatalf("%s %v, %d bits, %v order, ties give %v, %d features of %T\n%x: got %x, %v; want %x, %v",
			s.family.Name, s.encoding, s.bits, s.order, s.tie, len(indices), weights, indices[:min(len(indices), 8)], got, err, want, status.Err())
	}
}
