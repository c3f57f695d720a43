package minhash

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// splitMix64 returns the output of the generator by Steele, Lea and Flood (2014) for a state.
func splitMix64(state uint64) uint64 {
	z := state + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// addOracle is the definition. Do not change it.
func addOracle(minima [][64]uint32, keys []uint64) {
	lanes := 64 * uint64(len(minima))
	for lane := range lanes {
		a := splitMix64(lane)%(1<<32) | 1
		least := &minima[lane/64][lane%64]
		for _, key := range keys {
			high, low := key/(1<<32), key%(1<<32)
			value := 1<<31 + a*low%(1<<32)/2
			if high*lanes/(1<<32) == lane {
				value = low / 2
			}
			*least = min(*least, uint32(value))
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
func emptied(words int) [][64]uint32 {
	minima := make([][64]uint32, words)
	Clear(minima)
	return minima
}

// implementation is a kernel, or the dispatch.
type implementation struct {
	Sketch, Add func(minima [][64]uint32, keys []uint64, scratch *Scratch)
	Bits        func(minima *[64]uint32) uint64
}

func at(tier cpu.Tier) implementation {
	return implementation{
		func(minima [][64]uint32, keys []uint64, scratch *Scratch) { sketchAt(tier, minima, keys, scratch) },
		func(minima [][64]uint32, keys []uint64, scratch *Scratch) { addAt(tier, minima, keys, scratch) },
		func(minima *[64]uint32) uint64 { return bitsAt(tier, minima) },
	}
}

var implementations = kernels.List(minimaKernels, at)

// onImplementations runs body on every kernel that can run here, and on the dispatch at every tier.
func onImplementations(t *testing.T, body func(t *testing.T, k implementation)) {
	kernels.OnEach(t, "", implementations, implementation{Sketch, Add, Bits}, body)
}

// draw draws keys of one of four kinds: random, small, with equal low halves, or in few lanes.
func draw(r *rand.Rand, keys []uint64) {
	kind := r.IntN(4)
	for i := range keys {
		keys[i] = r.Uint64()
		switch kind {
		case 1:
			keys[i] >>= 40
		case 2:
			keys[i] &= 0xFFFFFFFF_00000003
		case 3:
			keys[i] &= 0x80FFFFFF_FFFFFFFF
		}
	}
}

// compare compares a kernel with the oracle, after filling registers and scratch memory with
// useless values.
func compare(k implementation, start [][64]uint32, keys []uint64) error {
	want, wantAlone := slices.Clone(start), emptied(len(start))
	addOracle(want, keys)
	addOracle(wantAlone, keys)
	for _, ones := range []bool{true, false} { // contents of the registers before the call
		scratch := new(Scratch)
		if ones {
			for j := range scratch.minima {
				scratch.minima[j], scratch.multipliers[j] = uint32(j), uint32(j*j)
			}
		}
		got, alone := slices.Clone(start), slices.Clone(start)
		registers.Spoil(ones)
		k.Add(got, keys, scratch)
		if !slices.Equal(got, want) {
			return fmt.Errorf("keys %#x added to %#x\nminima %#x\nwant   %#x", keys, start, got, want)
		}
		registers.Spoil(ones)
		k.Sketch(alone, keys, scratch)
		if !slices.Equal(alone, wantAlone) {
			return fmt.Errorf("keys %#x\nminima %#x\nwant   %#x", keys, alone, wantAlone)
		}
		for t := range got {
			registers.Spoil(ones)
			if bits, want := k.Bits(&got[t]), bitsOracle(&got[t]); bits != want {
				return fmt.Errorf("minima %#x: bits %#x, want %#x", got[t], bits, want)
			}
		}
	}
	return nil
}

// compareAll compares all kernels that can run here with the oracle. If one fails, it prints a
// small input that fails.
func compareAll(t *testing.T, start [][64]uint32, keys []uint64) {
	t.Helper()
	for _, k := range implementations {
		if !k.Available() || compare(k.Call, start, keys) == nil {
			continue
		}
		keys = cases.Shrink(keys, cases.ToZero, func(keys []uint64) bool { return compare(k.Call, start, keys) != nil })
		t.Fatal(k.Name, compare(k.Call, start, keys))
	}
}
