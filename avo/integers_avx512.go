package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX-512 forms of i32 weights begin with a look at all of them: within ±127 they take the
// small form, otherwise the narrow form, whose lanes have 32 bits. Both leave in a lane the sum S
// of the weights that count positive, and V = 2·S - total. Weights whose sum may need more than 32
// bits are for another function, with lanes of 64 bits.

// integers is the small and the narrow form of one tier, which leave the lanes in the order of its
// grouped form.
type integers struct {
	grouped
	smallLimit    uint32 // features that the small form can take
	small, narrow func(g grouped, acc []reg.VecVirtual, in features)
}

// sums are the lanes S, and the total of the weights in every element of a register.
type sums struct {
	lanes []reg.VecVirtual
	total reg.VecVirtual
}

// features says where the features are that are still to be added: n codes and weights.
type features struct{ codes, weights, n reg.GPVirtual }

func (b *builder) features() features {
	return features{
		codes:   b.base("codes"),
		weights: b.base("weights"),
		n:       b.length("codes"),
	}
}

// storeFits stores the result that says whether 32 bits are enough.
func (b *builder) storeFits(fits uint32) {
	r := b.GP32()
	b.MOVL(operand.U32(fits), r)
	b.Store(r.As8(), b.Return("fits"))
}

// skip steps over count features; the flags are those of what is left of n.
func (b *builder) skip(in features, count int) {
	b.ADDQ(operand.U8(8*count), in.codes)
	b.ADDQ(operand.U8(4*count), in.weights)
	b.SUBQ(operand.U8(count), in.n)
}

func (g integers) emit() {
	const fits = "If a sum may need more than 32 bits, it does nothing, and fits is false. There are fewer than 1<<24 weights."
	b := g.builder
	name := "addI32Narrow" + g.isa
	b.function(name, "func(lanes *[64]int64, codes []uint64, weights []int32) (fits bool)", name+" adds ±weights[i] to each lane. "+fits)
	s := g.sums()
	b.Comment("Twice the weights that count positive, less the total.")
	for _, l := range s.lanes {
		b.VPADDD(l, l, l)
		b.VPSUBD(s.total, l, l)
	}
	g.addTo64(s.lanes)
	name = "sketchI32Narrow" + g.isa
	b.function(name, "func(codes []uint64, weights []int32) (signs Signs, fits bool)",
		name+" returns the signs of lanes that start from 0. "+fits)
	g.signsOfSums(g.sums())
}

// sums returns the sums, or from the function.
func (g integers) sums() sums {
	b, v := g.builder, g.vectors
	any, total := v.look()
	in, lanes := b.features(), make([]reg.VecVirtual, g.accumulators())
	for i := range lanes {
		lanes[i] = b.ZMM()
	}
	v.beyond127(any)
	b.JNE(operand.LabelRef("narrow"))
	b.CMPQ(in.n, operand.U32(g.smallLimit))
	b.JA(operand.LabelRef("narrow"))
	g.small(g.grouped, lanes, in)
	b.JMP(operand.LabelRef("sums"))
	b.Label("narrow")
	v.beyondNarrow(any)
	b.JEQ(operand.LabelRef("fits"))
	b.storeFits(0)
	b.leave()
	b.Label("fits")
	g.narrow(g.grouped, lanes, in)
	b.Label("sums")
	b.storeFits(1)
	v.sumEverywhere(total)
	return sums{lanes, total}
}

// signsOfSums stores the signs of V. V is greater than 0 where S is greater than half the total,
// rounded down; it is 0 where they are equal, if the total is even.
func (g integers) signsOfSums(s sums) {
	b := g.builder
	b.Comment("Compare the sums of the weights that count positive with half the total.")
	half := b.ZMM()
	b.VPSRAD(operand.U8(1), s.total, half)
	for _, l := range s.lanes {
		b.VPSUBD(half, l, l)
	}
	b.Comment("Saturation leaves signs and zeros as they are.")
	b.VPACKSSDW(s.lanes[1], s.lanes[0], s.lanes[0])
	b.VPACKSSDW(s.lanes[3], s.lanes[2], s.lanes[2])
	all := s.lanes[0]
	b.VPACKSSWB(s.lanes[2], all, all)
	// Quarter x/4 has 16 lanes of its own, and of byte 4i+x%4 it is clear which.
	order := func(at int) uint8 {
		for i := range s.lanes {
			for x := range 4 {
				if g.laneOf(i, x) == at {
					return uint8(4*i + x)
				}
			}
		}
		panic("a quarter does not have its lanes")
	}
	natural := true
	for at := range 16 {
		natural = natural && order(at) == uint8(at)
	}
	if !natural {
		b.VPSHUFB(b.load512(b.bytes("natural"+g.order, 16, order)), all, all)
	}
	b.Comment("Signs; ties are rare, and none if the total is odd.")
	none, positive, zero := b.zero512(), b.K(), b.K()
	b.VPCMPGTB(none, all, positive)
	b.VPTESTNMB(all, all, zero)
	bits := b.GP64()
	b.KMOVQ(positive, bits)
	b.storeSign("Positive", bits)
	b.storeAllFinite()
	b.XORL(bits.As32(), bits.As32())
	b.KORTESTQ(zero, zero)
	b.JNZ(operand.LabelRef("rare"))
	b.storeSign("Zero", bits)
	b.leave()
	b.Label("rare")
	even := b.GP64()
	b.VMOVD(s.total.AsX(), even.As32())
	b.ANDL(operand.U8(1), even.As32())
	b.SUBQ(operand.U8(1), even)
	b.KMOVQ(zero, bits)
	b.ANDQ(even, bits)
	b.storeSign("Zero", bits)
	b.leave()
}
