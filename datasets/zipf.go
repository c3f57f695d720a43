package datasets

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"simhashkit/internal/portable"
)

// zipf draws ranks from 1 to n, rank k with probability proportional to k^-s, for any s >= 0 and
// without a table: rejection-inversion (Hörmann and Derflinger 1996). The same source gives the
// same ranks on every architecture.
type zipf struct {
	n, s     float64
	x1, xN   float64 // integral of the density up to 1.5, less one; up to n + 0.5
	shortcut float64
}

func newZipf(n uint64, s float64) *zipf {
	z := &zipf{n: float64(n), s: s}
	z.x1 = z.integral(1.5) - 1
	z.xN = z.integral(z.n + 0.5)
	z.shortcut = 2 - z.inverse(z.integral(2.5)-z.density(2))
	return z
}

func (z *zipf) rank(source *rand.PCG) uint64 {
	for {
		u := z.xN + float64(unitFloat(source)*(z.x1-z.xN))
		x := z.inverse(u)
		k := max(1, min(z.n, math.Floor(x+0.5)))
		if k-x <= z.shortcut || u >= z.integral(k+0.5)-z.density(k) {
			return uint64(k)
		}
	}
}

func (z *zipf) density(x float64) float64 { return portable.Exp(float64(-z.s * portable.Log(x))) }

// integral is that of the density from 1 to x: (x^(1-s) - 1)/(1-s), or ln x when s is 1.
func (z *zipf) integral(x float64) float64 {
	log := portable.Log(x)
	return float64(expm1Ratio(float64((1-z.s)*log)) * log)
}

func (z *zipf) inverse(u float64) float64 {
	t := max(-1, float64(u*(1-z.s))) // below -1 only by rounding
	return portable.Exp(float64(log1pRatio(t) * u))
}

// expm1Ratio is (e^x - 1)/x, by its series near 0.
func expm1Ratio(x float64) float64 {
	if math.Abs(x) > 1e-3 {
		return (portable.Exp(x) - 1) / x
	}
	return 1 + float64(x/2*(1+float64(x/3*(1+float64(x/4)))))
}

// log1pRatio is ln(1+x)/x, by its series near 0.
func log1pRatio(x float64) float64 {
	if math.Abs(x) > 1e-3 {
		return portable.Log(1+x) / x
	}
	return 1 - float64(x*(0.5-float64(x*(1.0/3-float64(x/4)))))
}

// unitFloat returns a number in [0, 1) with 53 random bits.
func unitFloat(source *rand.PCG) float64 { return float64(source.Uint64()>>11) / (1 << 53) }

// below returns a number in [0, n); its bias is below n/2^64.
func below(source *rand.PCG, n uint64) uint64 {
	high, _ := bits.Mul64(source.Uint64(), n)
	return high
}

// mix64 is the finaliser of SplitMix64, a bijection of the 64-bit numbers.
func mix64(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
