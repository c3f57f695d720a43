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
func emitI32AVX512GFNI(b *builder) { emitI32(b, byGFNI) }
func emitI32AVX512(b *builder)     { emitI32(b, byWords) }

// emitPlain emits the two functions of an op whose weights and lanes are of one type.
func emitPlain(b *builder, t transposition, e element, op, goType string) {
	g := grouped{builder: b, transposition: t, element: e, weightBytes: e.bits / 8}
	g.loadWeights = func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
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
	name := "add" + op + t.isa
	b.function(name, "func(lanes *[64]"+goType+", codes []uint64, weights []"+goType+")",
		name+" adds ±weights[i] to each lane. It works like add"+op+"Generic.")
	g.add()
	results := "positive, zero uint64"
	if e.float {
		results = "positive, zero, nonFinite uint64"
	}
	name = "sketch" + op + t.isa
	b.function(name, "func(codes []uint64, weights []"+goType+") ("+results+")",
		name+" returns the signs of lanes that start from 0. It works like sketch"+op+"Generic.")
	g.sketch()
}

// emitI32 emits a look at the weights and four functions: lanes of 32 bits for weights whose sum is known to fit, and lanes of 64 bits for the others.
func emitI32(b *builder, t transposition) {
	narrow := grouped{builder: b, transposition: t, element: int32s, weightBytes: 4}
	narrow.loadWeights = func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
		if k == nil {
			b.VMOVDQU32(m, to.AsY())
		} else {
			b.VMOVDQU32_Z(m, *k, to.AsY())
		}
	}
	wide := grouped{builder: b, transposition: t, element: int64s, weightBytes: 4}
	wide.loadWeights = func(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
		if k == nil {
			b.VPMOVSXDQ(m, to)
		} else {
			b.VPMOVSXDQ_Z(m, *k, to)
		}
	}
	b.maxAbsolute(t.isa)
	const add, sketch = "func(lanes *[64]int64, codes []uint64, weights []int32)", "func(codes []uint64, weights []int32) (positive, zero uint64)"
	const fits = "The absolute values of the weights sum to less than 1<<31."
	name := "addI32Narrow" + t.isa
	b.function(name, add, name+" adds ±weights[i] to each lane. "+fits)
	acc := narrow.zeros()
	narrow.accumulate(acc, false)
	lanes := b.Load(b.Param("lanes"), b.GP64()).(reg.GPVirtual)
	for q, r := range narrow.naturalOrder(acc) {
		for half := range 2 {
			at, part, sum := operand.Mem{Base: lanes, Disp: 128*q + 64*half}, r.AsY(), b.ZMM()
			if half == 1 {
				part = b.YMM()
				b.VEXTRACTI64X4(operand.U8(1), r, part)
			}
			b.VPMOVSXDQ(part, sum)
			b.VPADDQ(at, sum, sum)
			b.VMOVDQU64(sum, at)
		}
	}
	b.VZEROUPPER()
	b.RET()
	name = "sketchI32Narrow" + t.isa
	b.function(name, sketch, name+" returns the signs of lanes that start from 0. "+fits)
	narrow.sketch()
	name = "addI32Wide" + t.isa
	b.function(name, add, name+" adds ±weights[i] to each lane. It works like addI32Generic.")
	wide.add()
	name = "sketchI32Wide" + t.isa
	b.function(name, sketch, name+" returns the signs of lanes that start from 0. It works like sketchI32Generic.")
	wide.sketch()
}

func (g grouped) zeros() []reg.VecVirtual {
	acc := make([]reg.VecVirtual, g.accumulators())
	for i := range acc {
		acc[i] = g.zero512()
	}
	return acc
}

func (g grouped) add() {
	lanes := g.Load(g.Param("lanes"), g.GP64()).(reg.GPVirtual)
	acc := g.loadLanes(lanes)
	g.accumulate(acc, false)
	g.storeLanes(acc, lanes)
	g.VZEROUPPER()
	g.RET()
}

func (g grouped) sketch() {
	acc := make([]reg.VecVirtual, g.accumulators())
	for i := range acc {
		acc[i] = g.ZMM()
	}
	g.accumulate(acc, true)
	g.signs(acc)
}

// maxAbsolute emits the look that says which of the forms of i32 will do.
func (b *builder) maxAbsolute(isa string) {
	name := "maxAbsI32" + isa
	b.function(name, "func(weights []int32) uint32", name+" returns the greatest absolute value, 1<<31 for the least int32, and 0 for no weights.")
	weights := b.Load(b.Param("weights").Base(), b.GP64()).(reg.GPVirtual)
	n := b.Load(b.Param("weights").Len(), b.GP64()).(reg.GPVirtual)
	var greatest [2]reg.VecVirtual
	for i := range greatest {
		greatest[i] = b.zero512()
	}
	look := func(i int, load func(to reg.VecVirtual)) {
		r := b.ZMM()
		load(r)
		b.VPMAXUD(r, greatest[i], greatest[i])
	}
	b.SUBQ(operand.U8(32), n)
	b.JL(operand.LabelRef("rest"))
	b.Label("loop")
	for i := range greatest {
		look(i, func(to reg.VecVirtual) { b.VPABSD(operand.Mem{Base: weights, Disp: 64 * i}, to) })
	}
	b.ADDQ(operand.U32(128), weights)
	b.SUBQ(operand.U8(32), n)
	b.JGE(operand.LabelRef("loop"))
	b.Label("rest")
	b.ADDQ(operand.U8(32), n)
	k := b.maskBelow(n)
	for i := range greatest {
		if i > 0 {
			b.KSHIFTRQ(operand.U8(16), k, k)
		}
		look(i, func(to reg.VecVirtual) { b.VPABSD_Z(operand.Mem{Base: weights, Disp: 64 * i}, k, to) })
	}
	b.VPMAXUD(greatest[1], greatest[0], greatest[0])
	y, x := b.YMM(), b.XMM()
	b.VEXTRACTI64X4(operand.U8(1), greatest[0], y)
	b.VPMAXUD(greatest[0].AsY(), y, y)
	b.VEXTRACTI64X2(operand.U8(1), y, x)
	b.storeMaximum(y.AsX(), x)
}
