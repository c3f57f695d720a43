package accumulate

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
	"simhashkit/asm/internal/shrink"
)

func TestWeightedOnRandomAndExtremeInput(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.random)
	}
}

func TestUnitOnRandomInput(t *testing.T) { unitOp.random(t) }

// random takes weights of every kind in lengths of every kind, and lanes that start from 0 or from
// values of every magnitude.
func (op weighted[L, W]) random(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	codes, weights := make([]uint64, op.seldom), make([]W, op.seldom)
	for range random.Rounds(t, 200, 3000) {
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
				start[j] *= -1 // of floats, -0
			}
		}
		tier := tiers[r.IntN(len(tiers))]
		if err := op.compare(tier, start, codes[:n], weights[:n]); err != nil {
			t.Fatal(op.shrunk(tier, start, codes[:n], weights[:n]))
		}
	}
}

// shrunk returns the error on an input that fails, made small.
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
	return compare(shrink.Slice(features, func(f feature) (simpler []feature) {
		if f.weight != 0 {
			simpler = append(simpler, feature{f.code, 0})
		}
		if f.code != 0 {
			simpler = append(simpler, feature{0, f.weight})
		}
		return simpler
	}, func(features []feature) bool { return compare(features) != nil }))
}

// seeded is the source of random numbers of all tests here.
var seeded = random.Seeded

// expected is what the definition gives for one input, computed once for all kernels.
type expected[L lane] struct {
	lanes [64]L // from the start that was given
	signs Signs // from zero
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

// compare runs one kernel on one input and compares it with what is expected: the lanes bit for
// bit, unless they are not numbers, and the signs.
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

// same reports whether two lanes are the same bit for bit; floats that are no numbers are all
// alike.
func same[T lane](a, b T) bool {
	if a == b {
		return math.Signbit(float64(a)) == math.Signbit(float64(b))
	}
	return a != a && b != b
}

// compare holds all kernels that can run here, and the dispatch at one tier, to the oracle.
func (op weighted[L, W]) compare(tier cpu.Tier, start [64]L, codes []uint64, weights []W) error {
	want, err := op.expect(start, codes, weights)
	if err != nil {
		return err
	}
	run := func(name string, add func(*[64]L, []uint64, []W), sketch func([]uint64, []W) Signs) error {
		for _, ones := range []bool{true, false} { // left in the registers
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
