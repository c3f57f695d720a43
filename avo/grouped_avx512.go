package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX-512 forms of weighted accumulation differ only in the transposition of the codes and the
// type of the elements.
//
// Eight features, two groups of four, are added at a time. The transposition turns their eight
// codes into one register T of 512 bits, in which every nibble is a position in a group's table of
// 16 sums: elements of T, shifted right by shift(i, g), have in their lowest 4 bits the positions
// in group g's table for the lanes that accumulator i holds. VPERMPS looks up 16 elements of 32
// bits at once, VPERMI2PD 8 of 64.

// transposition is a way to compute T.
type transposition struct {
	// order names the resulting order of the lanes.
	order string
	// prime loads the constants of the transposition. The function it returns transposes in place.
	prime func(b *builder) func(codes reg.VecVirtual)
	// lane(i, x) is the lane whose positions are in double word x of T, at the bits shift(i, 0) and
	// shift(i, 1), for i = 0..3.
	lane  func(i, x int) int
	shift func(i, g int) int
}

var byGFNI = transposition{
	order: "Nibbles", prime: transposeGFNI,
	lane:  func(i, x int) int { return 4*x + i },
	shift: func(i, g int) int { return 8*i + 4*g },
}

var byWords = transposition{
	order: "Pieces", prime: transposeAVX512,
	lane:  func(i, x int) int { return 16*(x/4) + 4*i + x%4 },
	shift: func(i, g int) int { return 4*i + 16*g },
}

// element is a type of lanes that are kept in registers, and of the weights that are added to them.
type element struct {
	bits  int
	float bool
}

// grouped is one form of one op.
type grouped struct {
	vectors
	transposition
	element
	weightBytes int
}

// accumulators is the number of registers that hold the 64 lanes.
func (g grouped) accumulators() int { return g.bits / 8 }

// laneOf returns the lane in element e of accumulator i, and shiftOf the number of bits by which T
// is shifted for that accumulator. A 64-bit element is two double words, so the accumulators with
// odd numbers use the positions in the upper double word.
func (g grouped) laneOf(i, e int) int {
	if g.bits == 32 {
		return g.lane(i, e)
	}
	return g.lane(i/2, 2*e+i%2)
}

func (g grouped) shiftOf(i, group int) int {
	if g.bits == 32 {
		return g.shift(i, group)
	}
	return g.shift(i/2, group) + 32*(i%2)
}

// plus adds a to b. Integers of 32 bits have separate forms, see integers.go.
func (g grouped) plus(a, b operand.Op) {
	switch {
	case g.float && g.bits == 32:
		g.VADDPS(a, b, b)
	case g.float:
		g.VADDPD(a, b, b)
	default:
		g.VPADDQ(a, b, b)
	}
}

// accumulate adds all features to acc. If fromZero is set, acc is not initialised yet, and a short
// form computes the sums of up to eight features.
func (g grouped) accumulate(acc []reg.VecVirtual, fromZero bool) {
	b := g.builder
	// lookUp passes each sum to use, which stores or adds it.
	var tables func(w reg.VecVirtual) [2][]reg.VecVirtual
	lookUp := func(f eight, use func(i, group int, sum func(to reg.VecVirtual) reg.VecVirtual)) {
		table := tables(f.weights)
		b.Comment("Look up each lane's sum of each group, and add the sums to the lane.")
		for i := range acc {
			for group := range table {
				use(i, group, func(to reg.VecVirtual) reg.VecVirtual {
					g.lookUp(f.positions, g.shiftOf(i, group), table[group], to)
					return to
				})
			}
		}
	}
	add := func(f eight) {
		lookUp(f, func(i, _ int, sum func(reg.VecVirtual) reg.VecVirtual) { g.plus(sum(b.ZMM()), acc[i]) })
	}
	few := func(f eight) {
		lookUp(f, func(i, group int, sum func(reg.VecVirtual) reg.VecVirtual) {
			if group == 0 {
				sum(acc[i])
			} else {
				g.plus(sum(b.ZMM()), acc[i])
			}
		})
	}
	if !fromZero {
		few = nil
	}
	g.eights(acc, func() { tables = g.tables() }, add, few)
}

// eight holds eight features: T, the weights, and their address in memory, unless fewer than eight
// are left.
type eight struct {
	positions, weights reg.VecVirtual
	memory             *operand.Mem
}

