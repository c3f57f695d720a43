// Package accumulate adds weights to the lanes of a simhash and takes their signs, 64 lanes at a
// time.
//
// The code of a feature is 64 bits of its hash. Lane j gains the feature's weight where bit j of
// the code is 1 and loses it where the bit is 0; the signs of the lanes are 64 bits of the
// fingerprint (Charikar 2002; Manku, Jain, Das Sarma 2007, section 3). A fingerprint of f bits
// takes ceil(f/64) calls, one for each word of the codes.
//
// Every op has two forms. Add updates the caller's lanes. Sketch starts from +0, keeps the lanes in
// registers where possible, and returns only their signs. All kernels of an op give the same bits:
//
//   - Unit and integer weights: lanes are exact int64, wrapping as Go's int64 does.
//   - F32 and F64 (grouped order): features are taken in groups of four from the start of the
//     slice, each group is summed as (±w0 ±w1) + (±w2 ±w3) and added to the lane; a last group of
//     fewer is padded with codes 0 and weights 0. So lanes that are built by several calls equal
//     those of one call if every call but the last has a multiple of four features.
//   - Sequential: float32 or float64, one feature after the other, in pure Go alone.
//
// No fused multiply-add is used anywhere. Functions panic if codes and weights differ in length,
// which is a programming error.
//
// Cost on one core, per feature and 64 lanes: a fraction of a nanosecond with AVX-512, a few with
// pure Go; see results/.
package accumulate

import (
	"fmt"
	"math"
	"slices"

	"simhashkit/asm/cpu"
)

// Signs is the result of the sign step: bit j of each word describes lane j.
type Signs struct {
	Positive uint64 // the lane is greater than 0
	Zero     uint64 // the lane is 0: the caller's tie rule decides
	// The lane is an infinity or not a number: a sum has overflowed, or a weight was not finite.
	NonFinite uint64
}

// Kernels returns the kernels for a type of weights, which is unit, f32, f64, i32 or i64, fastest
// first, generic last.
func Kernels(weights string) []cpu.Tier {
	return slices.Clone(map[string][]cpu.Tier{"unit": unitKernels, "f32": f32Kernels, "f64": f64Kernels, "i32": i32Kernels, "i64": i64Kernels}[weights])
}

func sameLength(codes, weights int) {
	if codes != weights {
		panic(fmt.Sprintf("accumulate: %d codes but %d weights", codes, weights))
	}
}

// AddF32 adds ±weights[i] to each lane, in grouped order.
func AddF32(lanes *[64]float32, codes []uint64, weights []float32) {
	addF32At(cpu.Active(), lanes, codes, weights)
}

// SketchF32 returns the signs that lanes have after adding ±weights[i] to +0, in grouped order.
func SketchF32(codes []uint64, weights []float32) Signs {
	return sketchF32At(cpu.Active(), codes, weights)
}

// AddF64 adds ±weights[i] to each lane; weights and lanes are float64, in grouped order.
func AddF64(lanes *[64]float64, codes []uint64, weights []float64) {
	addF64At(cpu.Active(), lanes, codes, weights)
}

// SketchF64 returns the signs that lanes have after adding ±weights[i] to +0; weights and lanes are
// float64, in grouped order.
func SketchF64(codes []uint64, weights []float64) Signs {
	return sketchF64At(cpu.Active(), codes, weights)
}

// AddI32 adds ±weights[i] to each lane; weights are int32, lanes int64.
func AddI32(lanes *[64]int64, codes []uint64, weights []int32) {
	addI32At(cpu.Active(), lanes, codes, weights)
}

// SketchI32 returns the signs that lanes have after adding ±weights[i] to 0; weights are int32,
// lanes int64.
func SketchI32(codes []uint64, weights []int32) Signs {
	return sketchI32At(cpu.Active(), codes, weights)
}

// AddI64 adds ±weights[i] to each lane; weights are int64, lanes int64 that wrap.
func AddI64(lanes *[64]int64, codes []uint64, weights []int64) {
	addI64At(cpu.Active(), lanes, codes, weights)
}

// SketchI64 returns the signs that lanes have after adding ±weights[i] to 0; weights are int64,
// lanes int64 that wrap.
func SketchI64(codes []uint64, weights []int64) Signs {
	return sketchI64At(cpu.Active(), codes, weights)
}

// The sign steps below do not branch on a lane's value: signs are as random as the codes, and a
// predictor that misses half of them costs more than all the arithmetic. Ties and sums that are not
// finite are rare, so the loop only detects whether there are any, and a second loop finds them.

// SignsOf returns the signs of lanes. Integer lanes are always finite.
func SignsOf[T int64 | float32 | float64](lanes *[64]T) Signs {
	switch lanes := any(lanes).(type) {
	case *[64]float32:
		return signsF32(lanes)
	case *[64]float64:
		return signsF64(lanes)
	case *[64]int64:
		return signsI64(lanes)
	}
	panic("unreachable")
}

func signsI64(lanes *[64]int64) Signs {
	var s Signs
	rare := false
	for j, v := range lanes {
		s.Positive |= uint64(^v&-v) >> 63 << j
		rare = rare || v == 0
	}
	if rare {
		for j, v := range lanes {
			s.Zero |= uint64(^(v | -v)) >> 63 << j
		}
	}
	return s
}

func signsF32(lanes *[64]float32) Signs {
	const infinity = 0x7f800000
	var s Signs
	rare := false
	for j, v := range lanes {
		b := math.Float32bits(v)
		// This range is from the smallest denormal, 1, to infinity.
		s.Positive |= (uint64(b-1) - infinity) >> 63 << j
		rare = rare || b&^(1<<31)-1 >= infinity-1
	}
	if rare {
		for j, v := range lanes {
			s.addRare(j, v == 0, v-v != 0)
		}
	}
	return s
}

func signsF64(lanes *[64]float64) Signs {
	const infinity = 0x7ff << 52
	var s Signs
	rare := false
	for j, v := range lanes {
		b := math.Float64bits(v)
		s.Positive |= (^b & (b - 1 - infinity)) >> 63 & ((b | -b) >> 63) << j
		rare = rare || b&^(1<<63)-1 >= infinity-1
	}
	if rare {
		for j, v := range lanes {
			s.addRare(j, v == 0, v-v != 0)
		}
	}
	return s
}

func (s *Signs) addRare(j int, zero, nonFinite bool) {
	if zero {
		s.Zero |= 1 << j
	}
	if nonFinite {
		s.NonFinite |= 1 << j
	}
}
