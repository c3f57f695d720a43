package portable

import "math"

// Atan2 returns the angle of the point (x, y) with y >= 0 in radians, from 0 to π, and 0 of the
// point (0, 0). It is right to 15 digits, small angles too; on the axes it is 0, π/2 or π.
func Atan2(y, x float64) float64 {
	long, short := max(math.Abs(x), y), min(math.Abs(x), y)
	if long == 0 {
		return 0
	}
	radians := atan(short / long)
	if y > math.Abs(x) {
		radians = math.Pi/2 - radians
	}
	if x < 0 {
		radians = math.Pi - radians
	}
	return radians
}

// Acos returns the angle of a cosine, from 0 to π; one that is off [-1, 1] counts as 1 or -1.
func Acos(cosine float64) float64 {
	cosine = max(-1, min(1, cosine))
	return Atan2(math.Sqrt(float64((1-cosine)*(1+cosine))), cosine)
}

// atan is for 0 <= t <= 1.
func atan(t float64) float64 {
	// tan(a/2) = t/(1 + √(1 + t^2)), twice: at most 0.199 is left.
	for range 2 {
		t /= 1 + math.Sqrt(1+float64(t*t))
	}
	// t - t^3/3 + t^5/5 - ...
	square := float64(t * t)
	sum := 0.0
	for n := 25; n >= 1; n -= 2 {
		sum = 1/float64(n) - float64(sum*square)
	}
	return float64(4*t) * sum
}
