package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lastStep is the number of registers that the length of a long vector is rounded up to.
const lastStep = 8

// many counts long vectors: in steps of full adders, each of which carries into the planes above,
// then in smaller steps, and the last with missing codes.
func (u unitPlanes) many(high int, suffix string) {
	planes := make([]reg.VecVirtual, 4+high)
	u.Comment("Counters from zero, bit-sliced.")
	for k := range planes {
		planes[k] = u.zero()
	}
	add := func(registers int, load func(use func(operand.Op))) {
		a, carry := adder{vectors: u.vectors}, bits.Len(uint(registers-1))
		for k, p := range planes[:carry] {
			a.add(k, p)
		}
		load(func(x operand.Op) { a.add(0, x) })
		u.ripple(planes[carry:], a.pending[carry][0])
	}
	full := func(registers int, use func(operand.Op)) {
		for i := range registers {
			use(operand.Mem{Base: u.codes, Disp: u.bytes * i})
		}
	}
	for registers := u.block; registers > lastStep; registers /= 2 {
		next := label("below", u.step(registers)) + suffix
		u.CMPQ(u.n, operand.U32(u.step(registers)))
		u.JBE(operand.LabelRef(next))
		if registers == u.block {
			u.Label("block" + suffix)
		}
		u.Comment(label("", u.step(registers)) + " codes.")
		add(registers, func(use func(operand.Op)) { full(registers, use) })
		u.ADDQ(operand.U32(registers*u.bytes), u.codes)
		u.SUBQ(operand.U32(u.step(registers)), u.n)
		if registers == u.block {
			u.CMPQ(u.n, operand.U32(u.step(registers)))
			u.JA(operand.LabelRef("block" + suffix))
		}
		u.Label(next)
	}
	last := u.step(lastStep)
	u.CMPQ(u.n, operand.U32(last))
	u.JBE(operand.LabelRef("last" + suffix))
	add(2*lastStep, func(use func(operand.Op)) {
		full(lastStep, use)
		u.loadTail(last, last, func(r reg.VecVirtual) { use(r) })
	})
	u.JMP(operand.LabelRef("whole" + suffix))
	u.Label("last" + suffix)
	add(lastStep, func(use func(operand.Op)) {
		u.loadTail(0, last, func(r reg.VecVirtual) { use(r) })
	})
	u.Label("whole" + suffix)
	planes, _ = u.fold(planes, nil)
	if u.sketch {
		u.compareSteps(planes)
	} else {
		u.storePlanes(planes)
	}
}

// compareSteps compares the counters with half of the number of codes, rounded up to steps, bit by
// bit from the lowest: in the highest bit in which they differ, more has the counter's.
func (u unitPlanes) compareSteps(planes []reg.VecVirtual) {
	u.Comment("Compare the counters with half of the votes, from the lowest bit to the highest.")
	known := bits.Len(uint(u.step(lastStep)/2)) - 1 // so many bits of half are 0
	steps := u.GP64()
	u.LEAQ(operand.Mem{Base: u.total, Disp: u.step(lastStep) - 1}, steps)
	u.SHRQ(operand.U8(known+1), steps)
	words := u.GP64() // all zeros and all ones: the bit of half chooses
	u.LEAQ(u.words64("bitOfHalf", 2, func(i int) uint64 { return -uint64(i) }), words)
	more := u.combine(planes[:known], u.or, ternaryOr3)
	differs := u.XMM()
	u.or(more, more, differs)
	for i, p := range planes[known:] {
		bit, x := u.GP64(), p.AsX()
		u.MOVQ(steps, bit)
		u.ANDQ(operand.U8(1), bit)
		if i < len(planes)-known-1 {
			u.SHRQ(operand.U8(1), steps)
		}
		half := operand.Mem{Base: words, Index: bit, Scale: 8}
		if u.shortAVX512 {
			u.VPTERNLOGQ_BCST(operand.U8(ternaryOrDifferent), half, x, differs)
			u.VPTERNLOGQ_BCST(operand.U8(ternaryAndOrByThird), half, x, more)
			continue
		}
		different := u.XMM()
		u.VMOVQ(half, different)
		u.VPXOR(x, different, different)
		u.VPOR(different, differs, differs)
		u.VPANDN(more, different, more)
		u.VPAND(x, different, different)
		u.VPOR(different, more, more)
	}
	p, zero := u.GP64(), u.GP64()
	u.VMOVQ(more, p)
	u.VMOVQ(differs, zero)
	u.NOTQ(zero)
	u.end(p, zero)
}
