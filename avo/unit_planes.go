package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The forms without GFNI stay bit-sliced to the end: the columns of each plane are added pairwise
// by bit-sliced adders, 8 → 4 → 2 → 1, and the one column of counters that is left tells the signs.
//
// Codes that are missing from the last registers vote for and against by turns, so that any number
// of codes is as good as the next round one, whose half is a constant. With 2^k codes all adders
// are full: 2^j-1 registers go through the tree, and each addition of columns takes in half of what
// is left of the last register, down to one code. Registers of 256 bits count up to 128 codes at
// the AVX-512 tier too: Intel's processors have three units for their logic, and two for that of
// 512 bits.

// unitPlanes says how an instruction set counts.
type unitPlanes struct {
	vectors         // what long vectors are counted with
	block    int    // registers a step of long vectors
	high     []int  // planes above those that 16 registers fill, for long vectors of several sizes
	limit    string // the greatest number of codes
	sketch   bool   // else the counts are wanted, and missing codes have no votes
	codes, n reg.GPVirtual
	total    reg.GPVirtual
}

func emitUnitAVX512(v vectors) {
	v.shortAVX512 = true
	unitPlanes{vectors: v, block: 32, high: []int{3, 4, 10}, limit: "65,535"}.emit()
}

func emitUnitAVX2(v vectors) {
	unitPlanes{vectors: v, block: 16, high: []int{3, 4, 6}, limit: "4,064"}.emit()
}

func (u unitPlanes) emit() {
	sketch, count := "sketchUnit"+u.isa, "countUnit"+u.isa
	u.function(sketch, "func(codes []uint64) Signs",
		sketch+" returns the signs of at most "+u.limit+" codes. It works like sketchUnitGeneric.")
	u.sketch = true
	u.all()
	u.function(count, "func(planes *[64]uint64, codes []uint64)",
		count+" counts the ones of at most "+u.limit+" codes, bit-sliced, into words of planes that were 0. It works like (*counts).add.")
	// what is done with counts takes so much longer that a plane more does not matter
	u.sketch, u.high = false, u.high[1:]
	u.all()
}

// all emits the whole kernel.
func (u unitPlanes) all() {
	u.codes, u.n = u.slice("codes")
	u.total = u.GP64()
	u.MOVQ(u.n, u.total)
	sizes := []int{8, 16, 32, 48, 64, 80, 96, 112, 128}
	if !u.sketch {
		sizes = []int{8, 16, 32, 64, 128}
	}
	middle := slices.Index(sizes, 64)
	u.CMPQ(u.n, operand.U8(sizes[middle]))
	u.JA(operand.LabelRef("moreThanHalf"))
	u.upTo(sizes[:middle+1])
	u.Label("moreThanHalf")
	u.CMPQ(u.n, operand.U32(sizes[len(sizes)-1]))
	u.JA(operand.LabelRef("many"))
	u.upTo(sizes[middle:])

	u.Label("many")
	for i, high := range u.high {
		if i > 0 {
			u.Label(label("many", i))
		}
		if i < len(u.high)-1 {
			// what the counters of all columns hold
			most := u.words() * (1<<(4+high) - 1) / u.step(lastStep) * u.step(lastStep)
			u.CMPQ(u.n, operand.U32(most))
			u.JA(operand.LabelRef(label("many", i+1)))
		}
		u.many(high, label("_", i))
	}
}

// upTo counts at most as many codes as the last of the sizes, and more than the first, unless it is
// 8.
func (u unitPlanes) upTo(sizes []int) {
	from := 1
	if sizes[0] == 8 {
		from = 0
	}
	last := len(sizes) - 1
	for _, size := range sizes[from:last] {
		u.CMPQ(u.n, operand.U8(size))
		u.JBE(operand.LabelRef(label("upTo", size)))
	}
	for i := last; i >= from; i-- {
		if i < last {
			u.Label(label("upTo", sizes[i]))
		}
		if i == 0 {
			u.eight()
		} else {
			u.few(sizes[i-1], sizes[i])
		}
	}
}

// step is the number of codes in that many registers.
func (u unitPlanes) step(registers int) int { return registers * u.words() }

// end stores the signs and returns.
func (u unitPlanes) end(positive, zero reg.GPVirtual) {
	u.storeMajority(positive, zero, u.total)
	u.leave()
}

func (u unitPlanes) storePlanes(planes []reg.VecVirtual) {
	to := u.Load(u.Param("planes"), u.GP64())
	for k, p := range planes {
		u.VMOVQ(p.AsX(), operand.Mem{Base: to, Disp: 8 * k})
	}
	u.leave()
}

// fold adds the columns of the counters to one; each halving of the columns adds a plane. So much
// of last as there are columns left goes in with each addition, down to one code, which is
// returned; last may be nil. The result is in the lowest 64 bits of each register.
func (v vectors) fold(planes []reg.VecVirtual, last reg.VecVirtual) (column []reg.VecVirtual, left reg.VecVirtual) {
	v.Comment("Add the columns, half of them to the others, down to one.")
	for bytes := v.bytes; bytes > 8; bytes /= 2 {
		var carry reg.VecVirtual
		if last != nil {
			carry, last = v.halves(last, bytes)
		}
		next := make([]reg.VecVirtual, 0, len(planes)+1)
		for _, p := range planes {
			lower, upper := v.halves(p, bytes)
			if carry == nil {
				carry = v.addHalf(upper, lower)
			} else {
				carry = v.addSaving(upper, carry, lower)
			}
			next = append(next, upper)
		}
		planes = append(next, carry)
	}
	return planes, last
}

// halves splits a register of that many bytes. The upper half is a new register, the lower half a
// shorter name of the old one.
func (v vectors) halves(p reg.VecVirtual, bytes int) (lower, upper reg.VecVirtual) {
	switch {
	case bytes == 64:
		lower, upper = p.AsY().(reg.VecVirtual), v.YMM()
		v.VEXTRACTI64X4(operand.U8(1), p, upper)
	case bytes == 32 && v.avx512():
		lower, upper = p.AsX().(reg.VecVirtual), v.XMM()
		v.VEXTRACTI64X2(operand.U8(1), p.AsY(), upper)
	case bytes == 32:
		lower, upper = p.AsX().(reg.VecVirtual), v.XMM()
		v.VEXTRACTI128(operand.U8(1), p.AsY(), upper)
	default:
		lower, upper = p.AsX().(reg.VecVirtual), v.XMM()
		v.VPSHUFD(operand.U8(0xEE), lower, upper)
	}
	return lower, upper
}
