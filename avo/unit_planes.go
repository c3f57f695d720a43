package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The forms without GFNI stay bit-sliced to the end: the columns of each plane are added pairwise by bit-sliced adders, 8 → 4 → 2 → 1, and the one column of counters
// that is left is compared with half of the total, bit by bit from the lowest.

// unitPlanes says how an instruction set counts.
type unitPlanes struct {
	isa   string
	bytes int   // of a register
	block int   // registers a step
	high  []int // planes above those that a step fills by itself: for a few more codes than fit in a step, and for the most
	limit int   // codes at most: the counters of a column must hold them
}

func emitUnitAVX512(b *builder) {
	unitPlanes{isa: "AVX512", bytes: 64, block: 16, high: []int{4, 10}, limit: unitLimit}.emit(b)
}

func emitUnitAVX2(b *builder) {
	unitPlanes{isa: "AVX2", bytes: 32, block: 16, high: []int{3, 6}, limit: 4 * (1<<10 - 1)}.emit(b)
}

func (u unitPlanes) emit(b *builder) {
	sketch, count := "sketchUnit"+u.isa, "countUnit"+u.isa
	limit := map[int]string{unitLimit: "65,535", 4 * (1<<10 - 1): "4,092"}[u.limit]
	b.function(sketch, "func(codes []uint64) (positive, zero uint64)",
		sketch+" returns the signs of at most "+limit+" codes. It works like sketchUnitGeneric.")
	u.count(b, func(planes []reg.VecVirtual, total reg.GPVirtual) { vectors{b, u.bytes}.compareSlices(planes, total) })
	b.function(count, "func(planes *[64]uint64, codes []uint64)",
		count+" counts the ones of at most "+limit+" codes, bit-sliced, into words of planes that were 0. It works like (*counts).add.")
	u.count(b, func(planes []reg.VecVirtual, _ reg.GPVirtual) {
		to := b.Load(b.Param("planes"), b.GP64())
		for k, p := range planes {
			b.VMOVQ(p.AsX(), operand.Mem{Base: to, Disp: 8 * k})
		}
	})
}

// count emits the whole kernel; finish gets the planes of the one column that is left.
func (u unitPlanes) count(b *builder, finish func(planes []reg.VecVirtual, total reg.GPVirtual)) {
	v := vectors{b, u.bytes}
	codes := codeSource{v, b.Load(b.Param("codes").Base(), b.GP64()).(reg.GPVirtual)}
	n := b.Load(b.Param("codes").Len(), b.GP64()).(reg.GPVirtual)
	total := b.GP64()
	b.MOVQ(n, total)
	end := func(planes []reg.VecVirtual) {
		finish(v.fold(planes), total)
		b.VZEROUPPER()
		b.RET()
	}
	step := u.block * v.words()
	b.CMPQ(n, operand.U32(step))
	b.JA(operand.LabelRef("many"))
	sizes := []int{u.block / 8, u.block / 4, u.block / 2}
	for _, size := range sizes {
		b.CMPQ(n, operand.U32(size*v.words()))
		b.JBE(operand.LabelRef(label("upTo", size*v.words())))
	}
	for _, size := range []int{u.block, sizes[2], sizes[1], sizes[0]} {
		if size < u.block {
			b.Label(label("upTo", size*v.words()))
		}
		a := adder{vectors: v}
		first := size / 2
		if size == sizes[0] {
			first = 0
		}
		for i := range first {
			a.add(0, codes.at(i))
		}
		codes.loadBelow(first, size-first, n, func(r reg.VecVirtual) { a.add(0, r) })
		end(a.planes())
	}

	b.Label("many")
	for i, high := range u.high {
		if i < len(u.high)-1 {
			most := v.words() * (1<<(4+high) - 1) // what the counters of all columns hold, if the codes are spread evenly
			b.CMPQ(n, operand.U32(most))
			b.JA(operand.LabelRef(label("many", i+1)))
		}
		if i > 0 {
			b.Label(label("many", i))
		}
		end(u.countSteps(codes, n, high, label("_", i)))
	}
}

