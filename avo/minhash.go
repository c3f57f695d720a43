package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func emitMinHash(v vectors) {
	if v.bytes == 32 {
		v.fillMinima("fill" + v.isa)
	}
	v.scanMinima("scan" + v.isa)
	v.collectMinima("collect" + v.isa)
	v.lowerMinima("lower" + v.isa)
	v.minimaBits("bits" + v.isa)
}

// fillMinima lowers one lane for each key. Most lanes differ, so the processor overlaps several
// keys.
func (v vectors) fillMinima(name string) {
	const together = 4
	v.function(name, "func(minima []uint32, keys []uint64)", name+" works like fillGeneric.")
	minima, lanes := v.slice("minima")
	end, i := v.keysToEnd()
	each := func(key int) {
		lane, value, least := v.GP64(), v.GP32(), v.GP32()
		v.MOVL(operand.Mem{Base: end, Index: i, Scale: 8, Disp: 8*key + 4}, lane.As32())
		v.MOVL(operand.Mem{Base: end, Index: i, Scale: 8, Disp: 8 * key}, value)
		v.IMULQ(lanes, lane)
		v.SHRQ(operand.U8(32), lane)
		v.SHRL(operand.U8(1), value)
		at := operand.Mem{Base: minima, Index: lane, Scale: 4}
		v.MOVL(at, least)
		v.CMPL(value, least)
		v.CMOVLCS(value, least)
		v.MOVL(least, at)
	}
	v.Label("single")
	v.TESTQ(operand.U32(together-1), i)
	v.JZ(operand.LabelRef("loop"))
	each(0)
	v.INCQ(i)
	v.JNZ(operand.LabelRef("single"))
	v.RET()
	v.Label("loop")
	for key := range together {
		each(key)
	}
	v.ADDQ(operand.U8(together), i)
	v.JNZ(operand.LabelRef("loop"))
	v.RET()
}

// keysToEnd returns the end of the keys, and the index of the first one, which counts up to 0.
func (v vectors) keysToEnd() (end, i reg.GPVirtual) {
	end, i = v.slice("keys")
	v.Comment("the index of keys counts up to 0")
	v.LEAQ(operand.Mem{Base: end, Index: i, Scale: 8}, end)
	v.NEGQ(i)
	return end, i
}

// scannedBit returns a register with the bit that is set in the minima of a scan.
func (v vectors) scannedBit() reg.VecVirtual {
	r := v.register()
	v.VPBROADCASTD(v.words32("scanned", 1, func(int) uint32 { return 1 << 31 }), r)
	return r
}

// scanMinima passes over all keys with up to eight registers of lanes at a time.
func (v vectors) scanMinima(name string) {
	const most = 8
	v.function(name, "func(minima, multipliers []uint32, keys []uint64)", name+" works like scanGeneric.")
	minima, lanes := v.slice("minima")
	multipliers := v.base("multipliers")
	end, n := v.keysToEnd()
	i, key := v.GP64(), v.register()
	var least [most]reg.VecVirtual
	for r := range least {
		least[r] = v.register()
	}
	step := 64 / v.bytes // registers for 16 lanes
	for registers := most; registers > 0; registers -= step {
		v.Label(label("registers", registers))
		v.CMPQ(lanes, operand.U32(uint32(registers*v.bytes/4)))
		v.JL(operand.LabelRef(label("registers", registers-step)))
		var factors [most]operand.Op
		for r := range registers {
			factors[r] = operand.Mem{Base: multipliers, Disp: r * v.bytes}
			if v.bytes == 64 || r < 14-registers { // as many as there are registers left
				factors[r] = v.load(factors[r])
			}
		}
		// Minima of a few registers are kept twice, for alternate keys, because each minimum has to
		// wait for the last one.
		twice := 1
		if 2*registers <= most {
			twice = 2
		}
		for r := range twice * registers {
			v.setOnes(least[r])
		}
		lower := func(distance int) {
			v.VPBROADCASTD(operand.Mem{Base: end, Index: i, Scale: 8, Disp: 8 * distance}, key)
			for r := range registers {
				h, m := v.register(), least[distance*registers+r]
				v.VPMULLD(factors[r], key, h)
				v.VPMINUD(h, m, m)
			}
		}
		loop, stored := label("keys", registers), label("stored", registers)
		v.MOVQ(n, i)
		if twice == 2 {
			v.BTQ(operand.U8(0), n)
			v.JCC(operand.LabelRef(loop))
			lower(0)
			v.INCQ(i)
			v.JZ(operand.LabelRef(stored))
		}
		v.Label(loop)
		for distance := range twice {
			lower(distance)
		}
		v.ADDQ(operand.U8(twice), i)
		v.JNZ(operand.LabelRef(loop))
		v.Label(stored)
		scanned := v.scannedBit()
		for r := range registers {
			if twice == 2 {
				v.VPMINUD(least[registers+r], least[r], least[r])
			}
			v.VPSRLD(operand.U8(1), least[r], least[r])
			v.or(scanned, least[r], least[r])
			v.store(least[r], operand.Mem{Base: minima, Disp: r * v.bytes})
		}
		if registers < most {
			v.leave() // these were the last lanes
			continue
		}
		v.ADDQ(operand.U32(most*uint32(v.bytes)), minima)
		v.ADDQ(operand.U32(most*uint32(v.bytes)), multipliers)
		v.SUBQ(operand.U32(most*uint32(v.bytes)/4), lanes)
		v.JMP(operand.LabelRef(label("registers", most)))
	}
	v.Label(label("registers", 0))
	v.leave()
}

