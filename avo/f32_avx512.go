package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The two AVX-512 forms of f32 share everything but the transposition of the codes.
//
// Eight features, two groups of four, are added at a time. The transposition turns their eight codes into one register T of 16 double words, in which every
// nibble is a position in a group's table of 16 sums. VPERMPS takes the lowest 4 bits of each double word, so T shifted right by shift(i, g) looks group g's sums of
// 16 lanes up at once, those that accumulator i holds: lane(i, x), x = 0..15.
type f32Form struct {
	isa       string
	lane      func(i, x int) int
	shift     func(i, g int) int
	gather    uint64 // positions in the fingerprint of the lanes of accumulator 0, in ascending order of x; accumulator i has them shifted by step·i
	step      int
	transpose func(b *builder) func(codes reg.VecVirtual) // loads its constants; the function transposes in place
}

var f32GFNI = f32Form{
	isa: "AVX512GFNI", lane: func(i, x int) int { return 4*x + i }, shift: func(i, g int) int { return 8*i + 4*g },
	gather: 0x1111111111111111, step: 1, transpose: transposeGFNI,
}

var f32Words = f32Form{
	isa: "AVX512", lane: func(i, x int) int { return 16*(x/4) + 4*i + x%4 }, shift: func(i, g int) int { return 4*i + 16*g },
	gather: 0x000F000F000F000F, step: 4, transpose: transposeAVX512,
}

func emitF32AVX512GFNI(b *builder) { f32GFNI.emit(b) }
func emitF32AVX512(b *builder)     { f32Words.emit(b) }

func (f f32Form) emit(b *builder) {
	name := "addF32" + f.isa
	b.function(name, "func(lanes *[64]float32, codes []uint64, weights []float32)", name+" adds ±weights[i] to each lane. It works like addF32Generic.")
	lanes := b.Load(b.Param("lanes"), b.GP64()).(reg.GPVirtual)
	acc := f.loadLanes(b, lanes)
	f.accumulate(b, acc, false)
	f.storeLanes(b, acc, lanes)
	b.VZEROUPPER()
	b.RET()

	name = "sketchF32" + f.isa
	b.function(name, "func(codes []uint64, weights []float32) (positive, zero, nonFinite uint64)",
		name+" returns the signs of lanes that start from +0. It works like sketchF32Generic.")
	for i := range acc {
		acc[i] = b.ZMM()
	}
	f.accumulate(b, acc, true)
	f.signs(b, acc)
	b.VZEROUPPER()
	b.RET()
}

// accumulate adds all features to acc. Where fromZero, acc holds nothing yet, and up to eight features are summed without it.
func (f f32Form) accumulate(b *builder, acc [4]reg.VecVirtual, fromZero bool) {
	codes := b.Load(b.Param("codes").Base(), b.GP64()).(reg.GPVirtual)
	n := b.Load(b.Param("codes").Len(), b.GP64()).(reg.GPVirtual)
	weights := b.Load(b.Param("weights").Base(), b.GP64()).(reg.GPVirtual)
	transpose, tables := f.transpose(b), f32Tables(b)
	lookUp := func(t, w reg.VecVirtual, use func(i, g int, sum func(reg.VecVirtual) reg.VecVirtual)) {
		transpose(t)
		first, second := tables(w)
		for i := range acc {
			for g, table := range []reg.VecVirtual{first, second} {
				use(i, g, func(sum reg.VecVirtual) reg.VecVirtual {
					position := t
					if shift := f.shift(i, g); shift > 0 {
						position = b.ZMM()
						b.VPSRLD(operand.U8(shift), t, position)
					}
					b.VPERMPS(table, position, sum)
					return sum
				})
			}
		}
	}
	add := func(t, w reg.VecVirtual) {
		lookUp(t, w, func(i, _ int, sum func(reg.VecVirtual) reg.VecVirtual) { b.VADDPS(sum(b.ZMM()), acc[i], acc[i]) })
	}
	// The last 1 to 8 features; what is not there counts as weight 0.
	loadRest := func() (t, w reg.VecVirtual) {
		k := b.maskBelow(n)
		t, w = b.ZMM(), b.ZMM()
		b.VMOVDQU64_Z(operand.Mem{Base: codes}, k, t)
		b.VMOVUPS_Z(operand.Mem{Base: weights}, k, w.AsY())
		return t, w
	}
	if fromZero {
		b.CMPQ(n, operand.U8(8))
		b.JBE(operand.LabelRef("few"))
		for _, a := range acc {
			b.VPXORD(a, a, a)
		}
	}
	b.SUBQ(operand.U8(8), n)
	b.JL(operand.LabelRef("tail"))
	b.Label("loop")
	t, w := b.ZMM(), b.ZMM()
	b.VMOVDQU64(operand.Mem{Base: codes}, t)
	b.VMOVUPS(operand.Mem{Base: weights}, w.AsY())
	b.ADDQ(operand.U8(64), codes)
	b.ADDQ(operand.U8(32), weights)
	add(t, w)
	b.SUBQ(operand.U8(8), n)
	b.JGE(operand.LabelRef("loop"))
	b.Label("tail")
	b.ADDQ(operand.U8(8), n)
	b.JZ(operand.LabelRef("done"))
	add(loadRest())
	if fromZero {
		b.JMP(operand.LabelRef("done"))
		b.Label("few")
		t, w = loadRest()
		lookUp(t, w, func(i, g int, sum func(reg.VecVirtual) reg.VecVirtual) {
			if g == 0 {
				sum(acc[i])
			} else {
				b.VADDPS(sum(b.ZMM()), acc[i], acc[i])
			}
		})
	}
	b.Label("done")
}

