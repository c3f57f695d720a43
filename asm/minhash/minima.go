// Package minhash keeps the minima of random functions over a set of features, and takes one bit of
// each minimum.
//
// The key of a feature with the code c is mix(c + γ), where mix and γ are those of SplitMix64. A
// sketch has a lane for each bit, 64 per word. The high half h of a key puts its feature into lane
// h·lanes / 2^32, rounded down, with the value k/2, where k is the low half. A lane keeps the
// smallest value of its features. A lane without features keeps the minimum of 2^31 + x/2 over the
// whole set, where x is a·k modulo 2^32, and a is the low half of mix(j + γ) for lane j, made odd.
// These values are larger than all others, so the smaller ones of two sketches are the sketch of
// the union. Features cannot be removed. This is the fast similarity sketch of Dahlgaard, Knudsen
// and Thorup (2017) with one round.
//
// The probability that two sets have the same minimum is their Jaccard similarity J (Broder 1997).
// One bit of each minimum is enough to estimate it (Li, König 2010): the bits of two sets differ
// with a probability of (1-J)/2.
//
// All kernels give the same minima and bits. Minima of different sets of n features are equal by
// chance with a probability of about n/2^31, so sets of hundreds of millions of features can no
// longer be told apart.
package minhash

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hashing"
)

// Words is the maximum number of words of a sketch.
const Words = 64

// empty is the minimum of a lane over no features.
const empty = ^uint32(0)

// scanned is set in the minima of lanes that no feature fell into.
const scanned = 1 << 31

// Kernels returns the kernels of Sketch, Add and Bits, fastest first, generic last.
func Kernels() []cpu.Tier { return slices.Clone(minimaKernels) }

// Keys fills dst with the keys of the codes. dst may be codes.
func Keys(dst, codes []uint64) { hashing.SplitMix64(dst, codes, 0) }

// multipliers returns the factor a of each lane: for lane j, the low half of mix(j + γ), made odd.
var multipliers = sync.OnceValue(func() *[64 * Words]uint32 {
	var lanes [64 * Words]uint64
	for j := range lanes {
		lanes[j] = uint64(j)
	}
	hashing.SplitMix64(lanes[:], lanes[:], 0)
	multipliers := new([64 * Words]uint32)
	for j, x := range lanes {
		multipliers[j] = uint32(x) | 1
	}
	return multipliers
})

// Scratch is memory that Sketch and Add use. They do not read what it holds.
type Scratch struct {
	multipliers, minima [blockLanes + padding]uint32 // of the collected lanes
}

const (
	blockLanes = 256 // lanes that are collected from at a time
	padding    = 16  // lanes that kernels read and write after the last collected one
)

// Clear makes the minima those of no features, which are math.MaxUint32.
func Clear(minima [][64]uint32) {
	for t := range minima {
		minima[t] = nothing
	}
}

var nothing = [64]uint32(slices.Repeat([]uint32{empty}, 64))

// Sketch sets the minima to those of the features that have these keys. It panics if there are not
// 1 to Words words.
func Sketch(minima [][64]uint32, keys []uint64, scratch *Scratch) {
	sketchAt(cpu.Active(), minima, keys, scratch)
}

// Add updates the minima with the features that have these keys. It panics if there are not 1 to
// Words words.
func Add(minima [][64]uint32, keys []uint64, scratch *Scratch) {
	addAt(cpu.Active(), minima, keys, scratch)
}

// If n features are few compared with the lanes, they fall into about n of them. Collecting the
// other lanes saves n·n products, and takes as long as this number of products for each lane.
const (
	collectingCost        = 48 // with kernels
	collectingCostGeneric = 4
)

