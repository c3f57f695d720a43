package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A scan of bit planes counts the planes that differ from the query, for all fingerprints of a
// block at once. Its bit-sliced counters start so high that the first count beyond the limit
// overflows.

func emitPlanesAVX2(b *builder)   { planesForm{vectors{b, 32}, "AVX2"}.emit() }
func emitPlanesAVX512(b *builder) { planesForm{vectors{b, 64}, "AVX512"}.emit() }

type planesForm struct {
	vectors
	isa string
}

const (
	planeBytes   = 64 // of the 512 fingerprints of a block
	planesOfStep = 4
)

func (s planesForm) emit() {
	name := "blocksWithin" + s.isa
	s.function(name, "func(counts *[9][8]uint64, planes, signs, start []uint64) int",
		name+" returns the number of the first block that has a fingerprint for which the counter does not overflow that begins at start and counts the planes that "+
			"differ from their signs, and leaves in counts a bit for each fingerprint, which is 1 if it does, and the planes of the counters; the number of blocks if "+
			"there is none. It works like blocksWithinGeneric. There are 2, 4 or 8 words of start, and the number of signs is a multiple of 64.")
	k := planesKernel{planesForm: s}
	k.counts = s.Load(s.Param("counts"), s.GP64()).(reg.GPVirtual)
	k.block = s.Load(s.Param("planes").Base(), s.GP64()).(reg.GPVirtual)
	k.end = s.Load(s.Param("planes").Len(), s.GP64()).(reg.GPVirtual)
	k.signs = s.Load(s.Param("signs").Base(), s.GP64()).(reg.GPVirtual)
	k.size = s.Load(s.Param("signs").Len(), s.GP64()).(reg.GPVirtual)
	k.start = s.Load(s.Param("start").Base(), s.GP64()).(reg.GPVirtual)
	n := s.Load(s.Param("start").Len(), s.GP64()).(reg.GPVirtual)
	s.LEAQ(operand.Mem{Base: k.block, Index: k.end, Scale: 8}, k.end)
	k.number, k.found, k.ones = s.GP64(), s.GP64(), s.ones()
	s.XORL(k.number.As32(), k.number.As32())
	s.CMPQ(n, operand.U8(4))
	s.JE(operand.LabelRef("four"))
	s.JA(operand.LabelRef("eight"))
	k.blocks("two", 2)
	k.blocks("four", 4)
	k.blocks("eight", 8)
	s.Label("done")
	s.Store(k.number, s.ReturnIndex(0))
	s.VZEROUPPER()
	s.RET()
}

type planesKernel struct {
	planesForm
	counts, block, end, signs, size, start, number, found reg.GPVirtual
	ones                                                  reg.VecVirtual
}

// blocks emits the loop over blocks with counters of that many bits.
func (k planesKernel) blocks(name string, counters int) {
	k.Label(name)
	k.CMPQ(k.block, k.end)
	k.JE(operand.LabelRef("done"))
	k.XORL(k.found.As32(), k.found.As32())
	for part := 0; part < planeBytes; part += k.bytes {
		k.part(label(name, part), counters, part)
	}
	k.TESTL(k.found.As32(), k.found.As32())
	k.JNZ(operand.LabelRef("done"))
	size := k.GP64()
	k.MOVQ(k.size, size)
	k.SHLQ(operand.U8(6), size)
	k.ADDQ(size, k.block)
	k.INCQ(k.number)
	k.JMP(operand.LabelRef(name))
}

// part counts as many fingerprints of a block as a register has bits, those whose bits begin at
// that byte of a plane.
func (k planesKernel) part(name string, counters, part int) {
	k.Comment("Count four planes at a time, until all counters have overflown.")
	count := make([]reg.VecVirtual, counters)
	for i := range count {
		count[i] = k.register()
		k.VPBROADCASTQ(operand.Mem{Base: k.start, Disp: 8 * i}, count[i])
	}
	over := k.zero()
	plane, sign, left := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(k.block, plane)
	k.MOVQ(k.signs, sign)
	k.MOVQ(k.size, left)
	k.Label(name)
	differ := func(i int) reg.VecVirtual {
		x := k.register()
		k.VPBROADCASTQ(operand.Mem{Base: sign, Disp: 8 * i}, x)
		k.xor(operand.Mem{Base: plane, Disp: planeBytes*i + part}, x, x)
		return x
	}
	first := k.addSaving(count[0], differ(0), differ(1))
	second := k.addSaving(count[0], differ(2), differ(3))
	carry := k.addSaving(count[1], first, second)
	for _, c := range count[2:] {
		carry = k.addHalf(c, carry)
	}
	k.or(carry, over, over)
	if k.bytes == 64 {
		full := k.K()
		k.VPCMPEQQ(k.ones, over, full)
		k.KORTESTB(full, full)
	} else {
		k.VPTEST(k.ones, over)
	}
	k.JCS(operand.LabelRef(name + "Over"))
	k.ADDQ(operand.U32(planesOfStep*planeBytes), plane)
	k.ADDQ(operand.U8(planesOfStep*8), sign)
	k.SUBQ(operand.U8(planesOfStep), left)
	k.JNZ(operand.LabelRef(name))
	k.MOVL(operand.U32(1), k.found.As32())
	for i, c := range count {
		k.store(c, operand.Mem{Base: k.counts, Disp: planeBytes*(1+i) + part})
	}
	k.Label(name + "Over")
	k.store(over, operand.Mem{Base: k.counts, Disp: part})
}
