package accumulate

import (
	"fmt"
	"math"
	"testing"

	"simhashkit/asm/cpu"
)

// TestWeightedWithOneRareLane makes a single lane zero, infinite or NaN, or gives it a different
// sign than all others. A weight that is not finite would change all lanes, so the test uses sums
// that overflow.
func TestWeightedWithOneRareLane(t *testing.T) {
	for _, op := range weightedOps {
		t.Run(op.String(), op.rareLanes)
	}
}

func (op weighted[L, W]) rareLanes(t *testing.T) {
	var huge W       // ten of these overflow
	scales := []W{1} // integers of other sizes may select another kernel
	switch p := any(&huge).(type) {
	case *float32:
		*p = math.MaxFloat32 / 10
	case *float64:
		*p = math.MaxFloat64 / 10
	case *int32:
		scales = any([]int32{1, 1000, 1 << 28}).([]W)
	case *int64:
		scales = any([]int64{1, 1 << 40}).([]W)
	}
	for _, scale := range scales {
		op.rareLanesOf(t, scale, huge)
	}
}

func (op weighted[L, W]) rareLanesOf(t *testing.T, scale, huge W) {
	tier := cpu.Supported()
	for j := range 64 {
		lane := uint64(1) << j
		rest := ^lane
		inputs := []struct {
			name    string
			codes   []uint64
			weights []W
			want    func(Signs) bool
		}{
			{"positive", []uint64{lane, lane}, []W{3 * scale, 2 * scale}, func(s Signs) bool { return s == Signs{Positive: lane} }},
			{"negative", []uint64{rest, rest, rest}, []W{3 * scale, 2 * scale, scale}, func(s Signs) bool { return s == Signs{Positive: rest} }},
			{"zero among positive", []uint64{^uint64(0), rest}, []W{3 * scale, 3 * scale}, nil},
			{"zero among positive, two more", []uint64{^uint64(0), rest, rest}, []W{3 * scale, 2 * scale, scale}, func(s Signs) bool { return s == Signs{Positive: rest, Zero: lane} }},
			{"zero among negative", []uint64{lane, 0, 0}, []W{3 * scale, 2 * scale, scale}, func(s Signs) bool { return s == Signs{Zero: lane} }},
		}
		// The other lanes have both signs. A kernel's quick test of all lanes must not succeed
		// because of another lane.
		for _, signs := range []uint64{0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x00FF00FF00FF00FF} {
			for _, signs := range []uint64{signs, ^signs} {
				inputs = append(inputs, inputs[0])
				in := &inputs[len(inputs)-1]
				in.name = "zero among both signs"
				in.codes, in.weights = []uint64{signs, signs ^ lane, signs ^ lane}, []W{3 * scale, 2 * scale, scale}
				in.want = func(s Signs) bool { return s == Signs{Positive: signs &^ lane, Zero: lane} }
			}
		}
		if huge != 0 {
			up, down := []uint64{^uint64(0), lane, ^uint64(0), lane}, []uint64{0, rest, 0, rest}
			big, other := []W{3 * huge, 2 * huge, 4 * huge, 2 * huge}, []W{4 * huge, 2 * huge, 3 * huge, 3 * huge}
			inputs = append(inputs, []struct {
				name    string
				codes   []uint64
				weights []W
				want    func(Signs) bool
			}{
				{"+infinity", up, big, func(s Signs) bool { return s.NonFinite == lane && s.Positive&lane != 0 && s.Zero == 0 }},
				{"-infinity", down, big, func(s Signs) bool { return s.NonFinite == lane && s.Positive&lane == 0 && s.Zero == 0 }},
				{"no number, or infinity in sequence", append(up[:4:4], down...), append(big[:4:4], other...), func(s Signs) bool { return s.NonFinite == lane && s.Zero == 0 }},
			}...)
		}
		for _, in := range inputs {
			codes, weights := in.codes, in.weights
			if in.want != nil {
				if e, err := op.expect([64]L{}, codes, weights); err != nil || !in.want(e.signs) {
					t.Fatalf("lane %d, %s: the input does not make the lane rare: %#x, %v", j, in.name, e.signs, err)
				}
			}
			// Features that add nothing surround the input, in whole groups before it, so that
			// every part of a kernel produces the rare lane.
			for b, before := range []int{0, 4, 8, 12} {
				for a, after := range []int{0, 1, 7, 20} {
					c := append(append(make([]uint64, before), codes...), make([]uint64, after)...)
					w := append(append(make([]W, before), weights...), make([]W, after)...)
					if err := op.compare(tier[(j+a+b)%len(tier)], [64]L{}, c, w); err != nil {
						t.Fatal(fmt.Errorf("lane %d, %s: %w", j, in.name, err))
					}
				}
			}
		}
	}
}

