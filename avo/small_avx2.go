package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 form for weights within ±127 looks up bytes: VPSHUFB selects from 16 bytes in each half
// of a register. So the two halves have the tables of two groups of four features. One register has
// the low bytes of the sums and another the high bytes. The looked-up bytes are combined to words
// and added. As in the AVX-512 forms, the sums are those of the weights that count as positive, and
// the 16-bit lanes are emptied before they overflow.
//
// Word y of each half of accumulator i has one group's part of the sum of lane 8y+i.

// safeSmallAVX2 is the number of steps of eight features before a lane may overflow. A step adds at
// most 4·127 to a lane.
const safeSmallAVX2 = 64

// smallAVX2 keeps 32-bit sums in the caller's memory, because sixteen registers are too few.
// sums[8i+y] is the sum of lane 8y+i.
type smallAVX2 struct{ *builder }

// fewAVX2 is the maximum number of features whose sums fit in 16 bits: 127 times this number is
// less than 1<<15.
const fewAVX2 = 256

// sum adds the features to the sums in memory. If few is not nil, it emits the code for at most
// fewAVX2 features, which uses the 16-bit lanes and returns from the function.
func (s smallAVX2) sum(in features, sums reg.GPVirtual, few func(words [8]reg.VecVirtual)) {
	b := s.builder
	codes, weights, n := in.codes, in.weights, in.n
	var words [8]reg.VecVirtual
	for i := range words {
		words[i] = b.YMM()
	}
	left := b.GP64()
	b.Label("smallStart")
	b.Comment("Lanes of 16 bits, for as many steps as cannot overflow.")
	for _, r := range words {
		b.VPXOR(r, r, r)
	}
	b.MOVQ(operand.U32(safeSmallAVX2), left)
	b.CMPQ(n, operand.U8(8))
	b.JB(operand.LabelRef("smallRest"))
	b.Label("smallLoop")
	b.Comment("Eight features.")
	x, y, w := b.YMM(), b.YMM(), b.YMM()
	b.VMOVDQU(operand.Mem{Base: codes}, x)
	b.VMOVDQU(operand.Mem{Base: codes, Disp: 32}, y)
	b.VMOVDQU(operand.Mem{Base: weights}, w)
	s.add(words, x, y, w)
	b.ADDQ(operand.U8(64), codes)
	b.ADDQ(operand.U8(32), weights)
	b.SUBQ(operand.U8(8), n)
	b.DECQ(left)
	b.JZ(operand.LabelRef("smallEmpty"))
	b.CMPQ(n, operand.U8(8))
	b.JAE(operand.LabelRef("smallLoop"))
	b.Label("smallRest")
	b.TESTQ(n, n)
	b.JZ(operand.LabelRef("smallEmpty"))
	b.Comment("The last 1 to 7 features. Missing features have weight 0.")
	x, y = b.loadCodesBelow8(codes, n)
	w = b.YMM()
	b.VPMASKMOVD(operand.Mem{Base: weights}, b.maskBelow8(n, 4, 0), w)
	s.add(words, x, y, w)
	b.XORQ(n, n)
	b.Label("smallEmpty")
	if few != nil {
		all := b.GP64()
		b.Load(b.Param("codes").Len(), all)
		b.CMPQ(all, operand.U32(fewAVX2))
		b.JA(operand.LabelRef("smallMany"))
		few(words)
		b.Label("smallMany")
	}
	b.Comment("Empty the lanes of 16 bits into those of 32 in memory.")
	for i, r := range words {
		at := operand.Mem{Base: sums, Disp: 32 * i}
		upper, a, c := b.XMM(), b.YMM(), b.YMM()
		b.VEXTRACTI128(operand.U8(1), r, upper)
		b.VPMOVSXWD(r.AsX(), a)
		b.VPMOVSXWD(upper, c)
		b.VPADDD(a, c, c)
		b.VPADDD(at, c, c)
		b.VMOVDQU(c, at)
	}
	b.TESTQ(n, n)
	b.JNZ(operand.LabelRef("smallStart"))
}

