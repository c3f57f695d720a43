package accumulate

import (
	"simhashkit/asm/cpu"
)

// Grouped order: a group of four features changes a lane by one of 16 sums. The lane's bits in the
// four codes select the sum. So a group costs one table of 16 sums and, per lane, one look-up and
// one addition, while the direct form would cost four sign changes and four additions.

// lane is a type in which sums are kept.
type lane interface{ float32 | float64 | int64 }

// weight is a type of weights. A weight is converted to the lane's type before it is added.
type weight interface {
	float32 | float64 | int32 | int64
}

// table16 holds the sums (±w0 ±w1) + (±w2 ±w3): bit i of the index says that feature i counts as
// positive.
type table16[T lane] [16]T

func (t *table16[T]) fill(w0, w1, w2, w3 T) {
	a3, a2, a1, a0 := w0+w1, -w0+w1, w0-w1, -w0-w1
	b3, b2, b1, b0 := w2+w3, -w2+w3, w2-w3, -w2-w3
	*t = table16[T]{
		a0 + b0, a1 + b0, a2 + b0, a3 + b0,
		a0 + b1, a1 + b1, a2 + b1, a3 + b1,
		a0 + b2, a1 + b2, a2 + b2, a3 + b2,
		a0 + b3, a1 + b3, a2 + b3, a3 + b3,
	}
}

// interleave4 turns the codes of a group into table indices: nibble n of r[k] holds bit 4n+k of c0
// (lowest) to c3.
func interleave4(c0, c1, c2, c3 uint64) (r0, r1, r2, r3 uint64) {
	const m1, m2 = 0x5555555555555555, 0x3333333333333333
	a0, a1 := c0&m1|c1&m1<<1, c0>>1&m1|c1&^m1
	b0, b1 := c2&m1|c3&m1<<1, c2>>1&m1|c3&^m1
	return a0&m2 | b0&m2<<2, a1&m2 | b1&m2<<2, a0>>2&m2 | b0&^m2, a1>>2&m2 | b1&^m2
}

// addGrouped adds the features to the lanes in grouped order.
func addGrouped[T lane, W weight](lanes *[64]T, codes []uint64, weights []W) {
	weights = weights[:len(codes)]
	var t, u table16[T]
	for len(codes) >= 8 {
		c, w := (*[8]uint64)(codes), (*[8]W)(weights)
		codes, weights = codes[8:], weights[8:]
		t.fill(T(w[0]), T(w[1]), T(w[2]), T(w[3]))
		u.fill(T(w[4]), T(w[5]), T(w[6]), T(w[7]))
		x0, x1, x2, x3 := interleave4(c[0], c[1], c[2], c[3])
		y0, y1, y2, y3 := interleave4(c[4], c[5], c[6], c[7])
		for j := 0; j < 64; j += 4 {
			l := (*[4]T)(lanes[j:])
			l[0] = l[0] + t[x0&15] + u[y0&15]
			l[1] = l[1] + t[x1&15] + u[y1&15]
			l[2] = l[2] + t[x2&15] + u[y2&15]
			l[3] = l[3] + t[x3&15] + u[y3&15]
			x0, x1, x2, x3 = x0>>4, x1>>4, x2>>4, x3>>4
			y0, y1, y2, y3 = y0>>4, y1>>4, y2>>4, y3>>4
		}
	}
	for len(codes) > 0 {
		var c [4]uint64
		var w [4]W
		n := copy(c[:], codes)
		copy(w[:], weights)
		codes, weights = codes[n:], weights[n:]
		t.fill(T(w[0]), T(w[1]), T(w[2]), T(w[3]))
		x0, x1, x2, x3 := interleave4(c[0], c[1], c[2], c[3])
		for j := 0; j < 64; j += 4 {
			l := (*[4]T)(lanes[j:])
			l[0] += t[x0&15]
			l[1] += t[x1&15]
			l[2] += t[x2&15]
			l[3] += t[x3&15]
			x0, x1, x2, x3 = x0>>4, x1>>4, x2>>4, x3>>4
		}
	}
}

// sketchGrouped returns the signs of lanes that addGrouped has changed from +0.
func sketchGrouped[T lane, W weight](codes []uint64, weights []W) Signs {
	var lanes [64]T
	addGrouped(&lanes, codes, weights)
	return SignsOf(&lanes)
}

// AddSequential adds ±weights[i] to each lane, one feature after the other.
func AddSequential[T float32 | float64](lanes *[64]T, codes []uint64, weights []T) {
	sameLength(len(codes), len(weights))
	weights = weights[:len(codes)]
	for i, c := range codes {
		signed := [2]T{-weights[i], weights[i]}
		for j := 0; j < 64; j += 4 {
			l := (*[4]T)(lanes[j:])
			l[0] += signed[c&1]
			l[1] += signed[c>>1&1]
			l[2] += signed[c>>2&1]
			l[3] += signed[c>>3&1]
			c >>= 4
		}
	}
}

// SketchSequential returns the signs that lanes have after adding ±weights[i] to +0, one feature
// after the other.
func SketchSequential[T float32 | float64](codes []uint64, weights []T) Signs {
	var lanes [64]T
	AddSequential(&lanes, codes, weights)
	return SignsOf(&lanes)
}

// Narrow stores the low 32 bits of each weight of src in dst, and reports whether all weights fit
// int32. It panics if the lengths differ.
func Narrow(dst []int32, src []int64) bool { return narrowOf(cpu.Active(), dst, src) }

// narrowOf is Narrow at a tier. Kernels convert a multiple of eight elements.
func narrowOf(tier cpu.Tier, dst []int32, src []int64) bool {
	if len(dst) != len(src) {
		panic("accumulate: destination and source differ in length")
	}
	head := len(src) &^ 7
	beyond := int32At(tier, dst[:head], src[:head]) | int32Generic(dst[head:], src[head:])
	return beyond>>32 == 0
}

// int32Generic converts src. The upper half of beyond is 0 if all elements fit.
func int32Generic(dst []int32, src []int64) (beyond uint64) {
	for i, x := range src[:len(dst)] {
		dst[i] = int32(x)
		beyond |= uint64(x) + 1<<31
	}
	return beyond
}
