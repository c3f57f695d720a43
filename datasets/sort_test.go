package datasets

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// However a list is arranged it comes out sorted, and an interrupt ends the sort between two
// pieces.
func TestSortInPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const n = 3 * sortedAtOnce
	for name, value := range map[string]func(i int) uint64{
		"random":     func(int) uint64 { return random.Uint64() },
		"ascending":  func(i int) uint64 { return uint64(i) },
		"descending": func(i int) uint64 { return uint64(n - i) },
		"few":        func(i int) uint64 { return uint64(i % 3) },
		"one":        func(int) uint64 { return 7 },
	} {
		numbers := make([]uint64, n)
		for i := range numbers {
			numbers[i] = value(i)
		}
		want, again := slices.Sorted(slices.Values(numbers)), slices.Clone(numbers)
		compared := 0
		err := errors.Join(sortNumbers(t.Context(), numbers), sortFunc(t.Context(), again, func(a, b uint64) int {
			compared++
			return cmp.Compare(a, b)
		}))
		if err != nil || !slices.Equal(numbers, want) || !slices.Equal(again, want) {
			t.Errorf("%s: not sorted, %v", name, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		stop, before := errors.New("stop"), 0
		slices.Reverse(again)
		err = sortFunc(ctx, again, func(a, b uint64) int {
			if before++; before == 1 {
				cancel(stop)
			}
			return cmp.Compare(a, b)
		})
		if !errors.Is(err, stop) || name != "one" && before == compared {
			t.Errorf("%s: error %v after %d of %d comparisons", name, err, before, compared)
		}
	}
}
