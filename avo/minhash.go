package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitMinHash(v vectors) {
	v.addMinima("add" + v.isa)
	v.minimaBits("bits" + v.isa)
}

// addMinima passes over all keys with four registers of lanes at a time: all lanes with AVX-512,
// half of them with AVX2. Minima, multipliers and summands stay in registers.
func (v vectors) addMinima(name string) {
	const together = 4
	v.function(name, "func(minima *[64]uint32, functions *[2][64]uint32, keys []uint64)", name+" works like addGeneric.")
	minima := v.param("minima")
	functions := v.param("functions")
	end, n := v.slice("keys")
	v.Comment("the index of keys counts up to 0")
	v.LEAQ(operand.Mem{Base: end, Index: n, Scale: 8}, end)
	v.NEGQ(n)
	v.JZ(operand.LabelRef("done"))
	i, key := v.GP64(), v.register()
	for from := 0; from < 256; from += together * v.bytes {
		var least, multiply, add [together]reg.VecVirtual
		for r := range together {
			at := from + r*v.bytes
			least[r] = v.load(operand.Mem{Base: minima, Disp: at})
			multiply[r] = v.load(operand.Mem{Base: functions, Disp: at})
			add[r] = v.load(operand.Mem{Base: functions, Disp: 256 + at})
		}
		v.MOVQ(n, i)
		loop := label("lanes", from/4)
		v.Label(loop)
		v.Comment(fmt.Sprintf("min(m, a*key + b), from lane %d on", from/4))
		v.VPBROADCASTD(operand.Mem{Base: end, Index: i, Scale: 8}, key)
		for r := range together {
			h := v.register()
			v.VPMULLD(multiply[r], key, h)
			v.VPADDD(add[r], h, h)
			v.VPMINUD(h, least[r], least[r])
		}
		v.INCQ(i)
		v.JNZ(operand.LabelRef(loop))
		for r := range together {
			v.store(least[r], operand.Mem{Base: minima, Disp: from + r*v.bytes})
		}
	}
	v.Label("done")
	v.leave()
}

// minimaBits returns the highest bit of (m ^ m>>15)*K for each minimum m, where K is a constant.
func (v vectors) minimaBits(name string) {
	v.function(name, "func(minima *[64]uint32) (bits uint64)", name+" works like bitsGeneric.")
	minima := v.param("minima")
	word, factor, lanes := v.GP64(), v.register(), v.bytes/4
	v.VPBROADCASTD(v.words32("bitFactor", 1, func(int) uint32 { return 0x9E3779B1 }), factor)
	for i := range 64 / lanes {
		m, shifted := v.load(operand.Mem{Base: minima, Disp: i * v.bytes}), v.register()
		v.VPSRLD(operand.U8(15), m, shifted)
		v.xor(shifted, m, m)
		v.VPMULLD(factor, m, m)
		part := word
		if i > 0 {
			part = v.GP64()
		}
		if v.bytes == 64 {
			k := v.K()
			v.VPMOVD2M(m, k)
			v.KMOVW(k, part.As32())
		} else {
			v.VMOVMSKPS(m, part.As32())
		}
		if i > 0 {
			v.SHLQ(operand.U8(lanes*i), part)
			v.ORQ(part, word)
		}
	}
	v.Store(word, v.ReturnIndex(0))
	v.leave()
}
