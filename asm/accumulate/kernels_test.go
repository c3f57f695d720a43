package accumulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
)

// weighted is an op with all its kernels and its definition; unit weights have tests of their own.
type weighted[L lane, W weight] struct {
	name     string
	kernels  []Kernel[func(*[64]L, []uint64, []W), func([]uint64, []W) Signs]
	add      func(*[64]L, []uint64, []W)
	sketch   func([]uint64, []W) Signs
	oracle   func(*[64]L, []uint64, []W)
	extremes []W // weights that look for trouble
}

// weightedOps are all of them; the tests below range over this list.
var weightedOps = []interface {
	String() string
	random(*testing.T)
	guarded(*testing.T)
}{
	weighted[float32, float32]{"f32", F32Kernels(), AddF32, SketchF32, addGroupedOracle[float32, float32], extremes32},
	weighted[float64, float64]{"f64", F64Kernels(), AddF64, SketchF64, addGroupedOracle[float64, float64], extremes64},
	weighted[int64, int32]{"i32", I32Kernels(), AddI32, SketchI32, addGroupedOracle[int64, int32], []int32{0, 1, -1, 127, -128, math.MaxInt32, math.MinInt32}},
	weighted[int64, int64]{"i64", I64Kernels(), AddI64, SketchI64, addGroupedOracle[int64, int64], []int64{0, 1, -1, math.MinInt32, math.MaxInt64, math.MinInt64}},
	weighted[float32, float32]{"f32-sequential", F32SequentialKernels(), AddF32Sequential, SketchF32Sequential, addSequentialOracle[float32, float32], extremes32},
	weighted[float64, float64]{"f64-sequential", F64SequentialKernels(), AddF64Sequential, SketchF64Sequential, addSequentialOracle[float64, float64], extremes64},
}

var (
	extremes32 = []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126,
		math.MaxFloat32 / 8, -math.MaxFloat32 / 8, 0x1p24, 1 + 0x1p-23, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())}
	extremes64 = []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022,
		math.MaxFloat64 / 8, -math.MaxFloat64 / 8, 0x1p53, 1 + 0x1p-52, math.MaxFloat64, math.Inf(-1), math.NaN()}
)

func TestWeightedOnRandomAndExtremeInput(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.random)
	}
}

func TestWeightedBetweenGuardPages(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.guarded)
	}
}

func (op weighted[L, W]) String() string { return op.name }

// seeded returns a source of random numbers that differs from test to test and never from run to run.
func seeded(t testing.TB) *rand.Rand {
	var h uint64 = 14695981039346656037
	for _, c := range []byte(t.Name()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(h, 1))
}

// fill draws weights of one of five kinds: small counts (many ties), any value, extremes, mostly zeros, all alike.
func (op weighted[L, W]) fill(r *rand.Rand, codes []uint64, weights []W) {
	kind := r.IntN(5)
	alike := op.extremes[r.IntN(len(op.extremes))]
	for i := range codes {
		codes[i] = r.Uint64()
		if r.IntN(16) == 0 {
			codes[i] = uint64(r.IntN(2)) - 1
		}
		switch kind {
		case 0:
			weights[i] = W(r.IntN(5))
		case 1:
			weights[i] = W((r.Float64() - 0.5) * 1e9)
		case 2:
			weights[i] = op.extremes[r.IntN(len(op.extremes))]
		case 3:
			weights[i] = W(r.IntN(20) / 19)
		case 4:
			weights[i] = alike
		}
	}
}

// compare runs one kernel on one input and compares it with the oracle: the lanes bit for bit, unless they are not numbers, and the signs.
func (op weighted[L, W]) compare(add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs, start [64]L, codes []uint64, weights []W) error {
	want, got := start, start
	op.oracle(&want, codes, weights)
	add(&got, codes, weights)
	for j := range want {
		if want[j] != got[j] && (want[j] == want[j] || got[j] == got[j]) {
			return fmt.Errorf("lane %d is %v, want %v\ncodes %#x\nweights %v", j, got[j], want[j], codes, weights)
		}
	}
	want = [64]L{}
	op.oracle(&want, codes, weights)
	if w, g := signsOracle(&want), sketch(codes, weights); g != w {
		return fmt.Errorf("signs %#x, want %#x\ncodes %#x\nweights %v", g, w, codes, weights)
	}
	return nil
}

// onKernels runs body on every kernel that can run here, and on the dispatch at every tier.
func (op weighted[L, W]) onKernels(t *testing.T, body func(t *testing.T, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs)) {
	for _, k := range op.kernels {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k.Add, k.Sketch) })
		}
	}
	for _, tier := range cpu.Supported() {
		t.Run("dispatch="+tier.String(), func(t *testing.T) {
			former, err := cpu.SetTier(tier)
			if err != nil {
				t.Fatal(err)
			}
			defer cpu.SetTier(former)
			body(t, op.add, op.sketch)
		})
	}
}

// rounds is the number of random inputs for each kernel.
func rounds() int {
	if testing.Short() {
		return 100
	}
	return 1500
}

// random takes weights of every kind in lengths of every kind.
func (op weighted[L, W]) random(t *testing.T) {
	op.onKernels(t, func(t *testing.T, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs) {
		r := seeded(t)
		for range rounds() {
			n := r.IntN(80)
			if r.IntN(20) == 0 {
				n = r.IntN(1500)
			}
			codes, weights := make([]uint64, n), make([]W, n)
			op.fill(r, codes, weights)
			var start [64]L
			for j := range start {
				start[j] = L(r.IntN(7)) - 3
			}
			if err := op.compare(add, sketch, start, codes, weights); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// guarded takes every length from 0 to 512 at eight alignments and flush against inaccessible pages on both sides.
func (op weighted[L, W]) guarded(t *testing.T) {
	const longest = 512
	codesStart, codesEnd := guard.Slices[uint64](t, longest)
	weightsStart, weightsEnd := guard.Slices[W](t, longest)
	lanesStart, lanesEnd := guard.Slices[L](t, 64)
	r := seeded(t)
	op.fill(r, codesStart, weightsStart)
	op.fill(r, codesEnd, weightsEnd)
	type input struct {
		codes   []uint64
		weights []W
		want    Signs
	}
	var inputs []input
	for n := range longest + 1 {
		for offset := range min(8, longest-n+1) {
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
