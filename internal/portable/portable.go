// Package portable computes logarithms, powers and angles with the same bits on every machine.
//
// The results of package math differ in the last digit between architectures (assembly, fused
// multiply-add). This package uses only additions, multiplications, divisions and square roots,
// each rounded separately. Results are accurate to about 12 digits, which is enough for weights and
// samplers.
package portable

import "math"

// Log returns ln x for x >= 0.
func Log(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	fraction, exponent := math.Frexp(x) // exact
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	// ln m = 2 (f + f^3/3 + f^5/5 + ...) with f = (m-1)/(m+1), here at most 0.172.
	f := (fraction - 1) / (fraction + 1)
	square := float64(f * f)
	sum := 0.0
	for n := 23; n >= 1; n -= 2 {
		sum = float64(sum*square) + 1/float64(n)
	}
	return float64(float64(exponent)*math.Ln2) + float64(2*float64(f*sum))
}

// Exp returns e^x. It returns 0 for x <= -700 and +Inf for x >= 700.
func Exp(x float64) float64 {
	if math.Abs(x) >= 700 {
		return max(0, math.Copysign(math.Inf(1), x))
	}
	n := math.Floor(float64(x/math.Ln2) + 0.5)
	rest := x - float64(n*math.Ln2) // at most 0.35
	sum := 1.0
	for k := 16; k >= 1; k-- {
		sum = float64(float64(sum*rest)/float64(k)) + 1
	}
	return math.Ldexp(sum, int(n))
}

// Atan2 returns the angle of the point (x, y) with y >= 0 in radians, from 0 to π. The angle of (0,
// 0) is 0. The result is accurate to 15 digits, even for small angles, and exactly 0, π/2 or π on
// the axes.
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

// Acos returns the angle, from 0 to π, of a cosine. It clamps the cosine to [-1, 1].
func Acos(cosine float64) float64 {
	cosine = max(-1, min(1, cosine))
	return Atan2(math.Sqrt(float64((1-cosine)*(1+cosine))), cosine)
}

// atan returns the arctangent of t, for 0 <= t <= 1.
func atan(t float64) float64 {
	// Apply tan(a/2) = t/(1 + √(1 + t^2)) twice, which leaves at most 0.199.
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
