package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitScatterAVX2(b vectors) {
	b.function("writeAVX2", "func(words *[16]uint64, numbers *[16]uint32, fromWords *[16]uint64, fromNumbers *[16]uint32)",
		"writeAVX2 copies entries past the caches to words and numbers, which begin at multiples of 32 bytes. It works like writeGeneric.")
	words := b.param("words")
	numbers := b.param("numbers")
	fromWords := b.param("fromWords")
	fromNumbers := b.param("fromNumbers")
	stream := func(from, to reg.GPVirtual, vectors int) {
		for i := range vectors {
			y := b.YMM()
			b.VMOVDQU(operand.Mem{Base: from, Disp: 32 * i}, y)
			b.VMOVNTDQ(y, operand.Mem{Base: to, Disp: 32 * i})
		}
	}
	stream(fromWords, words, 4)
	stream(fromNumbers, numbers, 2)
	b.leave()

	b.function("fenceAVX2", "func()", "fenceAVX2 completes the writes before it.")
	b.SFENCE()
	b.RET()
}
