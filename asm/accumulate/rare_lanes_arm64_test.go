//go:build !purego

package accumulate

import (
	"fmt"
	"math"
	"testing"
)

// TestWeightedTailsOnADirtyStack checks that the missing features of the last group add -0,
// whatever the stack contained where the kernel assembles that group. Only lanes of -0 show a
// difference.
func TestWeightedTailsOnADirtyStack(t *testing.T) {
	t.Run("f32", func(t *testing.T) { dirtyTails(t, addF32NEON, addGrouped[float32, float32]) })
	t.Run("f64", func(t *testing.T) { dirtyTails(t, addF64NEON, addGrouped[float64, float64]) })
}

func dirtyTails[T float32 | float64](t *testing.T, add, generic func(lanes *[64]T, codes []uint64, weights []T)) {
	for n := range 8 {
		codes, weights := make([]uint64, n), make([]T, n)
		var lanes, want [64]T
		for j := range lanes {
			lanes[j] = T(math.Copysign(0, -1))
		}
		want = lanes
		generic(&want, codes, weights)
		dirtyStack(^uint64(0))
		add(&lanes, codes, weights)
		// unlike ==, the printed form distinguishes -0 from 0
		if got, want := fmt.Sprint(lanes), fmt.Sprint(want); got != want {
			t.Errorf("%d features: %s, want %s", n, got, want)
		}
	}
}

// dirtyStack fills the stack memory that the next call will use with a number.
//
//go:noinline
func dirtyStack(number uint64) uint64 {
	var memory [1024]uint64
	for i := range memory {
		memory[i] = number
	}
	return memory[number%1024]
}
