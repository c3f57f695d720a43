package datasets

import (
	"cmp"
	"context"
	"slices"
)

// sortedAtOnce is how many values are sorted between two looks at the context: some 20 ms.
const sortedAtOnce = 1 << 18

// sortNumbers is slices.Sort for as many numbers as there are, which may take longer than a user
// who wants to stop will wait. At an error they are in any order.
func sortNumbers(ctx context.Context, numbers []uint64) error {
	return sortPieces(ctx, numbers, cmp.Compare[uint64], slices.Sort[[]uint64])
}

// sortFunc is slices.SortFunc likewise.
func sortFunc[T any](ctx context.Context, list []T, compare func(a, b T) int) error {
	return sortPieces(ctx, list, compare, func(piece []T) { slices.SortFunc(piece, compare) })
}

// sortPieces cuts the list into pieces in ascending order, and has each of them sorted.
func sortPieces[T any](ctx context.Context, list []T, compare func(a, b T) int, sort func([]T)) error {
	for {
		if err := ended(ctx); err != nil {
			return err
		}
		if len(list) <= sortedAtOnce {
			sort(list)
			return nil
		}
		less, more := partition(list, pivot(list, compare), compare)
		if err := sortPieces(ctx, list[:less], compare, sort); err != nil {
			return err
		}
		list = list[more:]
	}
}

// pivot returns a value of the list that is near its median, however the list is arranged: the
// median of values from all over it.
func pivot[T any](list []T, compare func(a, b T) int) T {
	sample := make([]T, 0, 101)
	for i := range cap(sample) {
		// places that are no multiples of one another, since lists have periods
		sample = append(sample, list[mix64(uint64(i))%uint64(len(list))])
	}
	slices.SortFunc(sample, compare)
	return sample[len(sample)/2]
}

// partition arranges the list around the pivot: what is below is in list[:less], what is above in
// list[more:].
func partition[T any](list []T, pivot T, compare func(a, b T) int) (less, more int) {
	more = len(list)
	for i := 0; i < more; {
		x := list[i]
		switch c := compare(x, pivot); {
		case c < 0:
			list[i], list[less] = list[less], x
			less++
			i++
		case c > 0:
			more--
			list[i], list[more] = list[more], x
		default:
			i++
		}
	}
	return less, more
}
