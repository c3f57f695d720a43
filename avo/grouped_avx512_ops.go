package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	float32s = element{32, true}
	float64s = element{64, true}
	int32s   = element{32, false}
	int64s   = element{64, false}
)

func emitF32AVX512GFNI(b *builder) { emitPlain(b, byGFNI, float32s, "F32", "float32") }
func emitF32AVX512(b *builder)     { emitPlain(b, byWords, float32s, "F32", "float32") }
func emitF64AVX512GFNI(b *builder) { emitPlain(b, byGFNI, float64s, "F64", "float64") }
func emitF64AVX512(b *builder)     { emitPlain(b, byWords, float64s, "F64", "float64") }
func emitI64AVX512GFNI(b *builder) { emitPlain(b, byGFNI, int64s, "I64", "int64") }
func emitI64AVX512(b *builder)     { emitPlain(b, byWords, int64s, "I64", "int64") }

func emitI32AVX512GFNI(b *builder) {
	emitI32(b, byGFNI, integers{grouped{builder: b, transposition: byFive, element: int32s}, smallLimitVNNI, smallVNNI, narrowGFNI})
}

func emitI32AVX512(b *builder) {
	emitI32(b, byWords, integers{grouped{builder: b, transposition: byWords, element: int32s}, smallLimitWords, smallWords, narrowWords})
}

// emitPlain emits the two functions of an op whose weights and lanes have the same type.
func emitPlain(b *builder, t transposition, e element, op, goType string) {
	g := grouped{builder: b, transposition: t, element: e, weightBytes: e.bits / 8, loadWeights: b.loadPlain(e)}
	name := "add" + op + t.isa
	b.function(name, "func(lanes *[64]"+goType+", codes []uint64, weights []"+goType+")",
		name+" adds ±weights[i] to each lane. It works like add"+op+"Generic.")
	g.add()
	name = "sketch" + op + t.isa
	b.function(name, "func(codes []uint64, weights []"+goType+") Signs",
		name+" returns the signs of lanes that start from 0. It works like sketch"+op+"Generic.")
	g.sketch()
}

// loadPlain returns a function that loads weights that need no conversion.
func (b *builder) loadPlain(e element) func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
	return func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
		switch {
		case e.bits == 32 && k == nil:
			b.VMOVDQU32(m, to.AsY())
		case e.bits == 32:
			b.VMOVDQU32_Z(m, *k, to.AsY())
		case k == nil:
			b.VMOVDQU64(m, to)
		default:
			b.VMOVDQU64_Z(m, *k, to)
		}
	}
}

// emitI32 emits the form for weights whose sum fits in 32 bits, and the form with lanes of 64 bits
// for other weights.
func emitI32(b *builder, t transposition, narrow integers) {
	narrow.emit()
	wide := grouped{builder: b, transposition: t, element: int64s, weightBytes: 4}
	wide.loadWeights = func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
		if k == nil {
			b.VPMOVSXDQ(m, to)
		} else {
			b.VPMOVSXDQ_Z(m, *k, to)
		}
	}
	name := "addI32Wide" + t.isa
	b.function(name, "func(lanes *[64]int64, codes []uint64, weights []int32)", name+" adds ±weights[i] to each lane. It works like addI32Generic.")
	wide.add()
	name = "sketchI32Wide" + t.isa
	b.function(name, "func(codes []uint64, weights []int32) Signs", name+" returns the signs of lanes that start from 0. It works like sketchI32Generic.")
	wide.sketch()
}

// addTo64 adds the lanes of 32 bits to the lanes in memory, and returns from the function.
func (g grouped) addTo64(acc []reg.VecVirtual) {
	g.Comment("Bring the lanes into their own order, widen them and add them to those in memory.")
	lanes := g.param("lanes")
	for q, r := range g.naturalOrder(acc) {
		for half := range 2 {
			at, part, sum := operand.Mem{Base: lanes, Disp: 128*q + 64*half}, r.AsY(), g.ZMM()
			if half == 1 {
				part = g.YMM()
				g.VEXTRACTI64X4(operand.U8(1), r, part)
			}
			g.VPMOVSXDQ(part, sum)
			g.VPADDQ(at, sum, sum)
			g.VMOVDQU64(sum, at)
		}
	}
	g.leave()
}

func (g grouped) zeros() []reg.VecVirtual {
	acc := make([]reg.VecVirtual, g.accumulators())
	for i := range acc {
		acc[i] = g.zero512()
	}
	return acc
}

func (g grouped) add() {
	lanes := g.param("lanes")
	acc := g.loadLanes(lanes)
	g.accumulate(acc, false)
	g.storeLanes(acc, lanes)
	g.leave()
}

func (g grouped) sketch() {
	acc := make([]reg.VecVirtual, g.accumulators())
	for i := range acc {
		acc[i] = g.ZMM()
	}
	g.accumulate(acc, true)
	g.signs(acc)
}
