package main

import (
	"math/bits"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The forms without GFNI are bit-sliced to the end: bit-sliced adders add the columns of each plane
// in pairs, 8 → 4 → 2 → 1, and the signs are computed from the remaining column of counters.
//
// Codes that are missing from the last registers vote for and against in turn, which rounds the
// number of codes up to a size whose half is a constant. With 2^k codes, all adders are full: the
// tree adds 2^j-1 registers, and each addition of columns also adds half of the rest of the last
// register, until one code is left. At the AVX-512 tier, up to 128 codes are also counted in
// 256-bit registers, because Intel's processors have three units for 256-bit logic and two for
// 512-bit logic.

// unitPlanes describes how the kernels of an instruction set count.
type unitPlanes struct {
	vectors         // instruction set for long vectors
	block    int    // registers per step for long vectors
	high     []int  // planes above the lowest 4, for long vectors of several sizes
	limit    string // the maximum number of codes
	sketch   bool   // otherwise the kernel returns counts, and missing codes have no votes
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
	// the caller's work on counts takes much longer than one more plane
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
			// capacity of the counters of all columns
			most := u.words() * (1<<(4+high) - 1) / u.step(lastStep) * u.step(lastStep)
			u.CMPQ(u.n, operand.U32(most))
			u.JA(operand.LabelRef(label("many", i+1)))
		}
		u.many(high, label("_", i))
	}
}

// upTo counts at most as many codes as the last size and more than the first. If the first size is
// 8, it also counts fewer codes.
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

// step returns the number of codes in that many registers.
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

