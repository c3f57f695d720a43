package datasets

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// Short lists and long ones come out in order, and an interrupt does not wait for the sort of a
// long one.
func TestSort(t *testing.T) {
	for _, n := range []int{0, sortedAtOnce, sortedAtOnce + 1, 3 * sortedAtOnce} {
		numbers := randomNumbers(n)
		want, again := slices.Sorted(slices.Values(numbers)), slices.Clone(numbers)
		err := errors.Join(sortNumbers(t.Context(), numbers), sortUnlessEnded(t.Context(), n, func() { slices.Sort(again) }))
		if err != nil || !slices.Equal(numbers, want) || !slices.Equal(again, want) {
			t.Errorf("%d numbers: not sorted, %v", n, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stop, resume, ended := errors.New("stop"), make(chan struct{}), make(chan struct{})
	err := sortUnlessEnded(ctx, sortedAtOnce+1, func() {
		cancel(stop)
		<-resume
		close(ended)
	})
	if !errors.Is(err, stop) {
		t.Errorf("error %v while it was sorted", err)
	}
	close(resume)
	<-ended
	if err := sortNumbers(ctx, nil); !errors.Is(err, stop) {
		t.Errorf("error %v after the end of the context", err)
	}
}