// collectMinima and lowerMinima pass over the minima a register at a time. Compression moves the
// lanes of a scan to the front, and expansion moves them back.
func (v vectors) collectMinima(name string) {
	v.function(name, "func(dst, minima, multipliers []uint32) (n int)", name+" works like collectGeneric.")
	dst := v.base("dst")
	minima, left := v.slice("minima")
	multipliers := v.base("multipliers")
	n := v.GP64()
	v.XORQ(n, n)
	v.Label("loop")
	of, mask := v.ofScan(v.load(operand.Mem{Base: minima}))
	collected := v.moved(v.load(operand.Mem{Base: multipliers}), of, mask, "compression")
	v.store(collected, operand.Mem{Base: dst, Index: n, Scale: 4})
	v.POPCNTL(of.As32(), of.As32())
	v.ADDQ(of, n)
	v.ADDQ(operand.U8(v.bytes), multipliers)
	v.ADDQ(operand.U8(v.bytes), minima)
	v.SUBQ(operand.U8(v.bytes/4), left)
	v.JNZ(operand.LabelRef("loop"))
	v.Store(n, v.ReturnIndex(0))
	v.leave()
}

func (v vectors) lowerMinima(name string) {
	v.function(name, "func(minima, collected []uint32)", name+" works like lowerGeneric.")
	minima, left := v.slice("minima")
	collected := v.base("collected")
	scanned := v.scannedBit()
	v.Label("loop")
	m := v.load(operand.Mem{Base: minima})
	of, mask := v.ofScan(m)
	least := v.moved(v.load(operand.Mem{Base: collected}), of, mask, "expansion")
	v.or(scanned, least, least)
	v.VPMINUD(least, m, m)
	v.store(m, operand.Mem{Base: minima})
	v.POPCNTL(of.As32(), of.As32())
	v.LEAQ(operand.Mem{Base: collected, Index: of, Scale: 4}, collected)
	v.ADDQ(operand.U8(v.bytes), minima)
	v.SUBQ(operand.U8(v.bytes/4), left)
	v.JNZ(operand.LabelRef("loop"))
	v.leave()
}

// ofScan returns one bit for each lane: 1 if its minimum is that of a scan. With AVX-512, the bits
// are also in a mask.
func (v vectors) ofScan(minima reg.VecVirtual) (lanes reg.GPVirtual, mask reg.OpmaskVirtual) {
	lanes = v.GP64()
	if v.bytes == 32 {
		v.VMOVMSKPS(minima, lanes.As32())
		return lanes, nil
	}
	mask = v.K()
	v.VPMOVD2M(minima, mask)
	v.KMOVW(mask, lanes.As32())
	return lanes, mask
}

// moved moves lanes by compression or expansion. AVX2 looks up the position that each comes from.
func (v vectors) moved(r reg.VecVirtual, lanes reg.GPVirtual, mask reg.OpmaskVirtual, way string) reg.VecVirtual {
	to := v.register()
	switch {
	case v.bytes == 64 && way == "compression":
		v.VPCOMPRESSD_Z(r, mask, to)
		return to
	case v.bytes == 64:
		v.VPEXPANDD_Z(r, mask, to)
		return to
	}
	table := v.GP64()
	v.LEAQ(v.words64(way, 256, func(mask int) (positions uint64) {
		n := 0
		for lane := range 8 {
			if set := mask >> lane & 1; way == "expansion" {
				positions |= uint64(n) << (8 * lane)
				n += set
			} else if set == 1 {
				positions |= uint64(lane) << (8 * n)
				n++
			}
		}
		return positions
	}), table)
	v.VPMOVZXBD(operand.Mem{Base: table, Index: lanes, Scale: 8}, to)
	v.VPERMD(r, to, to)
	return to
}

// minimaBits returns the highest bit of (m ^ m>>15)*K for each minimum m, where K is a constant.
func (v vectors) minimaBits(name string) {
	v.function(name, "func(minima *[64]uint32) (bits uint64)", name+" works like bitsGeneric.")
	minima := v.param("minima")
	word, factor, lanes := v.GP64(), v.register(), v.bytes/4
	v.VPBROADCASTD(v.words32("bitFactor", 1, func(int) uint32 { return 0x9E3779B1 }), factor)
	for i := range 64 / lanes {
		m, shifted := v.load(operand.Mem{Base: minima, Disp: i * v.bytes}), v.register()
		v.VPSRLD(operand.U8(15), m, shifted)
		v.xor(shifted, m, m)
		v.VPMULLD(factor, m, m)
		part := word
		if i > 0 {
			part = v.GP64()
		}
		if v.bytes == 64 {
			k := v.K()
			v.VPMOVD2M(m, k)
			v.KMOVW(k, part.As32())
		} else {
			v.VMOVMSKPS(m, part.As32())
		}
		if i > 0 {
			v.SHLQ(operand.U8(lanes*i), part)
			v.ORQ(part, word)
		}
	}
	v.Store(word, v.ReturnIndex(0))
	v.leave()
}
