package main

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	float32s = element{32, true}
	float64s = element{64, true}
	int32s   = element{32, false}
	int64s   = element{64, false}
)

func emitF32AVX512(v vectors) { emitGrouped(v, float32s, 4, "F32", "float32", "float32") }
func emitF64AVX512(v vectors) { emitGrouped(v, float64s, 8, "F64", "float64", "float64") }
func emitI64AVX512(v vectors) { emitGrouped(v, int64s, 8, "I64", "int64", "int64") }

// emitI32AVX512 emits the form for weights whose sum fits in 32 bits, and the form with lanes of 64
// bits for other weights.
func emitI32AVX512(v vectors) {
	if v.isa == "AVX512GFNI" {
		integers{grouped{v, byFive, int32s, 4}, smallLimitVNNI, smallVNNI, narrowGFNI}.emit()
	} else {
		integers{grouped{v, byWords, int32s, 4}, smallLimitWords, smallWords, narrowWords}.emit()
	}
	emitGrouped(v, int64s, 4, "I32Wide", "int64", "int32")
}

// emitGrouped emits the two functions of an op. The name of the op may end with a form of the op.
func emitGrouped(v vectors, e element, weightBytes int, op, lane, weight string) {
	g := grouped{v, byWords, e, weightBytes}
	if v.isa == "AVX512GFNI" {
		g.transposition = byGFNI
	}
	generic := strings.TrimSuffix(op, "Wide") + "Generic"
	name := "add" + op + v.isa
	v.function(name, "func(lanes *[64]"+lane+", codes []uint64, weights []"+weight+")", name+" adds ±weights[i] to each lane. It works like add"+generic+".")
	g.add()
	name = "sketch" + op + v.isa
	v.function(name, "func(codes []uint64, weights []"+weight+") Signs", name+" returns the signs of lanes that start from 0. It works like sketch"+generic+".")
	g.sketch()
}

// loadWeights loads 8 weights, or only those that k selects.
func (g grouped) loadWeights(m operand.Mem, k *reg.OpmaskVirtual, to reg.VecVirtual) {
	load, masked := g.VMOVDQU64, g.VMOVDQU64_Z
	var r operand.Op = to
	switch {
	case g.weightBytes < g.bits/8:
		load, masked = g.VPMOVSXDQ, g.VPMOVSXDQ_Z
	case g.weightBytes == 4:
		load, masked, r = g.VMOVDQU32, g.VMOVDQU32_Z, to.AsY()
	}
	if k == nil {
		load(m, r)
	} else {
		masked(m, *k, r)
	}
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