// eights loops over the features, eight at a time. Features missing from the last eight count as
// weight 0. If few is not nil, acc is not initialised yet, and few sets it if there are at most
// eight features. prepare loads constants.
func (g grouped) eights(acc []reg.VecVirtual, prepare func(), add, few func(f eight)) {
	b := g.builder
	codes, n := b.slice("codes")
	weights := b.base("weights")
	b.Comment("Constants.")
	transpose := g.prime(b)
	prepare()
	rest := func() eight {
		b.Comment("Load. Missing features have weight 0.")
		k, t, w := b.maskBelow(n), b.ZMM(), b.ZMM()
		b.VMOVDQU64_Z(operand.Mem{Base: codes}, k, t)
		g.loadWeights(operand.Mem{Base: weights}, &k, w)
		transpose(t)
		return eight{t, w, nil}
	}
	if few != nil {
		b.Comment("Lanes start from zero. For up to eight features, the sums are the lanes.")
		b.CMPQ(n, operand.U8(8))
		b.JBE(operand.LabelRef("few"))
		for _, a := range acc {
			b.VPXORD(a, a, a)
		}
	}
	b.SUBQ(operand.U8(8), n)
	if few == nil {
		b.JL(operand.LabelRef("tail"))
	}
	b.Label("loop")
	b.Comment("Eight features.")
	t, w := b.ZMM(), b.ZMM()
	b.VMOVDQU64(operand.Mem{Base: codes}, t)
	g.loadWeights(operand.Mem{Base: weights}, nil, w)
	transpose(t)
	add(eight{t, w, &operand.Mem{Base: weights}})
	b.ADDQ(operand.U8(64), codes)
	b.ADDQ(operand.U8(8*g.weightBytes), weights)
	b.SUBQ(operand.U8(8), n)
	b.JGE(operand.LabelRef("loop"))
	b.Label("tail")
	b.ADDQ(operand.U8(8), n)
	b.JZ(operand.LabelRef("done"))
	b.Comment("The last 1 to 7 features.")
	add(rest())
	if few != nil {
		b.JMP(operand.LabelRef("done"))
		b.Label("few")
		b.Comment("Eight features or fewer.")
		few(rest())
	}
	b.Label("done")
}

// lookUp stores the entries of the table at the positions in T in to.
func (g grouped) lookUp(t reg.VecVirtual, shift int, table []reg.VecVirtual, to reg.VecVirtual) {
	b := g.builder
	if g.bits == 32 {
		position := t
		if shift > 0 {
			position = b.ZMM()
			b.VPSRLD(operand.U8(shift), t, position)
		}
		b.VPERMD(table[0], position, to)
		return
	}
	// A shift by 0 copies, since the sums overwrite the positions.
	b.VPSRLQ(operand.U8(shift), t, to)
	b.VPERMI2Q(table[1], table[0], to)
}

// transposeGFNI gathers byte q of all codes in quarter-word q and transposes each 8×8 bits by
// multiplication with the unit matrix.
func transposeGFNI(b *builder) func(codes reg.VecVirtual) {
	gather := b.load512(b.bytes("gatherBytes", 64, func(i int) uint8 { return uint8(8*(7-i%8) + i/8) }))
	unit := b.load512(b.words64("unitMatrix", 8, func(int) uint64 { return 0x8040201008040201 }))
	return func(codes reg.VecVirtual) {
		b.Comment("Transpose the codes: gather the bytes with the same position, then transpose 8×8 bits each.")
		b.VPERMB(codes, gather, codes)
		b.VGF2P8AFFINEQB(operand.U8(0), codes, unit, codes)
	}
}

// transposeAVX512 interleaves the codes of each group and then lays the 16-bit pieces of the two
// groups side by side.
func transposeAVX512(b *builder) func(codes reg.VecVirtual) {
	interleave := interleaveAVX512(b)
	// Word 2x of the result is piece x/4 of word x%4 of the first group, and word 2x+1 is the same
	// piece of the second group. A piece has 16 bits.
	pieces := b.load512(b.words16("pieces", 32, func(i int) uint16 { x := i / 2; return uint16(16*(i%2) + 4*(x%4) + x/4) }))
	return func(codes reg.VecVirtual) {
		interleave(codes)
		b.Comment("Lay the pieces of the two groups side by side.")
		b.VPERMW(codes, pieces, codes)
	}
}

// interleaveAVX512 swaps single bits between neighbouring codes and pairs of bits between
// neighbouring pairs, which leaves in word r of each group of four the nibbles of lanes 4n+r.
func interleaveAVX512(b *builder) func(codes reg.VecVirtual) {
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
	return func(codes reg.VecVirtual) {
		b.Comment("Interleave the codes of each group: swap bits of neighbours, then pairs of bits.")
		swapped := b.ZMM()
		b.VPSHUFD(operand.U8(0x4E), codes, swapped)
		b.VPROLVQ(rotate1, swapped, swapped)
		b.VPTERNLOGQ(operand.U8(ternarySelect), keep1, codes, swapped)
		b.VPERMQ(operand.U8(0x4E), swapped, codes)
		b.VPROLVQ(rotate2, codes, codes)
		b.VPTERNLOGQ(operand.U8(ternarySelect), keep2, swapped, codes)
	}
}

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
	v.weighted(op, lane, weight, g.add, g.sketch)
}

