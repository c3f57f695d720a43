package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Bit-sliced counting: many counters side by side, bit k of all of them in one register, its plane
// k. A carry-save adder turns three registers of the same weight into one of that weight and one of
// twice the weight, in two instructions with ternary logic and in five without.

// vectors is the instruction set of a kernel.
type vectors struct {
	*builder
	isa   string // as the names of kernels end: AVX2, AVX512 or AVX512GFNI
	bytes int    // of a register: 32 or 64
}

// avx512 tells whether the instructions of AVX-512 are there, which reach all 32 registers, also
// where they are used as shorter ones.
func (v vectors) avx512() bool { return v.bytes == 64 || v.shortAVX512 }

func (v vectors) register() reg.VecVirtual {
	if v.bytes == 64 {
		return v.ZMM()
	}
	return v.YMM()
}

// ones returns a register of ones.
func (v vectors) ones() reg.VecVirtual {
	r := v.register()
	if v.avx512() {
		v.VPTERNLOGD(operand.U8(0xFF), r, r, r)
	} else {
		v.VPCMPEQD(r, r, r)
	}
	return r
}

func (v vectors) zero() reg.VecVirtual {
	switch {
	case v.bytes == 64:
		return v.zero512()
	case v.shortAVX512:
		r := v.YMM()
		v.VPXORD(r, r, r)
		return r
	}
	return v.zero256()
}

// words is the number of codes in a register.
func (v vectors) words() int { return v.bytes / 8 }

func (v vectors) load(from operand.Op) reg.VecVirtual {
	r := v.register()
	if v.avx512() {
		v.VMOVDQU64(from, r)
	} else {
		v.VMOVDQU(from, r)
	}
	return r
}

// sameSize returns a new register as long as r.
func (v vectors) sameSize(r reg.VecVirtual) reg.VecVirtual {
	switch r.Size() {
	case 64:
		return v.ZMM()
	case 32:
		return v.YMM()
	default:
		return v.XMM()
	}
}

// and, or and xor leave a op b in c. The forms of AVX-512 reach all 32 registers, also where they
// are used as shorter ones.
func (v vectors) and(a, b, c operand.Op) { v.pick(v.VPANDQ, v.VPAND)(a, b, c) }
func (v vectors) or(a, b, c operand.Op)  { v.pick(v.VPORQ, v.VPOR)(a, b, c) }
func (v vectors) xor(a, b, c operand.Op) { v.pick(v.VPXORQ, v.VPXOR)(a, b, c) }

func (v vectors) pick(avx512 func(...operand.Op), avx2 func(a, b, c operand.Op)) func(a, b, c operand.Op) {
	if v.avx512() {
		return func(a, b, c operand.Op) { avx512(a, b, c) }
	}
	return avx2
}

// addSaving is the carry-save adder: it leaves the sum a^b^c in a and returns the carry, at least
// two of a, b and c, in b's register. c may be in memory.
func (v vectors) addSaving(a, b reg.VecVirtual, c operand.Op) (carry reg.VecVirtual) {
	if v.avx512() {
		v.VPTERNLOGQ(operand.U8(ternaryXor3), c, b, a)
		v.VPTERNLOGQ(operand.U8(ternaryCarryFromSum), c, a, b)
		return b
	}
	u := v.sameSize(a)
	v.VPXOR(a, b, u)
	v.VPAND(a, b, b)
	v.VPXOR(c, u, a)
	v.VPAND(c, u, u)
	v.VPOR(u, b, b)
	return b
}

// addHalf leaves a^b in a and returns a&b.
func (v vectors) addHalf(a, b reg.VecVirtual) (carry reg.VecVirtual) {
	carry = v.sameSize(a)
	v.and(a, b, carry)
	v.xor(a, b, a)
	return carry
}

// adder sums registers of ones into planes, as many at a time as are of the same weight, and holds
// no more of them than it must.
type adder struct {
	vectors
	// by weight; the first of a weight stays in its register, so that a loop can carry it
	pending [][]reg.VecVirtual
}

func (a *adder) weight(k int) []reg.VecVirtual {
	for len(a.pending) <= k {
		a.pending = append(a.pending, nil)
	}
	return a.pending[k]
}

// add adds a register or a place in memory of weight 2^k.
func (a *adder) add(k int, x operand.Op) {
	p := a.weight(k)
	if len(p) < 2 {
		r, ok := x.(reg.VecVirtual)
		if !ok {
			r = a.load(x)
		}
		a.pending[k] = append(p, r)
		return
	}
	carry := a.addSaving(p[0], p[1], x)
	a.pending[k] = p[:1]
	a.add(k+1, carry)
}

// planes leaves one register a weight and returns them.
func (a *adder) planes() []reg.VecVirtual {
	var planes []reg.VecVirtual
	for k := 0; k < len(a.pending); k++ {
		p := a.pending[k]
		if len(p) == 2 {
			a.add(k+1, a.addHalf(p[0], p[1]))
		}
		planes = append(planes, p[0])
	}
	return planes
}

// ripple adds carry to the counters made of these planes.
func (v vectors) ripple(planes []reg.VecVirtual, carry reg.VecVirtual) {
	for i, p := range planes {
		if i < len(planes)-1 {
			carry = v.addHalf(p, carry)
		} else {
			// the counters are large enough that nothing is carried out of the last plane
			v.xor(p, carry, p)
		}
	}
}

// codeSource loads codes, register by register, from base on; with a mask, codes from n on count as
// 0.
type codeSource struct {
	vectors
	base reg.GPVirtual
}

func (s codeSource) at(i int) operand.Mem { return operand.Mem{Base: s.base, Disp: s.bytes * i} }

// loadBelow loads registers from..from+count-1, of which the codes below n are there; n lies in a
// general register and is less than from·words + 64. It calls use for each as soon as it is loaded.
func (s codeSource) loadBelow(from, count int, n reg.GPVirtual, use func(reg.VecVirtual)) {
	s.Comment("The last codes; what is not there has no ones.")
	bits, left := s.immediate(1<<64-1), s.GP64()
	s.LEAQ(operand.Mem{Base: n, Disp: -from * s.words()}, left)
	s.BZHIQ(left, bits, bits)
	for i := range count {
		k, r := s.K(), s.ZMM()
		s.KMOVB(bits.As32(), k)
		s.VMOVDQU64_Z(s.at(from+i), k, r)
		use(r)
		if i < count-1 {
			s.SHRQ(operand.U8(8), bits)
		}
	}
}
