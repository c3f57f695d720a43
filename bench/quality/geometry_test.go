package quality

import (
	"math"
	"testing"
)

// Small angles are exact to the last digit. The arc cosine would lose half of the digits: the
// cosine of 0.0001 is 1 to eight digits.
func TestSmallAngles(t *testing.T) {
	for _, n := range []int{1, 10, 100, 1000, 9000} {
		x := float64(n)
		// (n, 0) and (n, 1)
		radians, _, ok := angleOf(x*x, x*x, x*x+1)
		if want := math.Atan(1 / x); !ok || math.Abs(radians/want-1) > 1e-15 {
			t.Errorf("1 in %d: angle %v, want %v", n, radians, want)
		}
		// (n, 0) and (-n, 1)
		radians, _, ok = angleOf(-x*x, x*x, x*x+1)
		if want := math.Pi - math.Atan(1/x); !ok || math.Abs(radians/want-1) > 1e-15 {
			t.Errorf("-1 in %d: angle %v, want %v", n, radians, want)
		}
	}
	v := vectors{offsets: []int{0}}
	for i := range 2 {
		v.append([]feature{{0, 9000}, {i + 1, 1}})
	}
	radians, cosine, ok := v.angle(0, 1)
	if want := math.Atan2(math.Sqrt(81000001.*81000001-81e6*81e6), 81e6); !ok || math.Abs(radians/want-1) > 1e-15 || math.Abs(cosine-math.Cos(want)) > 1e-15 {
		t.Errorf("two vectors: angle %v and cosine %v, want %v", radians, cosine, want)
	}
}
