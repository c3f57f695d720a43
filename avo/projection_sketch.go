package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitProjectionAVX2(b *builder)   { emitProjection(vectors{b, 32}, "AVX2") }
func emitProjectionAVX512(b *builder) { emitProjection(vectors{b, 64}, "AVX512") }

// emitProjection keeps 64 sums in registers over all features, so that nothing but rows, indices
// and weights is read and nothing is written.
func emitProjection(v vectors, isa string) {
	// rows: the indices say early what will be read, at places that no prefetcher of the processor
	// guesses
	const ahead = 16
	name := "sketch" + isa
	v.function(name, "func(table []float32, stride, dimensions int, indices []uint64, weights []float32) (positive uint64, ok bool)",
		name+" works like sketchGeneric.")
	table := v.Load(v.Param("table").Base(), v.GP64()).(reg.GPVirtual)
	stride := v.Load(v.Param("stride"), v.GP64()).(reg.GPVirtual)
	dimensions := v.Load(v.Param("dimensions"), v.GP64()).(reg.GPVirtual)
	index := v.Load(v.Param("indices").Base(), v.GP64()).(reg.GPVirtual)
	n := v.Load(v.Param("indices").Len(), v.GP64()).(reg.GPVirtual)
	weight := v.Load(v.Param("weights").Base(), v.GP64()).(reg.GPVirtual)
	v.Comment("64 sums, from 0 on")
	sums := make([]reg.VecVirtual, 256/v.bytes)
	for i := range sums {
		sums[i] = v.zero()
	}
	v.Comment("the stride in bytes; features are counted up to 0")
	v.SHLQ(operand.U8(2), stride)
	v.LEAQ(operand.Mem{Base: index, Index: n, Scale: 8}, index)
	v.LEAQ(operand.Mem{Base: weight, Index: n, Scale: 4}, weight)
	v.NEGQ(n)
	v.JZ(operand.LabelRef("signs"))
	row, next, w := v.GP64(), v.GP64(), v.register()
	v.Label("loop")
	v.Comment("where the row begins, if the index has one")
	v.MOVQ(operand.Mem{Base: index, Index: n, Scale: 8}, row)
	v.CMPQ(row, dimensions)
	v.JAE(operand.LabelRef("outside"))
	v.IMULQ(stride, row)
	v.Comment(fmt.Sprintf("ask for the row of the feature %d further on; near the end for this one again", ahead))
	v.MOVQ(n, next)
	v.ADDQ(operand.U8(ahead), next)
	v.CMOVQPL(n, next)
	v.MOVQ(operand.Mem{Base: index, Index: next, Scale: 8}, next)
	v.IMULQ(stride, next)
	for line := range 4 {
		v.PREFETCHT0(operand.Mem{Base: table, Index: next, Scale: 1, Disp: 64 * line})
	}
	v.Comment("add the weight times the row")
	v.VBROADCASTSS(operand.Mem{Base: weight, Index: n, Scale: 4}, w)
	for i := range sums {
		product := v.register()
		v.VMULPS(operand.Mem{Base: table, Index: row, Scale: 1, Disp: v.bytes * i}, w, product)
		v.VADDPS(product, sums[i], sums[i])
	}
	v.INCQ(n)
	v.JNZ(operand.LabelRef("loop"))
	v.Label("signs")
	v.Comment("one bit for each sum: whether it is greater than 0")
	v.Store(v.positive(sums), v.ReturnIndex(0))
	ok := v.GP64()
	v.MOVQ(operand.U32(1), ok)
	v.Store(ok.As8(), v.ReturnIndex(1))
	v.VZEROUPPER()
	v.RET()
	v.Label("outside")
	v.Comment("an index has no row")
	v.XORQ(ok, ok)
	v.Store(ok, v.ReturnIndex(0))
	v.Store(ok.As8(), v.ReturnIndex(1))
	v.VZEROUPPER()
	v.RET()
}

// positive returns a word whose bit j says that sum j is greater than 0.
func (v vectors) positive(sums []reg.VecVirtual) reg.GPVirtual {
	word, zero, lanes := v.GP64(), v.zero(), v.bytes/4
	for i, sum := range sums {
		part := word
		if i > 0 {
			part = v.GP64()
		}
		if v.bytes == 64 {
			k := v.K()
			v.VCMPPS(operand.U8(compareGreater), zero, sum, k)
			v.KMOVW(k, part.As32())
		} else {
			greater := v.YMM()
			v.VCMPPS(operand.U8(compareGreater), zero, sum, greater)
			v.VMOVMSKPS(greater, part.As32())
		}
		if i > 0 {
			v.SHLQ(operand.U8(lanes*i), part)
			v.ORQ(part, word)
		}
	}
	return word
}
