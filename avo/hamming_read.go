package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func (v vectors) read() {
	name := "read" + v.isa
	v.function(name, "func(words []uint64) uint64", name+" returns the exclusive or of the words, whose number is a multiple of 64. It works like readGeneric.")
	p, n := v.slice("words")
	sums := make([]reg.VecVirtual, 8)
	for i := range sums {
		sums[i] = v.zero()
	}
	v.TESTQ(n, n)
	v.JZ(operand.LabelRef("done"))
	v.Label("loop")
	v.Comment("64 words.")
	for i := range 512 / v.bytes {
		v.xor(operand.Mem{Base: p, Disp: v.bytes * i}, sums[i%8], sums[i%8])
	}
	v.ADDQ(operand.U32(512), p)
	v.SUBQ(operand.U8(64), n)
	v.JNZ(operand.LabelRef("loop"))
	v.Label("done")
	v.Comment("XOR the registers, then the lanes of the result.")
	for half := 4; half > 0; half /= 2 {
		for i := range half {
			v.xor(sums[half+i], sums[i], sums[i])
		}
	}
	sum := sums[0]
	for bytes := v.bytes; bytes > 8; bytes /= 2 {
		lower, upper := v.halves(sum, bytes)
		v.xor(lower, upper, upper)
		sum = upper
	}
	result := v.GP64()
	v.VMOVQ(sum, result)
	v.Store(result, v.ReturnIndex(0))
	v.leave()
}
