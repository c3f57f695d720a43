package datasets

import (
	"context"
	"slices"
)

// sortedAtOnce is how many numbers are sorted between two looks at the context: some 20 ms.
const sortedAtOnce = 1 << 18

// sortNumbers is slices.Sort for as many numbers as there are, which may take longer than a user
// who wants to stop will wait. At an error they are in any order.
func sortNumbers(ctx context.Context, numbers []uint64) error {
	for len(numbers) > sortedAtOnce {
		if err := ended(ctx); err != nil {
			return err
		}
		less, more := partition(numbers, pivot(numbers))
		if err := sortNumbers(ctx, numbers[:less]); err != nil {
			return err
		}
		numbers = numbers[more:]
	}
	slices.Sort(numbers)
	return nil
}

// pivot returns a number of the list that is near its median, however the list is arranged: the
// median of numbers from all over it.
func pivot(numbers []uint64) uint64 {
	sample := make([]uint64, 0, 101)
	for i := range cap(sample) {
		// places that are no multiples of one another, since lists have periods
		sample = append(sample, numbers[mix64(uint64(i))%uint64(len(numbers))])
	}
	slices.Sort(sample)
	return sample[len(sample)/2]
}

// partition arranges the numbers around the pivot: those below are in numbers[:less], those above
// in numbers[more:].
func partition(numbers []uint64, pivot uint64) (less, more int) {
	more = len(numbers)
	for i := 0; i < more; {
		switch n := numbers[i]; {
		case n < pivot:
			numbers[i], numbers[less] = numbers[less], n
			less++
			i++
		case n > pivot:
			more--
			numbers[i], numbers[more] = numbers[more], n
		default:
			i++
		}
	}
	return less, more
}