func sketchAt(tier cpu.Tier, minima [][64]uint32, keys []uint64, scratch *Scratch) {
	lanes, cost := lanesOf(minima), collectingCost
	if tier == cpu.Generic {
		cost = collectingCostGeneric
	}
	if n := uint64(len(keys)); n > 0 && n*n < uint64(cost*len(lanes)) {
		scanAt(tier, lanes, multipliers()[:len(lanes)], keys)
		fillAt(tier, lanes, keys)
		return
	}
	Clear(minima)
	addAt(tier, minima, keys, scratch)
}

func addAt(tier cpu.Tier, minima [][64]uint32, keys []uint64, scratch *Scratch) {
	lanes := lanesOf(minima)
	if len(keys) == 0 {
		return
	}
	fillAt(tier, lanes, keys)
	for from := 0; from < len(lanes); from += blockLanes {
		block := lanes[from:min(from+blockLanes, len(lanes))]
		n := collectAt(tier, scratch.multipliers[:], block, multipliers()[from:])
		if n == 0 {
			continue
		}
		if tier != cpu.Generic {
			n = (n + 15) &^ 15 // the lanes after the last one have any multipliers
		}
		scanAt(tier, scratch.minima[:n], scratch.multipliers[:n], keys)
		lowerAt(tier, block, scratch.minima[:])
	}
}

// lanesOf returns the minima as one slice.
func lanesOf(minima [][64]uint32) []uint32 {
	if n := len(minima); n < 1 || n > Words {
		panic(fmt.Sprintf("minhash: %d words, expected 1 to %d", n, Words))
	}
	return unsafe.Slice(&minima[0][0], 64*len(minima))
}

// fillGeneric lowers the minima of the lanes that features fall into. There is at least one key.
func fillGeneric(minima []uint32, keys []uint64) {
	n := uint64(len(minima))
	for _, key := range keys {
		least := &minima[key>>32*n>>32]
		*least = min(*least, uint32(key)>>1)
	}
}

// Bits returns one bit of each minimum: bit j is the highest bit of (m ^ m>>15)·0x9E3779B1, where m
// is the minimum of lane j.
func Bits(minima *[64]uint32) uint64 { return bitsAt(cpu.Active(), minima) }

func bitsGeneric(minima *[64]uint32) (bits uint64) {
	for j, m := range minima {
		bits |= uint64((m^m>>15)*0x9E3779B1>>31) << j
	}
	return bits
}

// scanGeneric sets the minima of lanes with these multipliers, as if no feature fell into them.
// There are as many multipliers as minima, for kernels a multiple of 16, and at least one of them
// and of the keys.
//
// It passes over all lanes with eight keys at a time. Repeated keys change nothing.
func scanGeneric(minima, multipliers []uint32, keys []uint64) {
	for j := range minima {
		minima[j] = empty
	}
	for at := 0; at < len(keys); at += 8 {
		var k [8]uint32
		for i := range k {
			k[i] = uint32(keys[min(at+i, len(keys)-1)])
		}
		k0, k1, k2, k3, k4, k5, k6, k7 := k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7]
		multipliers := multipliers[:len(minima)]
		for j := range minima {
			a := multipliers[j]
			first := min(min(a*k0, a*k1), min(a*k2, a*k3))
			second := min(min(a*k4, a*k5), min(a*k6, a*k7))
			minima[j] = min(minima[j], min(first, second)>>1|scanned)
		}
	}
}

// collectGeneric stores the multipliers of the lanes that no feature fell into, and returns their
// number. dst has room for 16 more.
func collectGeneric(dst, minima, multipliers []uint32) (n int) {
	multipliers = multipliers[:len(minima)]
	for j, m := range minima {
		dst[n] = multipliers[j]
		n += int(m >> 31)
	}
	return n
}

// lowerGeneric lowers the minima that collectGeneric has collected to those of a scan. There is
// room for 16 more behind them.
func lowerGeneric(minima, collected []uint32) {
	n := 0
	for j, m := range minima {
		// The minimum of a scan is not below that of a lane with features.
		minima[j] = min(m, collected[n]|scanned)
		n += int(m >> 31)
	}
}