// countSteps counts more codes than fit in a step, and returns the planes. A column holds at most one code in v.words(), rounded up.
func (u unitPlanes) countSteps(codes codeSource, n reg.GPVirtual, high int, suffix string) []reg.VecVirtual {
	v, step := codes.vectors, u.block*codes.words()
	planes := make([]reg.VecVirtual, 4+high)
	for k := range planes {
		planes[k] = v.zero()
	}
	addBlock := func(load func(a *adder)) {
		a := adder{vectors: v}
		for k, p := range planes[:4] {
			a.add(k, p)
		}
		load(&a)
		v.ripple(planes[4:], a.pending[4][0])
	}
	v.Label("block" + suffix)
	addBlock(func(a *adder) {
		for i := range u.block {
			a.add(0, codes.at(i))
		}
	})
	v.ADDQ(operand.U32(u.block*u.bytes), codes.base)
	v.SUBQ(operand.U32(step), n)
	v.CMPQ(n, operand.U32(step))
	v.JAE(operand.LabelRef("block" + suffix))
	v.TESTQ(n, n)
	v.JZ(operand.LabelRef("whole" + suffix))
	v.CMPQ(n, operand.U32(step/2))
	v.JBE(operand.LabelRef("lessThanHalf" + suffix))
	addBlock(func(a *adder) {
		for i := range u.block / 2 {
			a.add(0, codes.at(i))
		}
		codes.loadBelow(u.block/2, u.block/2, n, func(r reg.VecVirtual) { a.add(0, r) })
	})
	v.JMP(operand.LabelRef("whole" + suffix))
	v.Label("lessThanHalf" + suffix)
	a := adder{vectors: v}
	for k, p := range planes[:3] {
		a.add(k, p)
	}
	codes.loadBelow(0, u.block/2, n, func(r reg.VecVirtual) { a.add(0, r) })
	v.ripple(planes[3:], a.pending[3][0])
	v.Label("whole" + suffix)
	return planes
}

// fold adds the columns of the counters to one; each halving of the columns adds a plane. The result is in the lowest 64 bits of each register. The planes
// themselves are left as they were.
func (v vectors) fold(planes []reg.VecVirtual) []reg.VecVirtual {
	for bytes := v.bytes; bytes > 8; bytes /= 2 {
		var carry reg.VecVirtual
		next := make([]reg.VecVirtual, 0, len(planes)+1)
		for _, p := range planes {
			lower, upper := v.halves(p, bytes)
			if carry == nil {
				sum := v.sameSize(upper)
				v.xor(lower, upper, sum)
				v.and(lower, upper, upper)
				next, carry = append(next, sum), upper
				continue
			}
			c := v.addSaving(upper, carry, lower)
			next, carry = append(next, upper), c
		}
		planes = append(next, carry)
	}
	return planes
}

// halves splits a register of that many bytes. The upper half is a new register, the lower half a shorter name of the old one.
func (v vectors) halves(p reg.VecVirtual, bytes int) (lower, upper reg.VecVirtual) {
	switch {
	case bytes == 64:
		lower, upper = p.AsY().(reg.VecVirtual), v.YMM()
		v.VEXTRACTI64X4(operand.U8(1), p, upper)
	case bytes == 32 && v.bytes == 64:
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

// compareSlices stores the signs of the counters, whose planes are in the lowest 64 bits. A counter is more than half of total, rounded down, where counter + ^half
// carries out of the highest plane; it equals half where all planes do.
func (v vectors) compareSlices(planes []reg.VecVirtual, total reg.GPVirtual) {
	b := v.builder
	// Two words, all ones and all zeros: the bit of half chooses, and the word is loaded complemented.
	complement := b.words64("complement", 2, func(i int) uint64 { return uint64(i) - 1 })
	base, shifted := b.GP64(), b.GP64()
	b.LEAQ(complement, base)
	b.MOVQ(total, shifted)
	carry, same := b.XMM(), b.XMM()
	v.xor(carry, carry, carry)
	b.VMOVQ(complement, same)
	for _, p := range planes {
		bit := b.GP64()
		b.SHRQ(operand.U8(1), shifted)
		b.MOVQ(shifted, bit)
		b.ANDQ(operand.U8(1), bit)
		half, t := b.XMM(), b.XMM()
		b.VMOVQ(operand.Mem{Base: base, Index: bit, Scale: 8}, half)
		x := p.AsX()
		v.xor(x, half, t) // where plane and half are the same
		v.and(t, same, same)
		v.and(t, carry, carry)
		v.and(x, half, half)
		v.or(half, carry, carry)
	}
	positive, zero := b.GP64(), b.GP64()
	b.VMOVQ(carry, positive)
	b.VMOVQ(same, zero)
	b.storeMajority(positive, zero, total)
}
