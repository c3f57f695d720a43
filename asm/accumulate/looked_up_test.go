package accumulate

import (
	"fmt"
	"testing"
)

// The oracles branch on every bit of a code, and half of the time the processor expects the other
// way. The forms below take the same sums in the same order with each sign looked up in a table of
// two, and work on two sets of lanes at once; that makes ten million inputs for each op bearable.
// They are the oracles' deputies only: TestLookedUpSumsAreTheOracles and looksRight hold them to
// those.

// addGroupedLookedUp does what addGroupedOracle does, on both sets of lanes.
func addGroupedLookedUp[T lane, W weight](a, b *[64]T, codes []uint64, weights []W) {
	for len(codes) > 0 {
		var group [4]uint64
		// what a bit of 0 and what a bit of 1 adds; behind the last feature, that of weight 0
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

// byOracle picks the inputs for which the oracle itself is asked too: the shortest, and one in
// sixteen of the others.
func byOracle(codes []uint64) bool { return len(codes) <= 2 || codes[0]&15 == 7 }

// looksRight compares the sums that were looked up with the oracle's; floats that are not numbers
// are all alike.
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
