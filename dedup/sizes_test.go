package dedup

import "testing"

func TestMedianOfSizes(t *testing.T) {
	var s Sizes
	for _, step := range []struct{ add, median int }{{0, 0}, {5, 5}, {0, 5}, {7, 5}, {9, 7}, {5000, 7}, {5000, 9}, {5000, 9}, {5000, 1023}} {
		if s.Add(step.add); s.Median() != step.median {
			t.Errorf("after %d: median %d, want %d", step.add, s.Median(), step.median)
		}
	}
}
