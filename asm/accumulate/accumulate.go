// Package accumulate adds weights to the lanes of a simhash and takes their signs, 64 lanes at a
// time.
//
// The code of a feature is 64 bits of its hash. Lane j gains the feature's weight where bit j of
// the code is 1 and loses it where the bit is 0; the signs of the lanes are 64 bits of the
// fingerprint (Charikar 2002; Manku, Jain, Das Sarma 2007, section 3). A fingerprint of f bits
// takes ceil(f/64) calls, one for each word of the codes.
//
// Every op has an Add form, which works on lanes kept by the caller, and a Sketch form, which
// starts from +0, keeps the lanes in registers where it can and returns their signs at once. All
// kernels of an op give the same bits:
//
//   - Unit and integer weights: lanes are exact int64, wrapping as Go's int64 does.
//   - F32 and F64 (grouped order): features are taken in groups of four from the start of the
//     slice, each group is summed as (±w0 ±w1) + (±w2 ±w3) and added to the lane; a last group of
//     fewer is padded with codes 0 and weights 0. So lanes that are built by several calls equal
//     those of one call if every call but the last has a multiple of four features.
//   - F32Sequential and F64Sequential: one feature after the other, in pure Go alone.
//
// No fused multiply-add is used anywhere. Codes and weights that differ in length are a
// programmer's error and panic.
//
// Cost on one core, per feature and 64 lanes: a fraction of a nanosecond with AVX-512, a few with
// pure Go; see results/.
package accumulate

import (
	"fmt"

	"simhashkit/asm/cpu"
)

// Signs is the outcome of the sign step: bit j of each word speaks of lane j.
type Signs struct {
	Positive uint64 // the lane is greater than 0
	Zero     uint64 // the lane is 0: a tie, for the caller's tie rule to decide
	// the lane is an infinity or not a number: some sum has overflowed, or a weight was not finite
	NonFinite uint64
}

// Kernel is one implementation of an op: its Add form and its Sketch form.
type Kernel[Add, Sketch any] struct {
	cpu.Kernel
	Add    Add
	Sketch Sketch
}

type weightedKernel[L lane, W weight] = Kernel[func(lanes *[64]L, codes []uint64, weights []W), func(codes []uint64, weights []W) Signs]

// weightedKernels returns the kernels of an op from its table and its dispatch.
func weightedKernels[L lane, W weight](table []cpu.Kernel, add func(cpu.Tier, *[64]L, []uint64, []W), sketch func(cpu.Tier, []uint64, []W) Signs) (list []weightedKernel[L, W]) {
	for _, k := range table {
		list = append(list, weightedKernel[L, W]{k,
			func(lanes *[64]L, codes []uint64, weights []W) { add(k.Usable(), lanes, codes, weights) },
			func(codes []uint64, weights []W) Signs { return sketch(k.Usable(), codes, weights) }})
	}
	return list
}

func sameLength(codes, weights int) {
	if codes != weights {
		panic(fmt.Sprintf("accumulate: %d codes but %d weights", codes, weights))
	}
}