// add adds eight features, whose codes are x and y.
func (s smallAVX2) add(words [8]reg.VecVirtual, x, y, w reg.VecVirtual) {
	b := s.builder
	// p has the even bits of the two groups' first pairs and then of their second pairs, q the odd
	// bits
	p, q := swapBitsAVX2(b, x, y)
	b.Comment("Swap pairs of bits between the pairs of codes. Then one register has the nibbles of lanes 4n and 4n+1, and the other those of lanes 4n+2 and 4n+3.")
	pairs := b.words64("lowPairs", 4, func(int) uint64 { return 0x3333333333333333 })
	first, second, t := b.YMM(), b.YMM(), b.YMM()
	b.VPERM2I128(operand.U8(0x20), q, p, first)
	b.VPERM2I128(operand.U8(0x31), q, p, second)
	b.VPSRLQ(operand.U8(2), first, t)
	b.VPXOR(second, t, t)
	b.VPAND(pairs, t, t)
	b.VPXOR(t, second, second)
	b.VPSLLQ(operand.U8(2), t, t)
	b.VPXOR(t, first, first)
	low, high := s.tables(w)
	b.Comment("Look up both bytes of each sum, combine them to words and add these.")
	nibble := b.words64("lowNibble", 4, func(int) uint64 { return 0x0F0F0F0F0F0F0F0F })
	for r, codes := range []reg.VecVirtual{first, second} {
		b.VPERMQ(operand.U8(0xD8), codes, codes) // the first group to the lower half
		for odd := range 2 {
			position, l, h := b.YMM(), b.YMM(), b.YMM()
			if odd == 1 {
				b.VPSRLW(operand.U8(4), codes, codes)
			}
			b.VPAND(nibble, codes, position)
			b.VPSHUFB(position, low, l)
			b.VPSHUFB(position, high, h)
			b.VPUNPCKLBW(h, l, position)
			b.VPUNPCKHBW(h, l, l)
			b.VPADDW(position, words[4*odd+2*r], words[4*odd+2*r])
			b.VPADDW(l, words[4*odd+2*r+1], words[4*odd+2*r+1])
		}
	}
}

// tables returns the low and the high bytes of the sums of all subsets of each group's four
// weights.
func (s smallAVX2) tables(w reg.VecVirtual) (low, high reg.VecVirtual) {
	b := s.builder
	b.Comment("The sums of all subsets of each group's weights: low bytes and high bytes.")
	var pair [2]reg.VecVirtual
	for p := range pair {
		pair[p] = b.YMM()
		b.VPSHUFB(b.bytes(label("bytesOfPair", p), 32, func(i int) uint8 { return uint8(8*p + 4*(i%2)) }), w, pair[p])
	}
	// Words 0..7 of each half are the sums of subsets 0..7. Another register has subsets 8..15,
	// which also include the last weight.
	subsets := func(name string, from, p int) operand.Mem {
		return b.bytes(name, 32, func(i int) uint8 { return uint8((from + i/2%8) >> (2*p + i%2) & 1) })
	}
	var sum [2]reg.VecVirtual
	for i := range sum {
		sum[i] = b.YMM()
		bits := b.YMM()
		b.VMOVDQU(subsets(label("subsetsOfSecondPair", i), 8*i, 1), bits)
		b.VPMADDUBSW(pair[1], bits, sum[i])
	}
	bits := b.YMM()
	b.VMOVDQU(subsets("subsetsOfFirstPair", 0, 0), bits)
	b.VPMADDUBSW(pair[0], bits, bits)
	byteMask := b.words16("lowByte", 16, func(int) uint16 { return 0xFF })
	var bytes [2][2]reg.VecVirtual
	for i := range sum {
		b.VPADDW(bits, sum[i], sum[i])
		bytes[0][i], bytes[1][i] = b.YMM(), b.YMM()
		b.VPAND(byteMask, sum[i], bytes[0][i])
		b.VPSRLW(operand.U8(8), sum[i], bytes[1][i])
	}
	low, high = b.YMM(), b.YMM()
	b.VPACKUSWB(bytes[0][1], bytes[0][0], low)
	b.VPACKUSWB(bytes[1][1], bytes[1][0], high)
	return low, high
}

