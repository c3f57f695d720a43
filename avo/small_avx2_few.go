package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// signsOfWords stores the signs of up to fewAVX2 features, whose sums are in the lanes of 16 bits,
// and returns from the function. V is greater than 0 where S is greater than half the total,
// rounded down; it is 0 where they are equal, if the total is even.
func (s smallAVX2) signsOfWords(words [8]reg.VecVirtual, total reg.GPVirtual) {
	b := s.builder
	b.Comment("Few features: compare the sums of both groups, in 16 bits, with half the total.")
	half, none := b.YMM(), b.zero256()
	halfTotal := b.GP32()
	b.MOVL(total.As32(), halfTotal)
	b.SARL(operand.U8(1), halfTotal)
	b.VMOVD(halfTotal, half.AsX())
	b.VPBROADCASTW(half.AsX(), half)
	// Saturation leaves signs and zeros as they are. Byte 8i+y of the two registers is of lane
	// 8y+i.
	var bytes [2]reg.VecVirtual
	for r := range bytes {
		var sums [2]reg.VecVirtual
		for odd := range sums {
			first, second := words[4*r+odd], words[4*r+odd+2]
			sums[odd] = b.YMM()
			b.VPERM2I128(operand.U8(0x20), second, first, sums[odd])
			b.VPERM2I128(operand.U8(0x31), second, first, first)
			b.VPADDW(first, sums[odd], sums[odd])
			b.VPSUBW(half, sums[odd], sums[odd])
		}
		bytes[r] = sums[0]
		b.VPACKSSWB(sums[1], sums[0], bytes[r])
	}
	collect := func(masks [2]reg.VecVirtual) reg.GPVirtual {
		b.Comment("One bit for each lane, and 8×8 bits transposed.")
		bits, upper := b.GP64(), b.GP64()
		b.VPMOVMSKB(masks[0], bits.As32())
		b.VPMOVMSKB(masks[1], upper.As32())
		b.SHLQ(operand.U8(32), upper)
		b.ORQ(upper, bits)
		b.transpose8x8(bits)
		return bits
	}
	b.Comment("Signs; ties are rare, and none if the total is odd.")
	var positive, zero [2]reg.VecVirtual
	for r := range bytes {
		positive[r], zero[r] = b.YMM(), b.YMM()
		b.VPCMPGTB(none, bytes[r], positive[r])
		b.VPCMPEQB(none, bytes[r], zero[r])
	}
	b.storeSign("Positive", collect(positive))
	b.storeAllFinite()
	any, ties := b.YMM(), b.GP64()
	b.VPOR(zero[0], zero[1], any)
	b.XORL(ties.As32(), ties.As32())
	b.VPTEST(any, any)
	b.JZ(operand.LabelRef("smallNoTie"))
	b.TESTL(operand.U32(1), total.As32())
	b.JNZ(operand.LabelRef("smallNoTie"))
	b.MOVQ(collect(zero), ties)
	b.Label("smallNoTie")
	b.storeSign("Zero", ties)
	b.leave()
}

// transpose8x8 brings bit 8i+j to 8j+i: it swaps single bits, then squares of 2 by 2, then of 4 by
// 4 (Warren, Hacker's Delight, section 7-3).
func (b *builder) transpose8x8(x reg.GPVirtual) {
	for _, swap := range []struct {
		shift uint8
		mask  uint64
	}{{7, 0x00AA00AA00AA00AA}, {14, 0x0000CCCC0000CCCC}, {28, 0x00000000F0F0F0F0}} {
		t, mask := b.GP64(), b.immediate(swap.mask)
		b.MOVQ(x, t)
		b.SHRQ(operand.U8(swap.shift), t)
		b.XORQ(x, t)
		b.ANDQ(mask, t)
		b.XORQ(t, x)
		b.SHLQ(operand.U8(swap.shift), t)
		b.XORQ(t, x)
	}
}
