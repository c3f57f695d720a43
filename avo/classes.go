package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// masks looks up the classes of each byte by its two nibbles: a byte is in a class if the entries
// for both nibbles contain that class.
func (v vectors) masks() {
	v.function("masks"+v.isa, "func(dst [][4]uint64, text []byte, nibbles *[2][16]byte)", "masks"+v.isa+" works like masksGeneric, on whole blocks.")
	dst, n := v.slice("dst")
	text := v.base("text")
	nibbles := v.param("nibbles")
	v.TESTQ(n, n)
	v.JZ(operand.LabelRef("done"))
	broadcast := v.VBROADCASTI128
	if v.avx512() {
		broadcast = func(from, to operand.Op) { v.VBROADCASTI32X4(from, to) }
	}
	low, high := v.register(), v.register()
	broadcast(operand.Mem{Base: nibbles}, low)
	broadcast(operand.Mem{Base: nibbles, Disp: 16}, high)
	var sets [3]reg.VecVirtual
	for i, bits := range []uint32{0x0F0F0F0F, 0x30303030, 0xC0C0C0C0} {
		sets[i] = v.register()
		v.VPBROADCASTD(v.words32(label("set", i), 1, func(int) uint32 { return bits }), sets[i])
	}
	v.Label("loop")
	if v.avx512() {
		text64 := v.load(operand.Mem{Base: text})
		found := v.classes(text64, low, high, sets[0])
		for i, set := range sets {
			k := v.K()
			v.VPTESTMB(set, found, k)
			v.KMOVQ(k, operand.Mem{Base: dst, Disp: 8 * i})
		}
		k := v.K()
		v.VPMOVB2M(text64, k)
		v.KMOVQ(k, operand.Mem{Base: dst, Disp: 24})
	} else {
		zero := v.zero()
		var masks [4]reg.GPVirtual
		for half := range 2 {
			text32 := v.load(operand.Mem{Base: text, Disp: 32 * half})
			found := v.classes(text32, low, high, sets[0])
			for i := range masks {
				bits, mask := text32, v.GP64()
				if i < len(sets) {
					bits = v.register()
					v.VPAND(sets[i], found, bits)
					v.VPCMPEQB(zero, bits, bits)
				}
				v.VPMOVMSKB(bits, mask.As32())
				if half == 0 {
					masks[i] = mask
					continue
				}
				v.SHLQ(operand.U8(32), mask)
				v.ORQ(mask, masks[i])
				if i < len(sets) {
					v.NOTQ(masks[i])
				}
				v.MOVQ(masks[i], operand.Mem{Base: dst, Disp: 8 * i})
			}
		}
	}
	v.ADDQ(operand.U8(64), text)
	v.ADDQ(operand.U8(32), dst)
	v.DECQ(n)
	v.JNZ(operand.LabelRef("loop"))
	v.Label("done")
	v.leave()
}

// classes returns the classes of each byte, or no classes if the byte is not ASCII. The low nibble
// has the bits of the first set.
func (v vectors) classes(text, low, high, nibble reg.VecVirtual) reg.VecVirtual {
	found, index := v.register(), v.register()
	v.VPSHUFB(text, low, found)
	v.VPSRLW(operand.U8(4), text, index)
	v.and(nibble, index, index)
	v.VPSHUFB(index, high, index)
	v.and(index, found, found)
	return found
}

// emitLowerAVX2 converts letters to lower case, 32 bytes at a time.
func emitLowerAVX2(v vectors) {
	v.function("lowerAVX2", "func(dst []byte, text []byte) (n int)", "lowerAVX2 works like lowerGeneric on whole blocks, and stops before a block with a byte that is not ASCII.")
	dst := v.base("dst")
	text, left := v.slice("text")
	at, others := v.GP64(), v.GP64()
	v.XORQ(at, at)
	constants := map[string]reg.VecVirtual{}
	for _, c := range []struct {
		name string
		b    uint32
	}{{"beforeA", 'A' - 1}, {"behindZ", 'Z' + 1}, {"space", ' '}} {
		r := v.register()
		v.VPBROADCASTD(v.words32(c.name, 1, func(int) uint32 { return c.b * 0x01010101 }), r)
		constants[c.name] = r
	}
	v.SUBQ(operand.U8(32), left)
	v.JL(operand.LabelRef("done"))
	v.Label("loop")
	bytes, upper, below := v.load(operand.Mem{Base: text, Index: at, Scale: 1}), v.register(), v.register()
	v.VPMOVMSKB(bytes, others.As32())
	v.TESTL(others.As32(), others.As32())
	v.JNZ(operand.LabelRef("done"))
	v.VPCMPGTB(constants["beforeA"], bytes, upper)
	v.VPCMPGTB(bytes, constants["behindZ"], below)
	v.VPAND(below, upper, upper)
	v.VPAND(constants["space"], upper, upper)
	v.VPOR(upper, bytes, bytes)
	v.store(bytes, operand.Mem{Base: dst, Index: at, Scale: 1})
	v.ADDQ(operand.U8(32), at)
	v.CMPQ(at, left)
	v.JLE(operand.LabelRef("loop"))
	v.Label("done")
	v.Store(at, v.ReturnIndex(0))
	v.leave()
}
