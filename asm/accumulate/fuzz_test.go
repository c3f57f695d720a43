package accumulate

import (
	"encoding/binary"
	"math"
	"testing"

	"simhashkit/asm/cpu"
)

// fuzzFeatures is the maximum number of features. It covers more than two blocks of 64 and still
// allows tens of thousands of inputs per second. Other tests use longer vectors.
const fuzzFeatures = 150

// split cuts data into equally many codes and 8-byte values, and drops the rest.
func split(codes, values []uint64, data []byte) ([]uint64, []uint64) {
	for len(data) >= 16 && len(codes) < fuzzFeatures {
		codes = append(codes, binary.LittleEndian.Uint64(data))
		values = append(values, binary.LittleEndian.Uint64(data[8:]))
		data = data[16:]
	}
	return codes, values
}

func FuzzF32(f *testing.F) {
	fuzz(f, f32Op, func(v uint64) float32 { return math.Float32frombits(uint32(v)) })
}

func FuzzF64(f *testing.F) {
	fuzz(f, f64Op, math.Float64frombits)
}

func FuzzI32(f *testing.F) {
	fuzz(f, i32Op, func(v uint64) int32 { return int32(v) })
}

func FuzzI64(f *testing.F) {
	fuzz(f, i64Op, func(v uint64) int64 { return int64(v) })
}

// fuzz compares every kernel with the oracle on arbitrary codes and weights. The lanes start from
// the first weights.
func fuzz[L lane, W weight](f *testing.F, op weighted[L, W], weightOf func(uint64) W) {
	f.Add([]byte{})
	for _, n := range []int{1, 3, 4, 7, 8, 9, 63, 100} {
		data := make([]byte, 16*n)
		for i := range data {
			data[i] = byte(i * 167 >> 3)
		}
		f.Add(data)
	}
	tiers := cpu.Supported()
	var codes, values []uint64
	var weights []W
	f.Fuzz(func(t *testing.T, data []byte) {
		codes, values = split(codes[:0], values[:0], data)
		weights = weights[:0]
		for _, v := range values {
			weights = append(weights, weightOf(v))
		}
		var start [64]L
		for j := range min(len(weights), 64) {
			if w := L(weights[j]); w-w == 0 {
				start[j] = w + 0 // lanes are never -0: they start from +0
			}
		}
		if err := op.compare(tiers[len(data)%len(tiers)], start, codes, weights); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzUnit(f *testing.F) {
	for _, n := range []int{0, 1, 8, 17, 64, 100, 129, 300} {
		f.Add(make([]byte, 8*n), n%3)
	}
	tiers := cpu.Supported()
	var codes []uint64
	f.Fuzz(func(t *testing.T, data []byte, repeat int) {
		codes = codes[:0]
		for len(data) >= 8 && len(codes) < 2*fuzzFeatures {
			codes = append(codes, binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
		for range min(max(repeat, 0), 4) { // carries into the higher planes
			codes = append(codes, codes...)
		}
		if err := unitOp.compare(tiers[len(data)%len(tiers)], [64]int64{}, codes, make([]int64, len(codes))); err != nil {
			t.Fatal(err)
		}
	})
}