// weighted emits the two functions of an op with weights.
func (v vectors) weighted(op, lane, weight string, add, sketch func()) {
	name := "add" + op + v.isa
	v.function(name, "func(lanes *[64]"+lane+", codes []uint64, weights []"+weight+")", name+" adds ±weights[i] to each lane. It works like addGrouped.")
	add()
	name = "sketch" + op + v.isa
	v.function(name, "func(codes []uint64, weights []"+weight+") Signs", name+" returns the signs of lanes that start from 0. It works like sketchGrouped.")
	sketch()
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

// addTo64 adds the 32-bit lanes to the 64-bit lanes in memory, and returns from the function.
func (g grouped) addTo64(acc []reg.VecVirtual) {
	g.Comment("Bring the lanes into their natural order, widen them and add them to the lanes in memory.")
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

// tables returns a function that turns eight weights into the tables of their two groups. A table
// of 64-bit elements takes two registers. Entry t of a table is the sum of entry t&3 of its first
// pair, ±w0 ±w1, and entry t>>2 of its second pair.
func (g grouped) tables() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	if g.bits == 32 {
		return g.tables32()
	}
	return g.tables64()
}

// pairs returns a function that computes the sums of pairs: elements 4p..4p+3 of the result are
// ±w[even(p)] ±w[odd(p)]. Bit 0 of the element's number gives the sign of the first weight, and bit
// 1 that of the second.
func (g grouped) pairs(even, odd operand.Mem) func(w reg.VecVirtual) reg.VecVirtual {
	b := g.builder
	from := [2]reg.VecVirtual{b.load512(even), b.load512(odd)}
	var negate [2]func(r reg.VecVirtual)
	zero := reg.VecVirtual(nil)
	if !g.float {
		zero = b.zero512()
	}
	for s := range negate {
		switch {
		case g.float && g.bits == 32:
			signs := b.load512(b.words32(label("signs32_", s), 16, func(e int) uint32 { return uint32(^e>>s&1) << 31 }))
			negate[s] = func(r reg.VecVirtual) { b.VPXORD(signs, r, r) }
		case g.float:
			signs := b.load512(b.words64(label("signs64_", s), 8, func(e int) uint64 { return uint64(^e>>s&1) << 63 }))
			negate[s] = func(r reg.VecVirtual) { b.VPXORQ(signs, r, r) }
		default:
			k := b.maskOf(func(e int) bool { return e>>s&1 == 0 })
			negate[s] = func(r reg.VecVirtual) { b.VPSUBQ(r, zero, k, r) }
		}
	}
	return func(w reg.VecVirtual) reg.VecVirtual {
		var r [2]reg.VecVirtual
		for s := range r {
			r[s] = b.ZMM()
			if g.bits == 32 {
				b.VPERMD(w, from[s], r[s])
			} else {
				b.VPERMQ(w, from[s], r[s])
			}
			negate[s](r[s])
		}
		g.plus(r[0], r[1])
		return r[1]
	}
}

func (g grouped) tables32() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	b := g.builder
	pairs := g.pairs(
		b.words32("evenWeights", 16, func(e int) uint32 { return uint32(e / 4 * 2) }),
		b.words32("oddWeights", 16, func(e int) uint32 { return uint32(e/4*2 + 1) }))
	var high [2]reg.VecVirtual
	for group := range high {
		high[group] = b.load512(b.words32(label("highPair32_", group), 16, func(t int) uint32 { return uint32(8*group + 4 + t/4) }))
	}
	return func(w reg.VecVirtual) (table [2][]reg.VecVirtual) {
		b.Comment("The 4 sums of each pair of weights, then the 16 of each group.")
		p := pairs(w)
		for group := range table {
			low, sum := b.ZMM(), b.ZMM()
			b.VSHUFI32X4(operand.U8(0xAA*group), p, p, low) // the first pair of the group, four times
			b.VPERMD(p, high[group], sum)
			g.plus(low, sum)
			table[group] = []reg.VecVirtual{sum}
		}
		return table
	}
}

func (g grouped) tables64() func(w reg.VecVirtual) [2][]reg.VecVirtual {
	b := g.builder
	var pairs [2]func(w reg.VecVirtual) reg.VecVirtual
	for group := range pairs {
		pairs[group] = g.pairs(
			b.words64(label("evenWeights64_", group), 8, func(e int) uint64 { return uint64(4*group + e/4*2) }),
			b.words64(label("oddWeights64_", group), 8, func(e int) uint64 { return uint64(4*group + e/4*2 + 1) }))
	}
	var high [2]reg.VecVirtual
	for half := range high {
		high[half] = b.load512(b.words64(label("highPair64_", half), 8, func(t int) uint64 { return uint64(4 + 2*half + t/4) }))
	}
	return func(w reg.VecVirtual) (table [2][]reg.VecVirtual) {
		for group := range table {
			b.Comment(label("The 4 sums of each pair of weights, then the 16 of group ", group) + ".")
			p, low := pairs[group](w), b.ZMM()
			b.VSHUFI64X2(operand.U8(0x44), p, p, low) // the first pair, twice
			for half := range high {
				sum := b.ZMM()
				b.VPERMQ(p, high[half], sum)
				g.plus(low, sum)
				table[group] = append(table[group], sum)
			}
		}
		return table
	}
}
