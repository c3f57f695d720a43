package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// word returns the address of that word of the digests.
func (a digestArguments) word(t int) operand.Mem {
	switch t {
	case 0:
		return operand.Mem{Base: a.dst}
	case 3:
		return operand.Mem{Base: a.dst, Index: a.stride3, Scale: 1}
	}
	return operand.Mem{Base: a.dst, Index: a.stride, Scale: uint8(t)}
}

// interleave returns the even lanes of 32 bits of x with those of y between them, and likewise the
// odd lanes. Applying it twice gives the original registers.
func (d *hashDigest) interleave(x, y reg.VecVirtual) (even, odd reg.VecVirtual) {
	const fromEven, fromOdd = 0xA0, 0xF5
	if d.bytes == 64 {
		even = d.register()
		d.copy(x, even)
		d.VPSHUFD(operand.U8(fromEven), y, d.odd[0], even)
		d.VPSHUFD(operand.U8(fromOdd), x, d.odd[1], y)
		return even, y
	}
	even, odd = d.register(), d.register()
	d.VPSHUFD(operand.U8(fromEven), y, even)
	d.VPBLENDD(operand.U8(0xAA), even, x, even)
	d.VPSHUFD(operand.U8(fromOdd), x, odd)
	d.VPBLENDD(operand.U8(0xAA), y, odd, odd)
	return even, odd
}

// reverse reverses the bytes of the words if the hash reads and writes big-endian words.
func (d *hashDigest) reverse(words ...reg.VecVirtual) {
	if d.bigEndian {
		for _, w := range words {
			d.VPSHUFB(d.reversed, w, w)
		}
	}
}

// keep stores word t of the block, or of its extension, in place of word t-16.
func (d *hashDigest) keep(g *digestGroup, t int, r reg.VecVirtual) {
	if d.saves == nil {
		g.words[t%16] = r
	} else {
		d.hashLanes.store(r, operand.Mem{Base: d.saves, Disp: t % 16 * d.bytes})
	}
}

// word returns word t as stored by keep.
func (d *hashDigest) word(g *digestGroup, t int) operand.Op {
	if d.saves == nil {
		return g.words[t%16]
	}
	return operand.Mem{Base: d.saves, Disp: t % 16 * d.bytes}
}

// number returns the address of number i.
func (d *hashDigest) number(i int) operand.Mem { return operand.Mem{Base: d.atNumbers, Disp: 4 * i} }

// startOf returns the address of word j of the initial state.
func (d *hashDigest) startOf(j int) operand.Mem {
	return d.words32(label("start", j), 1, func(int) uint32 { return d.start[j] })
}

// addEach32 adds the word at that address to every lane of r.
func (d *hashDigest) addEach32(m operand.Mem, r reg.VecVirtual) {
	if d.bytes == 64 {
		d.VPADDD_BCST(m, r, r)
		return
	}
	t := d.register()
	d.VPBROADCASTD(m, t)
	d.VPADDD(t, r, r)
}

// ternary returns the function of x, y and z, in this order, that has that truth table.
func (d *hashDigest) ternary(table uint64, x, y, z reg.VecVirtual) reg.VecVirtual {
	t := d.register()
	d.copy(x, t)
	d.VPTERNLOGD(operand.U8(table), z, y, t)
	return t
}

// copy copies from to to.
func (v vectors) copy(from, to reg.VecVirtual) {
	if v.bytes == 64 {
		v.VMOVDQA64(from, to)
	} else {
		v.VMOVDQA(from, to)
	}
}
