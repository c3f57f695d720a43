package accumulate

import (
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
)

// weighted is an op with all its kernels and its definition.
type weighted[L lane, W weight] struct {
	name    string
	kernels []kernels.Implementation[form[L, W]]
	add     func(*[64]L, []uint64, []W)
	sketch  func([]uint64, []W) Signs
	oracle  func(*[64]L, []uint64, []W)
	fill    func(r *rand.Rand, k kind, codes []uint64, weights []W)
	// maximum number of features of most random inputs, and of a few
	often, seldom int

	addLookedUp func(a, b *[64]L, codes []uint64, weights []W) // a faster substitute for the oracle
}

type anyOp interface {
	String() string
	random(*testing.T)
	guarded(*testing.T)
	upperState(*testing.T)
	rareLanes(*testing.T)
	lookedUp(*testing.T)
	frozen() []string
}

// weightedOps lists the ops that use weights. allOps also has the unit op.
var (
	weightedOps = []anyOp{f32Op, f64Op, i32Op, i64Op, f32SequentialOp, f64SequentialOp}
	allOps      = append(weightedOps, unitOp)
)

// unitOp has the form of the other ops, but ignores the weights and counts each as 1.
var unitOp = weighted[int64, int64]{"unit", kernelsOf(unitKernels, addUnitForm, sketchUnitForm),
	func(lanes *[64]int64, codes []uint64, _ []int64) { AddUnit(lanes, codes) },
	func(codes []uint64, _ []int64) Signs { return SketchUnit(codes) },
	func(lanes *[64]int64, codes []uint64, _ []int64) { addUnitOracle(lanes, codes) },
	func(r *rand.Rand, _ kind, codes []uint64, _ []int64) { unitCodes(r, codes) }, 150, 5000,
	func(a, b *[64]int64, codes []uint64, _ []int64) { addUnitLookedUp(a, codes); addUnitLookedUp(b, codes) },
}

// form is a kernel of an op, or its dispatch.
type form[L lane, W weight] struct {
	Add    func(lanes *[64]L, codes []uint64, weights []W)
	Sketch func(codes []uint64, weights []W) Signs
}

// kernelsOf returns the kernels of an op, made from its table and its dispatch.
func kernelsOf[L lane, W weight](table []cpu.Tier, add func(cpu.Tier, *[64]L, []uint64, []W), sketch func(cpu.Tier, []uint64, []W) Signs) []kernels.Implementation[form[L, W]] {
	return kernels.List(table, func(tier cpu.Tier) form[L, W] {
		return form[L, W]{
			func(lanes *[64]L, codes []uint64, weights []W) { add(tier, lanes, codes, weights) },
			func(codes []uint64, weights []W) Signs { return sketch(tier, codes, weights) },
		}
	})
}

func addUnitForm(tier cpu.Tier, lanes *[64]int64, codes []uint64, _ []int64) {
	addUnitAt(tier, lanes, codes)
}

func sketchUnitForm(tier cpu.Tier, codes []uint64, _ []int64) Signs { return sketchUnitAt(tier, codes) }

var (
	f32Op           = weighted[float32, float32]{"f32", kernelsOf(f32Kernels, addF32At, sketchF32At), AddF32, SketchF32, addGroupedOracle[float32, float32], fillOf(extremes32), 80, 1500, addGroupedLookedUp[float32, float32]}
	f64Op           = weighted[float64, float64]{"f64", kernelsOf(f64Kernels, addF64At, sketchF64At), AddF64, SketchF64, addGroupedOracle[float64, float64], fillOf(extremes64), 80, 1500, addGroupedLookedUp[float64, float64]}
	i32Op           = weighted[int64, int32]{"i32", kernelsOf(i32Kernels, addI32At, sketchI32At), AddI32, SketchI32, addGroupedOracle[int64, int32], fillOf([]int32{0, 1, -1, 127, -128, math.MaxInt32, math.MinInt32}), 80, 1500, addGroupedLookedUp[int64, int32]}
	i64Op           = weighted[int64, int64]{"i64", kernelsOf(i64Kernels, addI64At, sketchI64At), AddI64, SketchI64, addGroupedOracle[int64, int64], fillOf([]int64{0, 1, -1, math.MinInt32, math.MaxInt64, math.MinInt64}), 80, 1500, addGroupedLookedUp[int64, int64]}
	f32SequentialOp = weighted[float32, float32]{"f32-sequential", inGo(AddSequential[float32], SketchSequential[float32]), AddSequential[float32], SketchSequential[float32], addSequentialOracle[float32, float32], fillOf(extremes32), 80, 1500, addSequentialLookedUp[float32, float32]}
	f64SequentialOp = weighted[float64, float64]{"f64-sequential", inGo(AddSequential[float64], SketchSequential[float64]), AddSequential[float64], SketchSequential[float64], addSequentialOracle[float64, float64], fillOf(extremes64), 80, 1500, addSequentialLookedUp[float64, float64]}

	extremes32 = []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126,
		math.MaxFloat32 / 8, -math.MaxFloat32 / 8, 0x1p24, 1 + 0x1p-23, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN()),
		math.Float32frombits(0x7f800001)} // the last value is a signalling NaN
	extremes64 = []float64{0, math.Copysign(0, -1), 1, -1, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022,
		math.MaxFloat64 / 8, -math.MaxFloat64 / 8, 0x1p53, 1 + 0x1p-52, math.MaxFloat64, math.Inf(-1), math.NaN(),
		math.Float64frombits(0x7ff0000000000001)}
)

