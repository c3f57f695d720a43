package main

import (
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constant is read-only data with its address.
type constant struct {
	operand.Mem
	values     []operand.Constant
	broadcasts int // number of loads by load512 that read one period
}

// words32 returns read-only data of n 32-bit words, where word i is f(i).
func (b *builder) words32(name string, n int, f func(i int) uint32) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U32(f(i)) })
}

// words64 returns read-only data of n 64-bit words, where word i is f(i).
func (b *builder) words64(name string, n int, f func(i int) uint64) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U64(f(i)) })
}

// words16 returns read-only data of n 16-bit words, where word i is f(i).
func (b *builder) words16(name string, n int, f func(i int) uint16) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U16(f(i)) })
}

// bytes returns read-only data of n bytes, where byte i is f(i).
func (b *builder) bytes(name string, n int, f func(i int) uint8) operand.Mem {
	return b.data(name, n, func(i int) operand.Constant { return operand.U8(f(i)) })
}

// data returns the constant with that name. The first call places it in the file.
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

// load512 loads a constant of 64 bytes. It broadcasts a constant that repeats itself. Go's linker
// aligns constants to at most 32 bytes, so a load of 64 bytes may cross a page, which slowed the
// f32 kernels down measurably when a build placed a constant like that. A broadcast reads at most
// 32 bytes and takes no longer than a load.
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

// halves512 loads a constant of 64 bytes that does not repeat itself in two halves, for kernels in
// which a load across two pages costs more than the second instruction.
func (b *builder) halves512(m operand.Mem) reg.VecVirtual {
	r := b.ZMM()
	b.VBROADCASTI64X4(m, r)
	b.VINSERTI64X4(operand.U8(1), m.Offset(32), r, r)
	return r
}

// period returns the number of bytes, a power of two and at least 4, after which the constant
// repeats itself. If it does not repeat itself, period returns its length.
func (c *constant) period() int {
	for n := len(c.values); ; n /= 2 {
		if size := n * c.values[0].Bytes(); size == 4 || n%2 != 0 || !slices.Equal(c.values[:n/2], c.values[n/2:n]) {
			return size
		}
	}
}

// trim removes the repetitions of constants that only broadcasts read.
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