// fold adds the columns of the counters until one is left. Each halving of the number of columns
// adds a plane, and also adds the upper half of last, unless last is nil. fold returns the planes,
// whose results are in the lowest 64 bits, and the one code that is left of last.
func (v vectors) fold(planes []reg.VecVirtual, last reg.VecVirtual) (column []reg.VecVirtual, left reg.VecVirtual) {
	v.Comment("Add half of the columns to the others until one is left.")
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

// halves splits a register of that many bytes. The upper half is a new register, and the lower half
// is the old register with a shorter size.
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

// turns returns the alternating votes of missing codes, starting with vote from of the sequence.
func (u unitPlanes) turns(from int) reg.VecVirtual {
	if !u.sketch {
		return u.zero()
	}
	return u.load(u.words64("turns", 9, func(i int) uint64 { return uint64(i%2) - 1 }).Offset(8 * from))
}

// eight counts at most eight codes.
func (u unitPlanes) eight() {
	u.Comment("At most 8 codes.")
	u.bytes = 32
	var r [2]reg.VecVirtual
	if u.shortAVX512 {
		turns, mask := u.turns(1), u.immediate(1<<64-1)
		u.BZHIQ(u.n, mask, mask)
		for i := range r {
			k := u.K()
			u.KMOVB(mask.As32(), k)
			r[i] = u.YMM()
			u.VPBLENDMQ(operand.Mem{Base: u.codes, Disp: 32 * i}, turns, k, r[i])
			u.SHRQ(operand.U8(4), mask)
		}
	} else {
		r[0], r[1] = u.loadCodesBelow8(u.codes, u.n)
		if u.sketch {
			end := u.GP64()
			u.LEAQ(u.words64("turnsEnd8", 16, func(i int) uint64 { return uint64((i/8)*((i+1)%2)) * (1<<64 - 1) }).Offset(64), end)
			u.NEGQ(u.n)
			for i := range r {
				u.VPOR(operand.Mem{Base: end, Index: u.n, Scale: 8, Disp: 32 * i}, r[i], r[i])
			}
		}
	}
	u.finish([]reg.VecVirtual{r[0]}, r[1])
}

// few counts more than least and at most size codes. The codes after the first least are loaded as
// the tail.
func (u unitPlanes) few(least, size int) {
	u.Comment(label("At most ", size) + " codes: carry-save adders.")
	u.bytes = 32
	a := adder{vectors: u.vectors}
	if u.sketch {
		// Equally many votes for and against make the size a power of two. Only the votes for are
		// counted.
		all := 1 << bits.Len(uint(size-1))
		for k, votes := 0, (all-size)/2/u.words(); votes > 0; k, votes = k+1, votes/2 {
			if votes%2 == 1 {
				a.add(k, u.ones())
			}
		}
	}
	for i := range least / u.words() {
		a.add(0, operand.Mem{Base: u.codes, Disp: u.bytes * i})
	}
	var last reg.VecVirtual
	u.loadTail(least, size-least, func(r reg.VecVirtual) {
		if last != nil {
			a.add(0, last)
		}
		last = r
	})
	u.finish(a.planes(), last)
}

// loadTail loads the last most codes before the end of the n codes at u.codes. The first counted of
// these n codes have already been counted. If loadTail loads any of them again, it replaces them by
// the votes of missing codes. At least one code has not been counted.
func (u unitPlanes) loadTail(counted, most int, use func(reg.VecVirtual)) {
	// The tables are read at an offset that aligns their middle with the first code that has not
	// been counted.
	u.Comment("The last codes, loaded from the end. Missing codes vote for and against in turn, or have no votes.")
	const longest = 64
	table := func(name string, f func(i int) uint64) reg.GPVirtual {
		at := u.GP64()
		u.LEAQ(u.words64(name, 2*longest, f).Offset(8*(longest-most-counted)), at)
		return at
	}
	masks := table("tailMasks", func(i int) uint64 { return -uint64(i / longest) })
	var votes reg.GPVirtual
	var turns reg.VecVirtual
	switch {
	case u.shortAVX512:
		turns = u.turns(0)
	case u.sketch:
		votes = table("tailVotes", func(i int) uint64 { return -uint64(i % 2 * (1 - i/longest)) })
	}
	for i := range most / u.words() {
		at := func(base reg.GPVirtual, disp int) operand.Mem {
			return operand.Mem{Base: base, Index: u.n, Scale: 8, Disp: disp + u.bytes*i}
		}
		r := u.load(at(u.codes, -8*most))
		if u.shortAVX512 {
			u.VPTERNLOGQ(operand.U8(ternarySelectFirst), at(masks, 0), turns, r)
		} else {
			u.VPAND(at(masks, 0), r, r)
			if u.sketch {
				u.VPOR(at(votes, 0), r, r)
			}
		}
		use(r)
	}
}

// finish adds the columns and the codes in last, and stores the result. The number of votes is a
// power of two.
func (u unitPlanes) finish(planes []reg.VecVirtual, last reg.VecVirtual) {
	planes, x := u.fold(planes, last)
	if !u.sketch {
		for _, p := range planes {
			x = u.addHalf(p, x)
		}
		u.storePlanes(append(planes, x))
		return
	}
	// The counters include all votes except the last, which is x. The highest plane counts half of
	// the votes. If it is set together with any other vote, there is a majority. If it is set
	// alone, or if all other votes are set without it, there is a tie.
	u.Comment("Signs: the highest plane and any other vote are a majority. The highest plane alone is a tie, and so are all other votes without it.")
	half := planes[len(planes)-1]
	below := append(planes[:len(planes)-1:len(planes)-1], x)
	any, all := u.combine(below, u.or, ternaryOr3), u.combine(below, u.and, ternaryAnd3)
	positive := u.XMM()
	u.and(half, any, positive)
	if u.shortAVX512 {
		u.VPTERNLOGQ(operand.U8(ternaryDifferentNotThird), positive, all, half)
	} else {
		u.VPXOR(half, all, half)
		u.VPANDN(half, positive, half)
	}
	p, z := u.GP64(), u.GP64()
	u.VMOVQ(positive, p)
	u.VMOVQ(half, z)
	u.end(p, z)
}

// combine returns the combination of the registers by op, or by a ternary operation on three at a
// time. It does not change them.
func (u unitPlanes) combine(of []reg.VecVirtual, op func(a, b, c operand.Op), ternary uint8) reg.VecVirtual {
	r, i := u.XMM(), 2
	x := func(i int) operand.Op { return of[i].AsX() }
	if u.shortAVX512 && len(of)%2 == 1 {
		u.VMOVDQA64(x(0), r) // costs only code size
		i = 1
	} else {
		op(x(0), x(1), r)
	}
	for ; i < len(of); i++ {
		if u.shortAVX512 {
			u.VPTERNLOGQ(operand.U8(ternary), x(i), x(i+1), r)
			i++
		} else {
			op(x(i), r, r)
		}
	}
	return r
}

// lastStep is the number of registers that the length of a long vector is rounded up to.
const lastStep = 8

// many counts long vectors, in steps of full adders whose carries are added to the higher planes.
// Then it counts smaller steps, and finally the last codes, including missing ones.
func (u unitPlanes) many(high int, suffix string) {
	planes := make([]reg.VecVirtual, 4+high)
	u.Comment("Clear the bit-sliced counters.")
	for k := range planes {
		planes[k] = u.zero()
	}
	add := func(registers int, load func(use func(operand.Op))) {
		a, carry := adder{vectors: u.vectors}, bits.Len(uint(registers-1))
		for k, p := range planes[:carry] {
			a.add(k, p)
		}
		load(func(x operand.Op) { a.add(0, x) })
		u.ripple(planes[carry:], a.pending[carry][0])
	}
	full := func(registers int, use func(operand.Op)) {
		for i := range registers {
			use(operand.Mem{Base: u.codes, Disp: u.bytes * i})
		}
	}
	for registers := u.block; registers > lastStep; registers /= 2 {
		next := label("below", u.step(registers)) + suffix
		u.CMPQ(u.n, operand.U32(u.step(registers)))
		u.JBE(operand.LabelRef(next))
		if registers == u.block {
			u.Label("block" + suffix)
		}
		u.Comment(label("", u.step(registers)) + " codes.")
		add(registers, func(use func(operand.Op)) { full(registers, use) })
		u.ADDQ(operand.U32(registers*u.bytes), u.codes)
		u.SUBQ(operand.U32(u.step(registers)), u.n)
		if registers == u.block {
			u.CMPQ(u.n, operand.U32(u.step(registers)))
			u.JA(operand.LabelRef("block" + suffix))
		}
		u.Label(next)
	}
	last := u.step(lastStep)
	u.CMPQ(u.n, operand.U32(last))
	u.JBE(operand.LabelRef("last" + suffix))
	add(2*lastStep, func(use func(operand.Op)) {
		full(lastStep, use)
		u.loadTail(last, last, func(r reg.VecVirtual) { use(r) })
	})
	u.JMP(operand.LabelRef("whole" + suffix))
	u.Label("last" + suffix)
	add(lastStep, func(use func(operand.Op)) {
		u.loadTail(0, last, func(r reg.VecVirtual) { use(r) })
	})
	u.Label("whole" + suffix)
	planes, _ = u.fold(planes, nil)
	if u.sketch {
		u.compareSteps(planes)
	} else {
		u.storePlanes(planes)
	}
}

// compareSteps compares the counters with half of the number of codes, rounded up to whole steps.
// It goes from the lowest bit to the highest: a bit in which they differ overrides the result of
// the lower bits.
func (u unitPlanes) compareSteps(planes []reg.VecVirtual) {
	u.Comment("Compare the counters with half of the votes, from the lowest bit to the highest.")
	known := bits.Len(uint(u.step(lastStep)/2)) - 1 // number of low bits of half that are 0
	steps := u.GP64()
	u.LEAQ(operand.Mem{Base: u.total, Disp: u.step(lastStep) - 1}, steps)
	u.SHRQ(operand.U8(known+1), steps)
	words := u.GP64() // all zeros or all ones, selected by the bit of half
	u.LEAQ(u.words64("bitOfHalf", 2, func(i int) uint64 { return -uint64(i) }), words)
	more := u.combine(planes[:known], u.or, ternaryOr3)
	differs := u.XMM()
	u.or(more, more, differs)
	for i, p := range planes[known:] {
		bit, x := u.GP64(), p.AsX()
		u.MOVQ(steps, bit)
		u.ANDQ(operand.U8(1), bit)
		if i < len(planes)-known-1 {
			u.SHRQ(operand.U8(1), steps)
		}
		half := operand.Mem{Base: words, Index: bit, Scale: 8}
		if u.shortAVX512 {
			u.VPTERNLOGQ_BCST(operand.U8(ternaryOrDifferent), half, x, differs)
			u.VPTERNLOGQ_BCST(operand.U8(ternaryAndOrByThird), half, x, more)
			continue
		}
		different := u.XMM()
		u.VMOVQ(half, different)
		u.VPXOR(x, different, different)
		u.VPOR(different, differs, differs)
		u.VPANDN(more, different, more)
		u.VPAND(x, different, different)
		u.VPOR(different, more, more)
	}
	p, zero := u.GP64(), u.GP64()
	u.VMOVQ(more, p)
	u.VMOVQ(differs, zero)
	u.NOTQ(zero)
	u.end(p, zero)
}
