package main

import (
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constant is read-only data and where it lies.
type constant struct {
	operand.Mem
	values     []operand.Constant
	broadcasts int // loads of it by load512 that read one period
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

// data places the constant where it is first asked for, and returns it again when it is asked for
// by the same name.
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
	c := &constant{Mem: b.StaticGlobal(name), values: values}
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, v := range values {
		b.AppendDatum(v)
	}
	b.constants[name] = c
	return c.Mem
}

// load512 loads a constant of 64 bytes; one that repeats itself is broadcast. Go's linker aligns
// constants to 32 bytes at most, so a load of 64 may lie across two pages, which cost the f32
// kernels 3 to 5 % in a build that placed one there (two lines of the cache alone: f64 up to 4 %,
// the others nothing). A broadcast reads 32 bytes at most and takes no more than a load.
func (b *builder) load512(m operand.Mem) reg.VecVirtual {
	r := b.ZMM()
	c := b.constants[m.Symbol.Name]
	period := c.period()
	if period < 64 {
		c.broadcasts++
	}
	switch period {
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

// halves512 loads a constant of 64 bytes that does not repeat itself, half by half: for kernels
// that a load across two pages costs more than the second instruction.
func (b *builder) halves512(m operand.Mem) reg.VecVirtual {
	r := b.ZMM()
	b.VBROADCASTI64X4(m, r)
	b.VINSERTI64X4(operand.U8(1), m.Offset(32), r, r)
	return r
}

// period returns after how many bytes, a power of two from 4 on, the constant repeats itself: all
// of its bytes if it does not.
func (c *constant) period() int {
	for n := len(c.values); ; n /= 2 {
		if size := n * c.values[0].Bytes(); size == 4 || n%2 != 0 || !slices.Equal(c.values[:n/2], c.values[n/2:n]) {
			return size
		}
	}
}

// trim drops the repetitions of the constants that nothing but broadcasts reads.
func (b *builder) trim(f *ir.File) {
	uses := map[string]int{}
	for _, function := range f.Functions() {
		for _, i := range function.Instructions() {
			for _, o := range i.Operands {
				if m, ok := o.(operand.Mem); ok {
					uses[m.Symbol.Name]++
				}
			}
		}
	}
	for _, section := range f.Sections {
		g, ok := section.(*ir.Global)
		if !ok {
			continue
		}
		c := b.constants[g.Symbol.Name]
		if c == nil || c.broadcasts != uses[g.Symbol.Name] {
			continue
		}
		g.Size = c.period()
		g.Data = g.Data[:g.Size/c.values[0].Bytes()]
	}
}
