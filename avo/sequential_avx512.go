package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// In sequential order a feature moves a lane by ±w, so its table has that instead of sums: every
// entry is +w or -w by one bit of the position. The positions are those of the grouped forms, four
// features in a nibble; VPERMD looks at four bits, VPERMQ at three, so that the fourth feature
// takes another shift.

func emitF32SequentialAVX512GFNI(b *builder) { emitSequential(b, byGFNI, float32s, "F32", "float32") }
func emitF32SequentialAVX512(b *builder)     { emitSequential(b, byWords, float32s, "F32", "float32") }
func emitF64SequentialAVX512GFNI(b *builder) { emitSequential(b, byGFNI, float64s, "F64", "float64") }
func emitF64SequentialAVX512(b *builder)     { emitSequential(b, byWords, float64s, "F64", "float64") }

func emitSequential(b *builder, t transposition, e element, op, goType string) {
	s := sequential{grouped{builder: b, transposition: t, element: e, weightBytes: e.bits / 8}}
	s.loadWeights = func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
		if k != nil { // whole eights are broadcast from memory, one by one
			b.loadPlain(e)(m, k, to)
		}
	}
	name := "add" + op + "Sequential" + t.isa
	b.function(name, "func(lanes *[64]"+goType+", codes []uint64, weights []"+goType+")",
		name+" adds ±weights[i] to each lane, one after the other. It works like add"+op+"SequentialGeneric.")
	lanes := b.Load(b.Param("lanes"), b.GP64()).(reg.GPVirtual)
	acc := s.loadLanes(lanes)
	s.accumulate(acc)
	s.storeLanes(acc, lanes)
	b.VZEROUPPER()
	b.RET()
	name = "sketch" + op + "Sequential" + t.isa
	b.function(name, "func(codes []uint64, weights []"+goType+") Signs",
		name+" returns the signs of lanes that start from +0. It works like sketch"+op+"SequentialGeneric.")
	acc = s.zeros()
	s.accumulate(acc)
	s.signs(acc)
}

type sequential struct{ grouped }

func (s sequential) accumulate(acc []reg.VecVirtual) {
	b := s.builder
	var signs []reg.VecVirtual // by bit of the position: the sign bit where that is 0
	prepare := func() {
		bits := 3
		if s.bits == 32 {
			bits = 4
		}
		for bit := range bits {
			if s.bits == 32 {
				signs = append(signs, b.load512(b.words32(label("minus32_", bit), 16, func(e int) uint32 { return uint32(^e>>bit&1) << 31 })))
			} else {
				signs = append(signs, b.load512(b.words64(label("minus64_", bit), 8, func(e int) uint64 { return uint64(^e>>bit&1) << 63 })))
			}
		}
	}
	s.eights(acc, prepare, func(f eight) {
		for group := range 2 {
			b.Comment(label("Group ", group) + ": tables of ±weight for each of its features, then each lane in their order.")
			table := make([]reg.VecVirtual, 4)
			if f.memory == nil {
				table = table[:4-group] // seven are left at most
			}
			for k := range table {
				table[k] = s.weight(f, 4*group+k)
				b.VPXORQ(signs[min(k, len(signs)-1)], table[k], table[k])
			}
			for i := range acc {
				shift, position := s.shiftOf(i, group), reg.VecVirtual(nil)
				for k := range table {
					if k%len(signs) == 0 {
						position = s.shifted(f.positions, shift+max(0, k-len(signs)+1))
					}
					sum := b.ZMM()
					if s.bits == 32 {
						b.VPERMD(table[k], position, sum)
					} else {
						b.VPERMQ(table[k], position, sum)
					}
					s.plus(sum, acc[i])
				}
			}
		}
	}, nil)
}

// weight returns weight k in all elements.
func (s sequential) weight(f eight, k int) reg.VecVirtual {
	b, w := s.builder, s.ZMM()
	switch {
	case f.memory != nil && s.bits == 32:
		b.VBROADCASTSS(f.memory.Offset(4*k), w)
	case f.memory != nil:
		b.VBROADCASTSD(f.memory.Offset(8*k), w)
	case s.bits == 32:
		b.VPERMD(f.weights, b.load512(b.words32(label("all32_", k), 16, func(int) uint32 { return uint32(k) })), w)
	default:
		b.VPERMQ(f.weights, b.load512(b.words64(label("all64_", k), 8, func(int) uint64 { return uint64(k) })), w)
	}
	return w
}

func (s sequential) shifted(t reg.VecVirtual, shift int) reg.VecVirtual {
	if shift == 0 {
		return t
	}
	r := s.ZMM()
	if s.bits == 32 {
		s.VPSRLD(operand.U8(shift), t, r)
	} else {
		s.VPSRLQ(operand.U8(shift), t, r)
	}
	return r
}
