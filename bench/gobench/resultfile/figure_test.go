package resultfile

import (
	"math"
	"slices"
	"testing"
)

// The interval needs six values, and is as wide as its larger half.
func TestFigure(t *testing.T) {
	for _, tc := range []struct {
		values    []float64
		want      Figure
		plusMinus string
	}{
		{[]float64{5, 1, 3}, Figure{3, math.Inf(-1), math.Inf(1), 3}, "∞"},
		{[]float64{103, 101, 100, 95, 100, 100}, Figure{100, 95, 103, 6}, "5%"},
		{[]float64{97, 99, 100, 105, 100, 100}, Figure{100, 97, 105, 6}, "5%"},
		{[]float64{-97, -99, -100, -105, -100, -100}, Figure{-100, -105, -97, 6}, "5%"},
		{[]float64{0, 0, 0, 0, 0, 0}, Figure{0, 0, 0, 6}, "0%"},
		{[]float64{-2, 0, 0, 0, 0, 1}, Figure{0, -2, 1, 6}, "150%"},
	} {
		given := slices.Clone(tc.values)
		got := NewFigure(given)
		if got != tc.want || got.PlusMinus() != tc.plusMinus || !slices.Equal(given, tc.values) {
			t.Errorf("%v: %v ± %s, want %v ± %s", tc.values, got, got.PlusMinus(), tc.want, tc.plusMinus)
		}
	}
	if got := NewExactFigure([]float64{7, 3, 7}); got != (Figure{7, 3, 7, 3}) {
		t.Errorf("exact: %v", got)
	}
}
