package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Bit-sliced counting: one register, called plane k, holds bit k of many counters. A carry-save
// adder turns three registers of the same weight into one of that weight and one of twice the
// weight. This takes two instructions with ternary logic and five without.

// vectors is the instruction set of a kernel.
type vectors struct {
	*builder
	isa   string // suffix of the names of kernels: AVX2, AVX512 or AVX512GFNI
	bytes int    // of a register: 32 or 64
}

// avx512 reports whether the kernel uses AVX-512 instructions, which can access all 32 registers,
// also as shorter registers.
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
	v.setOnes(r)
	return r
}

func (v vectors) setOnes(r reg.VecVirtual) {
	if v.avx512() {
		v.VPTERNLOGD(operand.U8(0xFF), r, r, r)
	} else {
		v.VPCMPEQD(r, r, r)
	}
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

// words returns the number of codes in a register.
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

// sameSize returns a new register of the size of r.
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

// and, or and xor store a op b in c.
func (v vectors) and(a, b, c operand.Op) { v.pick(v.VPANDQ, v.VPAND)(a, b, c) }
func (v vectors) or(a, b, c operand.Op)  { v.pick(v.VPORQ, v.VPOR)(a, b, c) }
func (v vectors) xor(a, b, c operand.Op) { v.pick(v.VPXORQ, v.VPXOR)(a, b, c) }

func (v vectors) pick(avx512 func(...operand.Op), avx2 func(a, b, c operand.Op)) func(a, b, c operand.Op) {
	if v.avx512() {
		return func(a, b, c operand.Op) { avx512(a, b, c) }
	}
	return avx2
}

// addSaving is the carry-save adder. It stores the sum a^b^c in a, and returns the carry, the
// majority of a, b and c, in b's register. c may be in memory.
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

// addHalf stores a^b in a and returns a&b.
func (v vectors) addHalf(a, b reg.VecVirtual) (carry reg.VecVirtual) {
	carry = v.sameSize(a)
	v.and(a, b, carry)
	v.xor(a, b, a)
	return carry
}

// adder sums bits into planes. It adds three registers as soon as they have the same weight, so
// that few registers are in use.
type adder struct {
	vectors
	// by weight; the first register of a weight stays the same, so that loops can keep a sum in it
	pending [][]reg.VecVirtual
}

func (a *adder) weight(k int) []reg.VecVirtual {
	for len(a.pending) <= k {
		a.pending = append(a.pending, nil)
	}
	return a.pending[k]
}

// add adds a register or memory operand of weight 2^k.
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

// planes adds the pending registers and returns one register per weight.
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

// ripple adds carry to the counters that these planes hold.
func (v vectors) ripple(planes []reg.VecVirtual, carry reg.VecVirtual) {
	for i, p := range planes {
		if i < len(planes)-1 {
			carry = v.addHalf(p, carry)
		} else {
			// counters are so large that the last plane has no carry
			v.xor(p, carry, p)
		}
	}
}

// codeSource loads registers of codes that start at base.
type codeSource struct {
	vectors
	base reg.GPVirtual
}

func (s codeSource) at(i int) operand.Mem { return operand.Mem{Base: s.base, Disp: s.bytes * i} }

// loadBelow loads registers from..from+count-1. Codes at n and after count as 0. n is a general
// register with a value below from·words + 64. loadBelow calls use for each register.
func (s codeSource) loadBelow(from, count int, n reg.GPVirtual, use func(reg.VecVirtual)) {
	s.Comment("The last codes. Missing codes are 0.")
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
