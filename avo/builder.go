package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// builder is an avo context with what the kernels share.
type builder struct {
	*build.Context
	constants   map[string]constant
	shortAVX512 bool // the kernels use the instructions of AVX-512 on shorter registers too
}

// constant is read-only data and where it lies.
type constant struct {
	operand.Mem
	values []operand.Constant
}

func newBuilder() *builder {
	b := &builder{build.NewContext(), map[string]constant{}, false}
	b.ConstraintExpr("amd64,!purego")
	return b
}

// function begins a leaf function without a frame.
func (b *builder) function(name, signature, doc string) {
	b.Function(name)
	b.Attributes(attr.NOSPLIT)
	b.SignatureExpr(signature)
	b.Pragma("noescape")
	b.Doc(doc)
}

// words32 returns read-only data of 32-bit words, word i being f(i).
func (b *builder) words32(name string, n int, f func(i int) uint32) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U32(f(i)) })
}

// words64 returns read-only data of 64-bit words, word i being f(i).
func (b *builder) words64(name string, n int, f func(i int) uint64) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U64(f(i)) })
}

// words16 returns read-only data of 16-bit words, word i being f(i).
func (b *builder) words16(name string, n int, f func(i int) uint16) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U16(f(i)) })
}

// bytes returns read-only data of bytes, byte i being f(i).
func (b *builder) bytes(name string, n int, f func(i int) uint8) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U8(f(i)) })
}

// data places the constant where it is first asked for, and returns it again when it is asked for by the same name.
func (b *builder) data(name string, n int, value func(i int) operand.Constant) operand.Mem {
	values := make([]operand.Constant, n)
	for i := range values {
		values[i] = value(i)
	}
	if c, ok := b.constants[name]; ok {
		if !slices.Equal(c.values, values) {
			panic("two different constants are called " + name)
		}
		return c.Mem
	}
	c := constant{b.StaticGlobal(name), values}
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, v := range values {
		b.AppendDatum(v)
	}
	b.constants[name] = c
	return c.Mem
}

// load512 loads a constant of 64 bytes; one that repeats itself is broadcast. Go's linker aligns constants to 32 bytes at most, so a load of 64 may lie across two pages, which cost
// the f32 kernels 3 to 5 % in a build that placed one there (two lines of the cache alone: f64 up to 4 %, the others nothing). A broadcast reads 32 bytes at most and takes no more than a load.
func (b *builder) load512(m operand.Mem) reg.VecVirtual {
	r := b.ZMM()
	switch b.period(m) {
	case 4:
		b.VPBROADCASTD(m, r)
	case 8:
		b.VPBROADCASTQ(m, r)
	case 16:
		b.VBROADCASTI32X4(m, r)
	case 32:
		b.VBROADCASTI64X4(m, r)
	default:
		b.VMOVDQU64(m, r)
	}
	return r
}

// halves512 loads a constant of 64 bytes that does not repeat itself, half by half: for kernels that a load across two pages costs more than the second instruction.
func (b *builder) halves512(m operand.Mem) reg.VecVirtual {
	r := b.ZMM()
	b.VBROADCASTI64X4(m, r)
	b.VINSERTI64X4(operand.U8(1), m.Offset(32), r, r)
	return r
}

// period returns after how many bytes, a power of two from 4 on, the constant at m repeats itself: all of its bytes if it does not.
func (b *builder) period(m operand.Mem) int {
	for _, c := range b.constants {
		if c.Mem != m {
			continue
		}
		for n := len(c.values); ; n /= 2 {
			if size := n * c.values[0].Bytes(); size == 4 || n%2 != 0 || !slices.Equal(c.values[:n/2], c.values[n/2:n]) {
				return size
			}
		}
	}
	panic(m.Asm() + " is not a constant")
}

// zero512 returns a register of zeros.
func (b *builder) zero512() reg.VecVirtual {
	r := b.ZMM()
	b.VPXORD(r, r, r)
	return r
}

// zero256 returns a register of zeros.
func (b *builder) zero256() reg.VecVirtual {
	r := b.YMM()
	b.VPXOR(r, r, r)
	return r
}

// immediate returns a general register that holds v.
func (b *builder) immediate(v uint64) reg.GPVirtual {
	r := b.GP64()
	b.MOVQ(operand.U64(v), r)
	return r
}

// maskBelow returns the mask register whose lowest n bits are set; n is in a general register and below 64.
func (b *builder) maskBelow(n reg.GPVirtual) reg.OpmaskVirtual {
	bits := b.immediate(1<<64 - 1)
	b.BZHIQ(n, bits, bits)
	k := b.K()
	b.KMOVQ(bits, k)
	return k
}

// label returns a label that is unique within the function by the prefix.
func label(prefix string, i int) string { return fmt.Sprintf("%s%d", prefix, i) }

const (
	signBit32 = 1 << 31

	compareEqual     = 0  // VCMPPS: EQ_OQ
	compareUnordered = 3  // VCMPPS: UNORD_Q
	compareGreater   = 30 // VCMPPS: GT_OQ
	compareAbove     = 6  // VPCMPU: greater; compareEqual is the same there

	// Truth tables of VPTERNLOG; where the order of the operands matters, they are (dst, second, third) as in Intel's manual.
	ternaryXor3              = 0x96 // a ^ b ^ c
	ternaryMajority          = 0xE8 // at least two of a, b, c
	ternaryOr3               = 0xFE // a | b | c
	ternaryAnd3              = 0x80 // a & b & c
	ternarySelectFirst       = 0xE4 // c ? a : b
	ternaryDifferentNotThird = 0x14 // (a ^ b) & ^c
	ternaryOrDifferent       = 0xF6 // a | b ^ c
	ternaryAndOrByThird      = 0xD4 // c ? a & b : a | b
	ternarySelect            = 0xD8 // c ? b : a
	ternaryChoice            = 0xCA // a ? b : c
	ternaryAndOr             = 0xEA // a & b | c
	// a and c were added to some x and b is the sum a ^ c ^ x: the carry of that addition, without x itself.
	ternaryCarryFromSum = 0xB2
)