// TestFloatLanesOfMinusZero adds weights of 0 and -0 with all combinations of signs. A lane of -0
// stays -0 only if every summand is -0. Lanes that start from +0 never become -0, so fingerprints
// do not depend on this, but the caller's lanes do.
func TestFloatLanesOfMinusZero(t *testing.T) {
	t.Run("f32", func(t *testing.T) { minusZeros(t, f32Op, f32SequentialOp) })
	t.Run("f64", func(t *testing.T) { minusZeros(t, f64Op, f64SequentialOp) })
}

func minusZeros[T float32 | float64](t *testing.T, ops ...weighted[T, T]) {
	minus := T(math.Copysign(0, -1))
	var start [64]T
	for j := range start {
		start[j] = minus
	}
	for _, op := range ops {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 9} {
			for signs := range 1 << n {
				codes, weights := make([]uint64, n), make([]T, n)
				for i := range codes {
					codes[i] = zeroCodes[i]
					if signs>>i&1 == 1 {
						weights[i] = minus
					}
				}
				if err := op.compare(cpu.Active(), start, codes, weights); err != nil {
					t.Fatalf("%s: %v", op.name, err)
				}
			}
		}
	}
}

// zeroCodes give the first six features a different combination of signs in each of the 64 lanes.
var zeroCodes = [9]uint64{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000, 0x3333CCCC5555AAAA, 0x00FFFF0033CCCC33, 0}

// The oracles branch on every bit of a code, and half of these branches are mispredicted. The
// functions below compute the same sums in the same order, but look up each sign in a table of two
// entries, and update two sets of lanes at once. So ten million inputs per op are practical.
// TestLookedUpSumsAreTheOracles and looksRight compare them with the oracles.

// addGroupedLookedUp does what addGroupedOracle does, on both sets of lanes.
func addGroupedLookedUp[T lane, W weight](a, b *[64]T, codes []uint64, weights []W) {
	for len(codes) > 0 {
		var group [4]uint64
		// what a bit of 0 and a bit of 1 add; after the last feature, the weight is 0
		var zero T
		signed := [4][2]T{{-zero}, {-zero}, {-zero}, {-zero}}
		n := copy(group[:], codes)
		for i, w := range weights[:n] {
			signed[i] = [2]T{-T(w), T(w)}
		}
		for j := range 64 {
			sum := (signed[0][group[0]>>j&1] + signed[1][group[1]>>j&1]) + (signed[2][group[2]>>j&1] + signed[3][group[3]>>j&1])
			a[j] += sum
			b[j] += sum
		}
		codes, weights = codes[n:], weights[n:]
	}
}

// addSequentialLookedUp does what addSequentialOracle does, on both sets of lanes.
func addSequentialLookedUp[T lane, W weight](a, b *[64]T, codes []uint64, weights []W) {
	for i, c := range codes {
		signed := [2]T{-T(weights[i]), T(weights[i])}
		for j := range 64 {
			a[j] += signed[c>>j&1]
			b[j] += signed[c>>j&1]
		}
	}
}

// addUnitLookedUp does what addUnitOracle does.
func addUnitLookedUp(lanes *[64]int64, codes []uint64) {
	for _, c := range codes {
		for j := range lanes {
			lanes[j] += int64(c>>j&1)<<1 - 1
		}
	}
}

// byOracle reports whether the oracle checks an input too: all short inputs, and one in sixteen of
// the others.
func byOracle(codes []uint64) bool { return len(codes) <= 2 || codes[0]&15 == 7 }

// looksRight compares the looked-up sums with the oracle's. All NaNs are equal.
func looksRight[T lane](form string, lookedUp, oracle *[64]T) error {
	for j, want := range oracle {
		if got := lookedUp[j]; !same(got, want) {
			return fmt.Errorf("%s: lane %d is %v when looked up, %v by the oracle", form, j, got, want)
		}
	}
	return nil
}

func TestLookedUpSumsAreTheOracles(t *testing.T) {
	for _, op := range allOps {
		t.Run(op.String(), op.lookedUp)
	}
}

func (op weighted[L, W]) lookedUp(t *testing.T) {
	r := seeded(t)
	const longest = 70
	codes, weights := make([]uint64, longest), make([]W, longest)
	for n := range longest + 1 {
		for k := range weightKinds {
			op.fill(r, k, codes, weights)
			var start, a, b [64]L
			for j := range start {
				start[j] = L(r.IntN(2001)) - 1000
			}
			want, wantFromZero := start, [64]L{}
			op.oracle(&want, codes[:n], weights[:n])
			op.oracle(&wantFromZero, codes[:n], weights[:n])
			a = start
			op.addLookedUp(&a, &b, codes[:n], weights[:n])
			if err := looksRight(op.name, &a, &want); err != nil {
				t.Fatalf("n=%d: %v", n, err)
			}
			if err := looksRight(op.name, &b, &wantFromZero); err != nil {
				t.Fatalf("n=%d, from zero: %v", n, err)
			}
		}
	}
}