// inGo returns the kernels of an op that has no assembly.
func inGo[W float32 | float64](add func(*[64]W, []uint64, []W), sketch func([]uint64, []W) Signs) []kernels.Implementation[form[W, W]] {
	return []kernels.Implementation[form[W, W]]{{Name: cpu.Generic.String(), Call: form[W, W]{add, sketch}}}
}

func TestWeightedBetweenGuardPages(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.guarded)
	}
}

func TestUnitBetweenGuardPages(t *testing.T) { unitOp.guarded(t) }

func (op weighted[L, W]) String() string { return op.name }

// kind is a kind of random weights.
type kind int

const (
	counts5  kind = iota // 0 to 4: many ties, and sums that fit in narrow lanes
	anyValue             // any value of either sign
	extreme              // the extreme values of the type
	mostZero             // 0, except for one weight in twenty
	allAlike             // the same extreme value for all features
	small                // within ±127, so that kernels may use 16-bit lanes
	medium               // integers of several thousand
	weightKinds
)

// fillOf returns a function that draws codes and weights of a kind. Some codes are all zeros or all
// ones. extremes are the values to use for extreme weights.
func fillOf[W weight](extremes []W) func(r *rand.Rand, k kind, codes []uint64, weights []W) {
	return func(r *rand.Rand, k kind, codes []uint64, weights []W) {
		alike := extremes[r.IntN(len(extremes))]
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
				weights[i] = extremes[r.IntN(len(extremes))]
			case mostZero:
				weights[i] = W(r.IntN(20) / 19)
			case allAlike:
				weights[i] = alike
			}
		}
	}
}

// onKernels runs body on every kernel that can run here, and on the dispatch at every tier.
func (op weighted[L, W]) onKernels(t *testing.T, body func(t *testing.T, k form[L, W])) {
	kernels.OnEach(t, "", op.kernels, form[L, W]{op.add, op.sketch}, body)
}

// guarded tests every length at eight alignments, and flush against inaccessible pages on both
// sides. A normal run stops at length 130, which exceeds every unrolled loop except the longest.
// Next to a page, it tries weights of three sizes, because kernels may depend on the size;
// elsewhere the sizes alternate.
func (op weighted[L, W]) guarded(t *testing.T) {
	const longest = 512
	most := 130
	if cases.Long() {
		most = longest
	}
	type input struct {
		codes   []uint64
		weights []W
		want    expected[L]
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
		for n := range most + 1 {
			for offset := range min(8, longest-n+1) {
				if offset > 0 && offset%len(kinds) != turn {
					continue
				}
				begin, end := longest-n-offset, longest-offset
				for _, in := range []input{
					{codes: codesStart[offset : offset+n], weights: weightsStart[offset : offset+n]},
					{codes: codesEnd[begin:end], weights: weightsEnd[begin:end]},
				} {
					op.oracle(&in.want.lanes, in.codes, in.weights)
					in.want.signs = signsOracle(&in.want.lanes)
					inputs = append(inputs, in)
				}
			}
		}
	}
	op.onKernels(t, func(t *testing.T, k form[L, W]) {
		for i, in := range inputs {
			lanes := (*[64]L)([][]L{lanesStart, lanesEnd}[i%2])
			clear(lanes[:])
			k.Add(lanes, in.codes, in.weights)
			if err := in.want.compare(lanes, k.Sketch(in.codes, in.weights)); err != nil {
				t.Fatalf("n=%d: %v", len(in.codes), err)
			}
		}
	})
}
