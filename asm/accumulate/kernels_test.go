package accumulate

import (
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
)

// weighted is an op with all its kernels and its definition; unit weights have tests of their own.
type weighted[L lane, W weight] struct {
	name     string
	kernels  []Kernel[func(*[64]L, []uint64, []W), func([]uint64, []W) Signs]
	add      func(*[64]L, []uint64, []W)
	sketch   func([]uint64, []W) Signs
	oracle   func(*[64]L, []uint64, []W)
	extremes []W // weights that look for trouble

	addLookedUp func(a, b *[64]L, codes []uint64, weights []W) // the oracle's deputy
}

// weightedOps are all of them; the tests below range over this list.
var weightedOps = []interface {
	String() string
	random(*testing.T)
	guarded(*testing.T)
	upperState(*testing.T)
	rareLanes(*testing.T)
	frozen() []string
}{
	f32Op, f64Op, i32Op, i64Op, f32SequentialOp, f64SequentialOp,
}

var (
	f32Op           = weighted[float32, float32]{"f32", F32Kernels(), AddF32, SketchF32, addGroupedOracle[float32, float32], extremes32, addGroupedLookedUp[float32, float32]}
	f64Op           = weighted[float64, float64]{"f64", F64Kernels(), AddF64, SketchF64, addGroupedOracle[float64, float64], extremes64, addGroupedLookedUp[float64, float64]}
	i32Op           = weighted[int64, int32]{"i32", I32Kernels(), AddI32, SketchI32, addGroupedOracle[int64, int32], []int32{0, 1, -1, 127, -128, math.MaxInt32, math.MinInt32}, addGroupedLookedUp[int64, int32]}
	i64Op           = weighted[int64, int64]{"i64", I64Kernels(), AddI64, SketchI64, addGroupedOracle[int64, int64], []int64{0, 1, -1, math.MinInt32, math.MaxInt64, math.MinInt64}, addGroupedLookedUp[int64, int64]}
	f32SequentialOp = weighted[float32, float32]{"f32-sequential", F32SequentialKernels(), AddF32Sequential, SketchF32Sequential, addSequentialOracle[float32, float32], extremes32, addSequentialLookedUp[float32, float32]}
	f64SequentialOp = weighted[float64, float64]{"f64-sequential", F64SequentialKernels(), AddF64Sequential, SketchF64Sequential, addSequentialOracle[float64, float64], extremes64, addSequentialLookedUp[float64, float64]}

	extremes32 = []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126,
		math.MaxFloat32 / 8, -math.MaxFloat32 / 8, 0x1p24, 1 + 0x1p-23, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN()),
		math.Float32frombits(0x7f800001)} // the last one is a signalling NaN
	extremes64 = []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022,
		math.MaxFloat64 / 8, -math.MaxFloat64 / 8, 0x1p53, 1 + 0x1p-52, math.MaxFloat64, math.Inf(-1), math.NaN(),
		math.Float64frombits(0x7ff0000000000001)}
)

func TestWeightedBetweenGuardPages(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.guarded)
	}
}

func (op weighted[L, W]) String() string { return op.name }

// kind is a kind of random weights.
type kind int

const (
	counts5  kind = iota // 0 to 4: many ties, and integers that fit narrow lanes
	anyValue             // of both signs
	extreme              // those that look for trouble
	mostZero             // all but one of twenty
	allAlike             // one of those that look for trouble, again and again
	small                // within ±127, where integers may take lanes of 16 bits
	medium               // integers of some thousands
	weightKinds
)

// fill draws codes, some of them all zeros or all ones, and weights of that kind.
func (op weighted[L, W]) fill(r *rand.Rand, k kind, codes []uint64, weights []W) {
	alike := op.extremes[r.IntN(len(op.extremes))]
	for i := range codes {
		codes[i] = r.Uint64()
		if r.IntN(16) == 0 {
			codes[i] = uint64(r.IntN(2)) - 1
		}
		switch k {
		case counts5:
			weights[i] = W(r.IntN(5))
		case small:
			weights[i] = W(r.IntN(255) - 127)
		case medium:
			weights[i] = W(r.IntN(20_001) - 10_000)
		case anyValue:
			weights[i] = W((r.Float64() - 0.5) * 1e9)
		case extreme:
			weights[i] = op.extremes[r.IntN(len(op.extremes))]
		case mostZero:
			weights[i] = W(r.IntN(20) / 19)
		case allAlike:
			weights[i] = alike
		}
	}
}

// onKernels runs body on every kernel that can run here, and on the dispatch at every tier.
func (op weighted[L, W]) onKernels(t *testing.T, body func(t *testing.T, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs)) {
	for _, k := range op.kernels {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k.Add, k.Sketch) })
		}
	}
	kernels.OnTiers(t, "dispatch=", func(t *testing.T) { body(t, op.add, op.sketch) })
}

// guardedLengths are 0 to 512; a short run stops at 130, past every unrolled loop but the longest.
func guardedLengths() int {
	if testing.Short() {
		return 131
	}
	return 513
}

// guarded takes every length at eight alignments and flush against inaccessible pages on both
// sides. Flush, the weights are of each of three sizes, since kernels may choose by them; elsewhere
// they take turns.
func (op weighted[L, W]) guarded(t *testing.T) {
	const longest = 512
	type input struct {
		codes   []uint64
		weights []W
		want    Signs
	}
	var inputs []input
	r := seeded(t)
	lanesStart, lanesEnd := guard.Slices[L](t, 64)
	kinds := []kind{small, medium, anyValue}
	for turn, k := range kinds {
		codesStart, codesEnd := guard.Slices[uint64](t, longest)
		weightsStart, weightsEnd := guard.Slices[W](t, longest)
		op.fill(r, k, codesStart, weightsStart)
		op.fill(r, k, codesEnd, weightsEnd)
		for n := range guardedLengths() {
			for offset := range min(8, longest-n+1) {
				if offset > 0 && offset%len(kinds) != turn {
					continue
				}
				begin, end := longest-n-offset, longest-offset
				for _, in := range []input{
					{codes: codesStart[offset : offset+n], weights: weightsStart[offset : offset+n]},
					{codes: codesEnd[begin:end], weights: weightsEnd[begin:end]},
				} {
					var lanes [64]L
					op.oracle(&lanes, in.codes, in.weights)
					in.want = signsOracle(&lanes)
					inputs = append(inputs, in)
				}
			}
		}
	}
	op.onKernels(t, func(t *testing.T, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs) {
		for i, in := range inputs {
			if got := sketch(in.codes, in.weights); got != in.want {
				t.Fatalf("n=%d: signs %#x, want %#x", len(in.codes), got, in.want)
			}
			lanes := (*[64]L)([][]L{lanesStart, lanesEnd}[i%2])
			clear(lanes[:])
			add(lanes, in.codes, in.weights)
			if got := signsOracle(lanes); got != in.want {
				t.Fatalf("n=%d: signs of the lanes %#x, want %#x", len(in.codes), got, in.want)
			}
		}
	})
}
