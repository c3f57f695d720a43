package main

import (
	"github.com/mmcloughlin/avo/operand"
)

var _ = hashes(hashFile{name: "crc32c", emit: emitCRC32C, only: "avx2", ops: []hashOp{
	{"crc32c", "crc32c", 1, unseeded, &dispatch{anyNumber: true}},
}})

// emitCRC32C emits a loop without vectors: one instruction computes the checksum of 8 bytes. It has
// a latency of three cycles, so several keys are in flight.
func emitCRC32C(b hashLanes) {
	const flight = 8
	b.function("crc32cAVX2", "func(dst, keys []uint64)", "crc32cAVX2 hashes the keys. It works like crc32cGeneric.")
	to := b.base("dst")
	from, n := b.slice("keys")
	step := func(keys int) {
		for i := range keys {
			sum := b.GP64()
			b.MOVL(operand.U32(0xFFFFFFFF), sum.As32())
			b.CRC32Q(operand.Mem{Base: from, Disp: 8 * i}, sum)
			b.NOTL(sum.As32())
			b.MOVQ(sum, operand.Mem{Base: to, Disp: 8 * i})
		}
		b.ADDQ(operand.U32(8*keys), from)
		b.ADDQ(operand.U32(8*keys), to)
		b.SUBQ(operand.U8(keys), n)
	}
	b.CMPQ(n, operand.U8(flight))
	b.JL(operand.LabelRef("single"))
	b.Label("many")
	b.Comment("The checksum starts from ones. The code is its complement.")
	step(flight)
	b.CMPQ(n, operand.U8(flight))
	b.JGE(operand.LabelRef("many"))
	b.Label("single")
	b.TESTQ(n, n)
	b.JLE(operand.LabelRef("done"))
	b.Comment("A single key.")
	step(1)
	b.JMP(operand.LabelRef("single"))
	b.Label("done")
	b.RET()
}
