package accumulate

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

func TestWeightedOnRandomAndExtremeInput(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.random)
	}
}

func TestUnitOnRandomInput(t *testing.T) { unitOp.random(t) }

// random tests weights of every kind at many lengths, with lanes that start from 0 or from values
// of all magnitudes.
func (op weighted[L, W]) random(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	codes, weights := make([]uint64, op.seldom), make([]W, op.seldom)
	for range cases.Rounds(t, 200, 3000) {
		n := r.IntN(op.often)
		if r.IntN(40) == 0 {
			n = r.IntN(op.seldom)
		}
		op.fill(r, kind(r.IntN(int(weightKinds))), codes[:n], weights[:n])
		var start [64]L
		switch r.IntN(3) {
		case 0:
			for j := range start {
				start[j] = L(r.Int64() >> r.IntN(64))
			}
		case 1:
			for j := range start {
				start[j] *= -1 // -0 for floats
			}
		}
		tier := tiers[r.IntN(len(tiers))]
		if err := op.compare(tier, start, codes[:n], weights[:n]); err != nil {
			t.Fatal(op.shrunk(tier, start, codes[:n], weights[:n]))
		}
	}
}

// shrunk reduces an input that fails and returns the error for the smaller input.
func (op weighted[L, W]) shrunk(tier cpu.Tier, start [64]L, codes []uint64, weights []W) error {
	type feature struct {
		code   uint64
		weight W
	}
	features := make([]feature, len(codes))
	for i, c := range codes {
		features[i] = feature{c, weights[i]}
	}
	compare := func(features []feature) error {
		codes, weights := make([]uint64, len(features)), make([]W, len(features))
		for i, f := range features {
			codes[i], weights[i] = f.code, f.weight
		}
		return op.compare(tier, start, codes, weights)
	}
	return compare(cases.Shrink(features, func(f feature) (simpler []feature) {
		if f.weight != 0 {
			simpler = append(simpler, feature{f.code, 0})
		}
		if f.code != 0 {
			simpler = append(simpler, feature{0, f.weight})
		}
		return simpler
	}, func(features []feature) bool { return compare(features) != nil }))
}

// seeded returns the source of random numbers for a test.
var seeded = cases.Seeded

// expected is the result of the oracle for one input, computed once for all kernels.
type expected[L lane] struct {
	lanes [64]L // for the given start
	signs Signs // for a start from 0
}

func (op weighted[L, W]) expect(start [64]L, codes []uint64, weights []W) (expected[L], error) {
	e := expected[L]{lanes: start}
	var fromZero [64]L
	op.addLookedUp(&e.lanes, &fromZero, codes, weights)
	e.signs = signsOracle(&fromZero)
	if byOracle(codes) {
		want, wantFromZero := start, [64]L{}
		op.oracle(&want, codes, weights)
		op.oracle(&wantFromZero, codes, weights)
		return e, errors.Join(looksRight(op.name, &e.lanes, &want), looksRight(op.name, &fromZero, &wantFromZero))
	}
	return e, nil
}

// compare returns an error if a kernel's lanes or signs differ from the expected ones. Lanes must
// be equal bit for bit; all NaNs are equal.
func (e *expected[L]) compare(got *[64]L, signs Signs) error {
	for j := range got {
		if !same(got[j], e.lanes[j]) {
			return fmt.Errorf("lane %d is %v, want %v", j, got[j], e.lanes[j])
		}
	}
	if signs != e.signs {
		return fmt.Errorf("signs %#x, want %#x", signs, e.signs)
	}
	return nil
}

// same reports whether two lanes are equal bit for bit. All NaNs are equal.
func same[T lane](a, b T) bool {
	if a == b {
		return math.Signbit(float64(a)) == math.Signbit(float64(b))
	}
	return a != a && b != b
}

// compare compares all kernels that can run here, and the dispatch at one tier, with the oracle.
func (op weighted[L, W]) compare(tier cpu.Tier, start [64]L, codes []uint64, weights []W) error {
	want, err := op.expect(start, codes, weights)
	if err != nil {
		return err
	}
	run := func(name string, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs) error {
		for _, ones := range []bool{true, false} { // contents of the registers before the call
			got := start
			registers.Spoil(ones)
			add(&got, codes, weights)
			registers.Spoil(ones)
			if err := want.compare(&got, sketch(codes, weights)); err != nil {
				return fmt.Errorf("%s: %w\nstart %v\ncodes %#x\nweights %v", name, err, start, codes, weights)
			}
		}
		return nil
	}
	for _, k := range op.kernels {
		if k.Available() {
			if err := run(k.Name, k.Call.Add, k.Call.Sketch); err != nil {
				return err
			}
		}
	}
	return kernels.At(tier, func() error { return run("dispatch at "+tier.String(), op.add, op.sketch) })
}
