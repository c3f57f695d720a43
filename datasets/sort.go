package datasets

import (
	"context"
	"slices"
)

// sortedAtOnce is how many values are sorted without a look at the context: some 20 ms.
const sortedAtOnce = 1 << 18

// sortNumbers is slices.Sort for as many numbers as there are, which may take longer than a user
// who wants to stop will wait. After an error the numbers may still be moved.
func sortNumbers(ctx context.Context, numbers []uint64) error {
	return sortUnlessEnded(ctx, len(numbers), func() { slices.Sort(numbers) })
}

// sortFunc is slices.SortFunc likewise.
func sortFunc[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortUnlessEnded(ctx, len(list), func() { slices.SortFunc(list, compare) })
}

// sortUnlessEnded leaves the sort of a long list to itself when the context ends before it.
func sortUnlessEnded(ctx context.Context, n int, sort func()) error {
	if err := ended(ctx); err != nil {
		return err
	}
	if n <= sortedAtOnce {
		sort()
		return nil
	}
	sorted := make(chan struct{})
	go func() {
		sort()
		close(sorted)
	}()
	select {
	case <-sorted:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	}
}