// f32Tables returns what turns eight weights, in the lower half of a register, into the tables of their two groups. The sums of all four pairs are made at once:
// quarter p of pairs holds ±w[2p] ±w[2p+1], and entry t of a group's table is the sum of entry t&3 of its first pair and entry t>>2 of its second.
func f32Tables(b *builder) func(w reg.VecVirtual) (first, second reg.VecVirtual) {
	even := b.load512(b.words32("evenWeights", 16, func(i int) uint32 { return uint32(i / 4 * 2) }))
	odd := b.load512(b.words32("oddWeights", 16, func(i int) uint32 { return uint32(i/4*2 + 1) }))
	evenSign := b.load512(b.words32("evenSigns", 16, func(i int) uint32 { return uint32(^i&1) << 31 }))
	oddSign := b.load512(b.words32("oddSigns", 16, func(i int) uint32 { return uint32(^i>>1&1) << 31 }))
	var high [2]reg.VecVirtual
	high[0] = b.load512(b.words32("highPair0", 16, func(i int) uint32 { return uint32(4 + i/4) }))
	high[1] = b.load512(b.words32("highPair1", 16, func(i int) uint32 { return uint32(12 + i/4) }))
	return func(w reg.VecVirtual) (first, second reg.VecVirtual) {
		x, pairs := b.ZMM(), b.ZMM()
		b.VPERMPS(w, even, x)
		b.VPERMPS(w, odd, pairs)
		b.VXORPS(x, evenSign, x)
		b.VXORPS(pairs, oddSign, pairs)
		b.VADDPS(x, pairs, pairs)
		var table [2]reg.VecVirtual
		for g := range table {
			low := b.ZMM()
			table[g] = b.ZMM()
			b.VSHUFF32X4(operand.U8(0xAA*g), pairs, pairs, low) // quarter 2g four times
			b.VPERMPS(pairs, high[g], table[g])
			b.VADDPS(low, table[g], table[g])
		}
		return table[0], table[1]
	}
}

// transposeGFNI gathers byte q of all codes in quarter-word q and transposes each 8×8 bits by multiplication with the unit matrix.
func transposeGFNI(b *builder) func(codes reg.VecVirtual) {
	gather := b.load512(b.bytes("gatherBytes", 64, func(i int) uint8 { return uint8(8*(7-i%8) + i/8) }))
	unit := b.load512(b.words64("unitMatrix", 8, func(int) uint64 { return 0x8040201008040201 }))
	return func(codes reg.VecVirtual) {
		b.VPERMB(codes, gather, codes)
		b.VGF2P8AFFINEQB(operand.U8(0), codes, unit, codes)
	}
}

// transposeAVX512 swaps single bits between neighbouring codes and pairs of bits between neighbouring pairs, which leaves in word r of each group of four the nibbles
// of lanes 4n+r, and then lays the 16-bit pieces of the two groups side by side.
func transposeAVX512(b *builder) func(codes reg.VecVirtual) {
	alternate := func(period int, even, odd uint64) func(int) uint64 {
		return func(i int) uint64 {
			if i/period%2 == 0 {
				return even
			}
			return odd
		}
	}
	rotate1 := b.load512(b.words64("rotate1", 8, alternate(1, 1, 63)))
	keep1 := b.load512(b.words64("keep1", 8, alternate(1, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA)))
	rotate2 := b.load512(b.words64("rotate2", 8, alternate(2, 2, 62)))
	keep2 := b.load512(b.words64("keep2", 8, alternate(2, 0x3333333333333333, 0xCCCCCCCCCCCCCCCC)))
	// Word 2x of the result is piece x/4 of word x%4 of the first group, word 2x+1 the same of the second; a piece has 16 bits.
	pieces := b.load512(b.words16("pieces", 32, func(i int) uint16 { x := i / 2; return uint16(16*(i%2) + 4*(x%4) + x/4) }))
	return func(codes reg.VecVirtual) {
		swapped := b.ZMM()
		b.VPSHUFD(operand.U8(0x4E), codes, swapped)
		b.VPROLVQ(rotate1, swapped, swapped)
		b.VPTERNLOGQ(operand.U8(ternarySelect), keep1, codes, swapped)
		b.VPERMQ(operand.U8(0x4E), swapped, codes)
		b.VPROLVQ(rotate2, codes, codes)
		b.VPTERNLOGQ(operand.U8(ternarySelect), keep2, swapped, codes)
		b.VPERMW(codes, pieces, codes)
	}
}