// signs stores the signs of the lanes, which are twice their sums minus the total.
func (s smallAVX2) signs(sums reg.GPVirtual, total reg.VecVirtual) {
	b, zero := s.builder, s.zero256()
	result := func(name string, compare func(v, mask reg.VecVirtual)) {
		// The masks of four accumulators are combined: byte i%4 of double word y is the mask of
		// lane 8y+i.
		b.Comment(name + ": compare twice the sums minus the total with 0, one bit for each lane.")
		var four [2]reg.VecVirtual
		for i := range 8 {
			v := b.YMM()
			b.VMOVDQU(operand.Mem{Base: sums, Disp: 32 * i}, v)
			b.VPADDD(v, v, v)
			b.VPSUBD(total, v, v)
			compare(v, v)
			b.VPAND(b.words32(label("byteOfMask", i%4), 8, func(int) uint32 { return 0xFF << (8 * (i % 4)) }), v, v)
			if i%4 == 0 {
				four[i/4] = v
			} else {
				b.VPOR(v, four[i/4], four[i/4])
			}
		}
		// Put the double words of accumulators 0..3 and 4..7 next to each other: one register has y
		// = 0, 1 and 4, 5 and the other y = 2, 3 and 6, 7.
		var bits [2]reg.GPVirtual
		for half, unpack := range []func(...operand.Op){b.VPUNPCKLDQ, b.VPUNPCKHDQ} {
			r := b.YMM()
			unpack(four[1], four[0], r)
			bits[half] = b.GP64()
			b.VPMOVMSKB(r, bits[half].As32())
		}
		upper := b.GP64()
		b.MOVQ(bits[1], upper)
		b.SHRQ(operand.U8(16), upper) // y = 6, 7
		b.SHLQ(operand.U8(48), upper)
		b.MOVWQZX(bits[1].As16(), bits[1])
		b.SHLQ(operand.U8(16), bits[1]) // y = 2, 3
		b.ORQ(upper, bits[1])
		b.MOVQ(bits[0], upper)
		b.SHRQ(operand.U8(16), upper)
		b.SHLQ(operand.U8(32), upper) // y = 4, 5
		b.MOVWQZX(bits[0].As16(), bits[0])
		b.ORQ(upper, bits[0])
		b.ORQ(bits[1], bits[0])
		b.storeSign(name, bits[0])
	}
	result("Positive", func(v, mask reg.VecVirtual) { b.VPCMPGTD(zero, v, mask) })
	result("Zero", func(v, mask reg.VecVirtual) { b.VPCMPEQD(zero, v, mask) })
	b.storeAllFinite()
}

// addTo64 adds the lanes to the lanes in memory.
func (s smallAVX2) addTo64(sums, lanes reg.GPVirtual, total reg.VecVirtual) {
	b := s.builder
	b.Comment("Add twice the sums minus the total to the lanes, eight at a time.")
	stride := b.YMM()
	b.VMOVDQU(b.words32("eachEighth", 8, func(i int) uint32 { return uint32(8 * i) }), stride)
	for y := range 8 {
		all, v, upper := b.YMM(), b.zero256(), b.XMM()
		b.VPCMPEQD(all, all, all)
		b.VPGATHERDD(all, operand.Mem{Base: sums, Disp: 4 * y, Index: stride, Scale: 4}, v)
		b.VPADDD(v, v, v)
		b.VPSUBD(total, v, v)
		b.VEXTRACTI128(operand.U8(1), v, upper)
		for half, part := range []operand.Op{v.AsX(), upper} {
			at, wide := operand.Mem{Base: lanes, Disp: 64*y + 32*half}, b.YMM()
			b.VPMOVSXDQ(part, wide)
			b.VPADDQ(at, wide, wide)
			b.VMOVDQU(wide, at)
		}
	}
}

// signsOfWords stores the signs for up to fewAVX2 features, whose sums are in the 16-bit lanes, and
// returns from the function. See signsOfSums for the comparison.
func (s smallAVX2) signsOfWords(words [8]reg.VecVirtual, total reg.GPVirtual) {
	b := s.builder
	b.Comment("Few features: compare the sums of both groups, in 16 bits, with half the total.")
	half, none := b.YMM(), b.zero256()
	halfTotal := b.GP32()
	b.MOVL(total.As32(), halfTotal)
	b.SARL(operand.U8(1), halfTotal)
	b.VMOVD(halfTotal, half.AsX())
	b.VPBROADCASTW(half.AsX(), half)
	// Saturation preserves signs and zeros. Byte 8i+y of the two registers is for lane 8y+i.
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
		b.Comment("Take one bit for each lane, and transpose 8×8 bits.")
		bits, upper := b.GP64(), b.GP64()
		b.VPMOVMSKB(masks[0], bits.As32())
		b.VPMOVMSKB(masks[1], upper.As32())
		b.SHLQ(operand.U8(32), upper)
		b.ORQ(upper, bits)
		b.transpose8x8(bits)
		return bits
	}
	b.Comment("Signs. Ties are rare, and impossible if the total is odd.")
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

// transpose8x8 moves bit 8i+j to 8j+i. It swaps single bits, then blocks of 2×2, then blocks of 4×4
// (Warren, Hacker's Delight, section 7-3).
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
