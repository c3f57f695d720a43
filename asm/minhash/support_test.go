package minhash

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
	"simhashkit/asm/internal/shrink"
)

// splitMix64 returns the output of the generator by Steele, Lea and Flood (2014) for a state.
func splitMix64(state uint64) uint64 {
	z := state + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// addOracle is the definition. Do not change it.
func addOracle(minima *[64]uint32, word int, keys []uint64) {
	for j := range minima {
		constants := splitMix64(uint64(64*word + j))
		for _, key := range keys {
			a, b := constants%(1<<32)|1, constants/(1<<32)
			if h := uint32((a*(key%(1<<32)) + b) % (1 << 32)); h < minima[j] {
				minima[j] = h
			}
		}
	}
}

// bitsOracle is the definition. Do not change it.
func bitsOracle(minima *[64]uint32) (bits uint64) {
	for j, m := range minima {
		product := uint64(m^m/(1<<15)) * 0x9E3779B1
		if product>>31&1 == 1 {
			bits |= 1 << j
		}
	}
	return bits
}

// emptied returns the minima of no features.
func emptied() (minima [64]uint32) {
	for j := range minima {
		minima[j] = Empty
	}
	return minima
}

// implementation is a kernel, or the dispatch.
type implementation struct {
	Add  func(minima *[64]uint32, word int, keys []uint64)
	Bits func(minima *[64]uint32) uint64
}

var implementations = kernels.List(minimaKernels, func(tier cpu.Tier) implementation {
	return implementation{
		func(minima *[64]uint32, word int, keys []uint64) { addAt(tier, minima, Functions(word), keys) },
		func(minima *[64]uint32) uint64 { return bitsAt(tier, minima) },
	}
})

// onImplementations runs body on every kernel that can run here, and on the dispatch at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, k implementation)) {
	kernels.OnEach(t, "", implementations, implementation{Add, Bits}, body)
}

// fill draws keys of one of three kinds: random, small, or with equal low halves.
func fill(r *rand.Rand, keys []uint64) {
	kind := r.IntN(3)
	for i := range keys {
		keys[i] = r.Uint64()
		switch kind {
		case 1:
			keys[i] >>= 40
		case 2:
			keys[i] &= 0xFFFFFFFF_00000003
		}
	}
}

// compare compares a kernel with the oracle, after filling the registers with useless values.
func compare(k implementation, start [64]uint32, word int, keys []uint64) error {
	want := start
	addOracle(&want, word, keys)
	for _, ones := range []bool{true, false} { // contents of the registers before the call
		got := start
		registers.Spoil(ones)
		k.Add(&got, word, keys)
		if got != want {
			return fmt.Errorf("word %d, keys %#x from %#x\nminima %#x\nwant   %#x", word, keys, start, got, want)
		}
		registers.Spoil(ones)
		if bits, want := k.Bits(&got), bitsOracle(&got); bits != want {
			return fmt.Errorf("minima %#x: bits %#x, want %#x", got, bits, want)
		}
	}
	return nil
}

// compareAll compares all kernels that can run here with the oracle. If one fails, it prints a
// small input that fails.
func compareAll(t *testing.T, start [64]uint32, word int, keys []uint64) {
	t.Helper()
	for _, k := range implementations {
		if !k.Available() || compare(k.Call, start, word, keys) == nil {
			continue
		}
		keys = shrink.Slice(keys, shrink.ToZero, func(keys []uint64) bool { return compare(k.Call, start, word, keys) != nil })
		t.Fatal(k.Name, compare(k.Call, start, word, keys))
	}
}
